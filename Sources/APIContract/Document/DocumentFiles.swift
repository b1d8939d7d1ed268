import ResilientPlatform

/// A document, and the files beside it that its references name. Each file is read once.
final class DocumentFiles {
  private let main: URL
  private let willRead: (_ path: String) -> Void
  private var values: [String: Result<JSONValue, DocumentError>] = [:]

  /// The largest size of a file, in bytes.
  private static let maximumSize = 256 << 20

  /// Reads a document.
  ///
  /// - Throws: a ``DocumentError`` if it cannot be read.
  init(path: String, willRead: @escaping (_ path: String) -> Void) throws {
    main = URL(filePath: path)
    self.willRead = willRead
    willRead(path)
    values[""] = .success(try Self.read(main, path))
  }

  /// The value at a place; nil if there is none.
  func node(at place: SourcePlace) -> Node? {
    // A file that cannot be read has no values. The reason is in `words(ofDangling:)`.
    guard var value = try? value(ofFile: place.file).get() else { return nil }
    for token in place.tokens {
      let next =
        value[token]
        ?? value.array.flatMap { array in
          Int(token).flatMap { array.indices.contains($0) ? array[$0] : nil }
        }
      guard let next else { return nil }
      value = next
    }
    return Node(place: place, value: value)
  }

  /// Follows the references of a node to a node without one, or to one that leads nowhere.
  func target(of node: Node) -> Node {
    var node = node
    for _ in 0..<100 {
      guard let next = referenced(by: node) else { return node }
      node = next
    }
    return node
  }

  /// The node that the reference of a node names; nil if it has none, or if it leads nowhere.
  func referenced(by node: Node) -> Node? {
    node.reference.flatMap { place(of: $0, from: node.place) }.flatMap(self.node)
  }

  /// The member of an object, with its references followed; nil if there is none.
  func member(_ name: String, of node: Node) -> Node? { node.member(name).map(target) }

  /// Why the reference of a node leads nowhere, as the end of the sentence "the document …".
  func words(ofDangling node: Node) -> String {
    let reference = node.reference ?? ""
    let words = "has a reference here that cannot be resolved: \(reference)"
    guard let place = place(of: reference, from: node.place),
      case .failure(let error) = value(ofFile: place.file)
    else { return words }
    return "\(words) (\(error))"
  }

  /// The place that a reference names; nil if it leads out of the folder of the main document.
  ///
  /// - Parameter place: where the reference is.
  func place(of reference: String, from place: SourcePlace) -> SourcePlace? {
    let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let fragment = parts.count > 1 ? parts[1].withoutPercentEncoding ?? "" : ""
    guard fragment.isEmpty || fragment.hasPrefix("/") else { return nil }
    guard let file = parts.first, !file.isEmpty else {
      return SourcePlace(file: place.file, pointer: fragment)
    }
    guard let name = file.withoutPercentEncoding, !name.contains("://"),
      !name.hasPrefix("/")
    else { return nil }
    var components = place.file.split(separator: "/").dropLast().map(String.init)
    for component in name.split(separator: "/") {
      switch component {
      case ".": continue
      case "..":
        guard components.popLast() != nil else { return nil }
      default: components.append(String(component))
      }
    }
    let path = components.joined(separator: "/")
    return SourcePlace(file: path == main.lastPathComponent ? "" : path, pointer: fragment)
  }

  /// The lines, from 1, on which the values at some places begin.
  func lines(of places: Set<SourcePlace>) -> [SourcePlace: Int] {
    var lines: [SourcePlace: Int] = [:]
    for (file, places) in Dictionary(grouping: places, by: \.file) {
      // The file was read before. If it is gone by now, its places have no lines.
      guard let data = (try? Data(contentsOf: url(of: file))).flatMap(Self.text) else { continue }
      let pointers = Set(places.map(\.pointer))
      let found =
        Self.isJSON(data)
        ? JSONLines.lines(of: pointers, in: Array(data)) : Self.yamlLines(of: pointers, in: data)
      for (pointer, line) in found { lines[SourcePlace(file: file, pointer: pointer)] = line }
    }
    return lines
  }

  private func url(of file: String) -> URL {
    file.isEmpty ? main : main.deletingLastPathComponent().appending(path: file)
  }

  private func value(ofFile file: String) -> Result<JSONValue, DocumentError> {
    if let value = values[file] { return value }
    willRead(url(of: file).path(percentEncoded: false))
    let value = Result { () throws(DocumentError) in try Self.read(url(of: file), file) }
    values[file] = value
    return value
  }

  /// - Parameter name: the file in messages.
  private static func read(_ url: URL, _ name: String) throws(DocumentError) -> JSONValue {
    // The one-line errors here replace those of Foundation.
    let attributes: [FileAttributeKey: Any]
    do {
      attributes = try FileManager.default.attributesOfItem(
        atPath: url.resolvingSymlinksInPath().path(percentEncoded: false))
    } catch let error as CocoaError where error.code == .fileReadNoPermission {
      throw DocumentError(
        .unreadableFile, "\(name) cannot be read; check the permissions of file and directory")
    } catch {
      throw DocumentError(.missingFile, "no such file: \(name)")
    }
    guard attributes[.type] as? FileAttributeType == .typeRegular,
      (attributes[.size] as? Int ?? 0) <= maximumSize
    else {
      throw DocumentError(.invalid, "\(name) isn't a file of at most \(maximumSize >> 20) MiB")
    }
    // Foundation's error would take several lines.
    guard let data = try? Data(contentsOf: url) else {
      throw DocumentError(.unreadableFile, "\(name) cannot be read")
    }
    guard let text = text(of: data) else {
      throw DocumentError(.invalid, "\(name) is not UTF-8: convert it")
    }
    return try isJSON(text) ? json(text, name) : yaml(text, name)
  }

  /// The bytes of a text without the mark at its start; nil if they aren't UTF-8.
  private static func text(of data: Data) -> Data? {
    let mark = "\u{FEFF}".utf8
    let text = data.starts(with: mark) ? Data(data.dropFirst(mark.count)) : data
    // In UTF-16 and UTF-32, one of the first two bytes is zero (YAML 1.2.2, section 5.2).
    let isValid =
      !text.prefix(2).contains(0) && String(decoding: text, as: UTF8.self).utf8.elementsEqual(text)
    return isValid ? text : nil
  }

  /// Whether a document is JSON. YAML is a superset of it, but its reader is slower.
  private static func isJSON(_ data: Data) -> Bool {
    data.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
  }

  private static func json(_ data: Data, _ name: String) throws(DocumentError) -> JSONValue {
    do {
      return try JSONDecoder().decode(JSONValue.self, from: data)
    } catch {
      throw DocumentError(.invalid, "\(name) is not valid JSON")
    }
  }
}

extension Substring {
  /// The text that a URL's part encodes (RFC 3986, section 2.1); nil if it is none.
  fileprivate var withoutPercentEncoding: String? {
    guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(decoded)
      rest = rest.dropFirst(2)
    }
    return String(bytes: bytes, encoding: .utf8)
  }
}

/// A document that cannot be read, in one line.
package struct DocumentError: Error, CustomStringConvertible, Sendable {
  package enum Refusal: Sendable {
    case missingFile
    case unreadableFile
    case invalid
  }

  package let reason: Refusal
  package let description: String

  init(_ reason: Refusal, _ description: String) {
    self.reason = reason
    self.description = description
  }
}

/// A place in a document: a file, and a JSON pointer in it (RFC 6901).
package struct SourcePlace: Hashable, Sendable {
  /// The path of the file, relative to the folder of the main document; empty for that document.
  package let file: String

  /// The pointer: `/components/schemas/Listing`; empty for the whole document.
  package let pointer: String

  package init(file: String = "", pointer: String = "") {
    self.file = file
    self.pointer = pointer
  }

  /// The place of a member or an element.
  func child(_ token: String) -> Self {
    let escaped =
      token.utf8.contains { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }
      ? token.replacing("~", with: "~0").replacing("/", with: "~1") : token
    return Self(file: file, pointer: "\(pointer)/\(escaped)")
  }

  /// The names of members and the numbers of elements on the way.
  package var tokens: [String] {
    pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
  }

  /// The pointer; for another file than the main document, as a reference to it.
  package var text: String { file.isEmpty ? pointer : "\(file)#\(pointer)" }
}

/// A value with its place.
struct Node {
  let place: SourcePlace
  let value: JSONValue

  /// The member of an object; nil if there is none.
  func member(_ name: String) -> Node? {
    value[name].map { Node(place: place.child(name), value: $0) }
  }

  /// The reference in place of the value; nil if there is none.
  var reference: String? { value["$ref"]?.string }

  /// The elements of an array.
  var elements: [Node] {
    (value.array ?? []).enumerated().map { Node(place: place.child("\($0)"), value: $1) }
  }

  /// The members of an object, by name.
  var members: [(name: String, node: Node)] {
    (value.object ?? [:]).sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
      ($0.key, Node(place: place.child($0.key), value: $0.value))
    }
  }
}
