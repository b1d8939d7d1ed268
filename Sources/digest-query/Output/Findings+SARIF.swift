import ResilientPlatform

/// Static Analysis Results Interchange Format 2.1.0 (OASIS), which code scanning reads.
extension Findings {
  var sarif: String {
    get throws {
      // Of all results, or of none (section 3.27.23).
      let hasSuppressions = findings.contains { $0.suppression != nil }
      let results = findings.map { finding in
        Log.Result(
          ruleId: finding.rule, level: finding.level.rawValue,
          message: Log.Text(
            text: [finding.subject.model, finding.subject.place].filter { !$0.isEmpty }
              .joined(separator: " ").escapedForSARIF + ": \(finding.message.escapedForSARIF)"),
          suppressions: finding.suppression.map { [Log.Suppression(justification: $0)] }
            ?? (hasSuppressions ? [] : nil),
          locations: [Log.Location(finding.location ?? (file, nil, ""))],
          partialFingerprints: ["failure/v1": Self.fingerprint([finding.rule] + finding.identity)])
      }
      let driver = Log.Driver(
        name: "digest-query", version: Invocation.version,
        rules: rules.map { Log.Rule(id: $0.id, shortDescription: Log.Text(text: $0.text)) })
      let log = Log(runs: [Log.Run(tool: Log.Tool(driver: driver), results: results)])
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return String(decoding: try encoder.encode(log), as: UTF8.self) + "\n"
    }
  }

  private static func fingerprint(_ texts: [String?]) -> String {
    // With their lengths, so that no two lists have the same text.
    let text = texts.map { text in text.map { "\($0.utf8.count):\($0)" } ?? "-" }.joined()
    return SHA256.digest(Array(text.utf8)).prefix(16).map(\.hexadecimal)
      .joined()
  }
}

/// The part of the format that the tool writes.
private struct Log: Encodable {
  var schema = "https://json.schemastore.org/sarif-2.1.0.json"
  var version = "2.1.0"
  let runs: [Run]

  private enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version, runs
  }

  struct Run: Encodable {
    let tool: Tool
    let results: [Result]
  }

  struct Tool: Encodable { let driver: Driver }

  struct Driver: Encodable {
    let name: String
    let version: String
    let rules: [Rule]
  }

  struct Rule: Encodable {
    let id: String
    let shortDescription: Text
  }

  struct Text: Encodable { let text: String }

  struct Result: Encodable {
    let ruleId: String
    let level: String
    let message: Text
    let suppressions: [Suppression]?
    let locations: [Location]
    let partialFingerprints: [String: String]
  }

  struct Suppression: Encodable {
    var kind = "external"
    let justification: String
  }

  struct Location: Encodable {
    let physicalLocation: PhysicalLocation
    let logicalLocations: [LogicalLocation]?

    init(_ location: (file: String, line: Int?, pointer: String)) {
      let scheme = location.file.hasPrefix("/") ? "file://" : ""
      physicalLocation = PhysicalLocation(
        artifactLocation: ArtifactLocation(uri: scheme + location.file.uriEncoded),
        region: Region(startLine: location.line ?? 1))
      logicalLocations =
        location.pointer.isEmpty ? nil : [LogicalLocation(fullyQualifiedName: location.pointer)]
    }
  }

  struct PhysicalLocation: Encodable {
    let artifactLocation: ArtifactLocation
    let region: Region
  }

  struct ArtifactLocation: Encodable { let uri: String }
  struct Region: Encodable { let startLine: Int }
  struct LogicalLocation: Encodable { let fullyQualifiedName: String }
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
      default: "%\(byte.hexadecimal.uppercased())"
      }
    }.joined()
  }
}
