import ResilientPlatform

extension HTML {
  /// A cell without a value.
  static let nothing: HTML = "\u{2013}"

  /// A value from the payload, isolated from the direction of the text around it.
  static func value(_ text: String, ofType type: String?) -> HTML {
    let shown = text.utf8.count > text.start.utf8.count ? text.start : text.visible
    let value: HTML =
      text.isEmpty
      ? #"<span class="type">empty</span>"#
      : #"<span class="text"><bdi><code>\#(shown)</code></bdi></span>\#(text.rest)"#
    let typed: HTML = type.map { #"\#(value) <span class="type">\#($0.start)</span>"# } ?? value
    return typed.boxed(for: text)
  }

  static func place(_ codingPath: String, of model: String) -> HTML {
    let path: HTML = codingPath.isEmpty ? "the whole document" : code(codingPath)
    let place: HTML = #"\#(path)<span class="of"><bdi>\#(withBreaks(model))</bdi></span>"#
    return place.boxed(for: codingPath, model)
  }

  /// A path without its model.
  static func path(_ codingPath: String) -> HTML { code(codingPath).boxed(for: codingPath) }

  /// A release below what it belongs to.
  static func release(_ name: String) -> HTML {
    let release: HTML =
      #" <span class="of release">in <bdi>\#(name.start)</bdi>\#(name.rest)</span>"#
    return release.boxed(for: name)
  }

  /// A type.
  static func name(_ text: String) -> HTML { code(text).boxed(for: text) }

  private static func code(_ text: String) -> HTML {
    "<bdi><code>\(withBreaks(text))</code></bdi>"
  }

  /// Puts the markup in a scrolling box if one of the texts is too long for a cell.
  private func boxed(for texts: String...) -> HTML {
    texts.contains { $0.utf8.count > 200 } ? #"<div class="long">\#(self)</div>"# : self
  }

  /// A name with possible line breaks between its words: `App.Listing.firstSeen`, `first_seen`.
  private static func withBreaks(_ text: String) -> HTML {
    var html: HTML = ""
    var word = ""
    for character in text.start {
      if let last = word.last,
        last == "." || last == "_" || last.isLowercase && character.isUppercase
      {
        html += "\(word)<wbr>"
        word = ""
      }
      word.append(character)
    }
    return html + "\(word)" + text.rest
  }
}

extension String {
  /// More than a store keeps itself. Imported values may have any length.
  private static let maximumLength = 1_000

  fileprivate var start: String {
    guard utf8.count > Self.maximumLength else { return self }
    return String(unicodeScalars.prefix(Self.maximumLength))
  }

  /// The note that replaces what ``start`` omits.
  fileprivate var rest: HTML {
    guard utf8.count > Self.maximumLength else { return "" }
    let count = unicodeScalars.count - Self.maximumLength
    return count > 0 ? #"<span class="type">… and \#(count.grouped) more characters</span>"# : ""
  }
}
