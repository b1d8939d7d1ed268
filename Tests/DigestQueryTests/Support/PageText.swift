import Foundation
import Testing

/// What a page says and what it is made of: an HTML document, of which each row is a line.
struct PageText {
  let html: String

  /// The lines of text in the body, cells with a bar between them; when it was made is left out.
  var lines: [String] {
    (body ?? "").split(separator: "\n").map { line in
      Self.decoded(
        String(line).replacing(/<\/t[dh]><t[dh]/, with: " | <td").replacing(
          /<\/dt><dd[^>]*>/, with: ": "
        )
        .replacing(/<\/span><span>/, with: " ").replacing(/<\/text><text/, with: " <text")
        .replacing(/<span class="of">/, with: " in <span>")
        .replacing(/Made <time.*?<\/time>/, with: "Made now")
        .replacing(Self.tag, with: ""))
    }.filter { !$0.allSatisfy { $0 == " " } }
  }

  /// The lines from a headline on, without it, to the next one.
  func section(_ headline: String) throws -> [String] {
    let all = try #require(body).split(separator: "\n").map(String.init)
    let start = try #require(all.firstIndex { $0.hasSuffix(">\(headline)</h2>") }, "\(headline)")
    let end = try #require(all[start...].firstIndex { $0 == "</section>" })
    return PageText(html: "<body>\(all[start + 1..<end].joined(separator: "\n"))<script>").lines
  }

  /// The rows of failures.
  func failures() throws -> [String] {
    try section("Failures").filter { $0.contains(" | ") && !$0.hasPrefix("Where | ") }
  }

  /// The names of all elements with those of their attributes, in their order, but for places where
  /// a line may end.
  var tags: [String] {
    html.matches(of: Self.tag).map { String($0.output).replacing(/="[^"]*"/, with: "") }
      .filter { $0 != "<wbr>" }
  }

  /// The values of all attributes of a name.
  func values(of attribute: String) throws -> [String] {
    try html.matches(of: Regex("[ ]\(attribute)=\"([^\"]*)\"")).compactMap { match in
      match.output[1].substring.map { Self.decoded(String($0)) }
    }
  }

  /// What stands in the elements of a name that have no attributes.
  func contents(of element: String) throws -> [String] {
    try html.matches(of: Regex("<\(element)>((?s:.*?))</\(element)>")).compactMap { match in
      match.output[1].substring.map(String.init)
    }
  }

  private var body: Substring? {
    html.firstMatch(of: /<body>(?<body>(?s:.*))<script>/)?.output.body
  }

  /// By scalars, here and below: a combining mark makes a `<` another character.
  private static var tag: Regex<Substring> { /<[^>]*>/.matchingSemantics(.unicodeScalar) }

  private static func decoded(_ text: String) -> String {
    [(/&lt;/, "<"), (/&gt;/, ">"), (/&quot;/, "\""), (/&#39;/, "'"), (/&amp;/, "&")]
      .reduce(text) { $0.replacing($1.0.matchingSemantics(.unicodeScalar), with: $1.1) }
  }
}

extension Sandbox {
  /// Makes a page, and expects that there is one.
  func page(_ options: String = "") throws -> PageText {
    let outcome = try run("report \(options)")
    try #require(outcome.status == 0, "\(outcome)")
    return PageText(html: outcome.stdout)
  }
}
