import Foundation
import Testing

/// What a filter lets through on every command.
struct Selection: Equatable {
  /// The novel values of `top-novel-values`, with their occurrences.
  var novelValues: [String]

  /// The coding paths of `top-failures`, with their occurrences, in alphabetical order.
  var failures: [String]

  /// The digests that `export` writes as lines of JSON.
  var digests: [String]

  /// The digests of the occurrences that `export` writes as lines of CSV.
  var occurrences: [String]

  static let nothing = Self(novelValues: [], failures: [], digests: [], occurrences: [])
}

extension Sandbox {
  /// Runs every command with a filter.
  func selection(_ filter: [String]) throws -> Selection {
    func stdout(_ arguments: [String]) throws -> String {
      let outcome = try run(arguments + filter)
      try #require(outcome.status == 0, "\(outcome)")
      return outcome.stdout
    }
    func counts(_ command: String, _ member: String) throws -> [String] {
      try jsonObjects(stdout([command, "--format", "ndjson"])).map {
        "\($0[member] as? String ?? "") \($0["occurrences"] as? Int ?? 0)"
      }
    }
    return Selection(
      novelValues: try counts("top-novel-values", "novel_value"),
      failures: try counts("top-failures", "coding_path").sorted(),
      digests: try jsonStrings("id", in: stdout(["export"])),
      occurrences: try stdout(["export", "--format", "csv"]).split(separator: "\n").dropFirst()
        .map { $0.split(separator: ",").first.map(String.init) ?? "" }
    )
  }
}
