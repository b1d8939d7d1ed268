import DigestStore
import ResilientDecoding
import ResilientPlatform

/// Static Analysis Results Interchange Format 2.1.0 (OASIS), which code scanning reads.
extension Findings {
  var sarif: String {
    let rules = self.rules.map { id, text in
      #"{"id": \#(id.jsonQuoted), "shortDescription": {"text": \#(text.jsonQuoted)}}"#
    }
    return """
      {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
          "tool": {"driver": {"name": "digest-query", "version": \(Invocation.version.jsonQuoted), "rules": [
            \(rules.joined(separator: ",\n      "))
          ]}},
          "results": [
            \(results.joined(separator: ",\n      "))
          ]
        }]
      }

      """
  }

  private var results: [String] {
    // Of all results, or of none (section 3.27.23).
    let hasSuppressions = findings.contains { $0.suppression != nil }
    return findings.map { result($0, hasSuppressions: hasSuppressions) }
  }

  private func result(_ finding: Annotation, hasSuppressions: Bool) -> String {
    let subject = [finding.subject.model, finding.subject.place].filter { !$0.isEmpty }
    let text =
      "\(subject.joined(separator: " ").escapedForSARIF): \(finding.message.escapedForSARIF)"
    let suppression = finding.suppression.map {
      #"{"kind": "external", "justification": \#($0.jsonQuoted)}"#
    }
    let suppressions = hasSuppressions ? #", "suppressions": [\#(suppression ?? "")]"# : ""
    return """
      {"ruleId": \(finding.rule.jsonQuoted), "level": "\(finding.level.rawValue)", \
      "message": {"text": \(text.jsonQuoted)}, \
      "locations": [\(Self.location(finding.location ?? (file, nil, "")))], \
      "partialFingerprints": {"failure/v1": "\(fingerprint(of: [finding.rule] + finding.identity, bytes: 16))"}\
      \(suppressions)}
      """
  }

  private static func location(_ location: (file: String, line: Int?, pointer: String)) -> String {
    let uri = (location.file.hasPrefix("/") ? "file://" : "") + location.file.uriEncoded
    let pointer =
      location.pointer.isEmpty
      ? "" : #", "logicalLocations": [{"fullyQualifiedName": \#(location.pointer.jsonQuoted)}]"#
    return """
      {"physicalLocation": {"artifactLocation": {"uri": \(uri.jsonQuoted)}, \
      "region": {"startLine": \(location.line ?? 1)}}\(pointer)}
      """
  }
}

extension String {
  /// The text of a message, without placeholders and links of its own (section 3.11).
  fileprivate var escapedForSARIF: String {
    printable.unicodeScalars.map { scalar in
      switch scalar {
      case "{": "{{"
      case "}": "}}"
      case "[", "]", "\\": "\\\(scalar)"
      default: String(Character(scalar))
      }
    }.joined()
  }

  /// The path as a reference to a file (RFC 3986, section 3.3).
  var uriEncoded: String {
    utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        String(UnicodeScalar(byte))
      default: "%\([byte].hexadecimal.uppercased())"
      }
    }.joined()
  }
}

/// A hash of texts, in hexadecimal digits.
private func fingerprint(of texts: [String?], bytes: Int) -> String {
  // With their lengths, so that no two lists have the same text.
  let text = texts.map { text in text.map { "\($0.utf8.count):\($0)" } ?? "-" }.joined()
  return Array(SHA256.digest(Array(text.utf8)).prefix(bytes)).hexadecimal
}
