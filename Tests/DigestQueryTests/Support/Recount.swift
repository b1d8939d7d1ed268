import Foundation
import Testing

/// Counts digests anew, from their lines alone: what reports are compared with.
struct Recount {
  /// The lines of the digests that are in a window, in their order.
  let lines: [String]
  private let objects: [[String: Any]]

  /// What was found by the first error of each failure that had something, in the window or not.
  private let samples: [[String]: [String]]

  /// - Parameters:
  ///   - since: the first moment that counts; times of one form are in the order of their text.
  ///   - until: the first that does not.
  init(_ ndjson: String, since: String?, until: String?) throws {
    let all = ndjson.split(separator: "\n").map(String.init)
    let recordedAt = try jsonStrings("recordedAt", in: ndjson)
    lines = zip(all, recordedAt).filter { _, time in
      (since.map { time >= $0 } ?? true) && (until.map { time < $0 } ?? true)
    }.map(\.0)
    objects = try jsonObjects(lines.joined(separator: "\n"))
    samples = try Self.occurrences(in: jsonObjects(ndjson)).reduce(into: [:]) { samples, error in
      if let failure = error.failure, samples[failure] == nil { samples[failure] = error.found }
    }
  }

  var export: String { lines.map { $0 + "\n" }.joined() }

  /// What `top-novel-values` prints as CSV.
  var novelValues: String {
    csv(
      header: ["model,coding_path,novel_value,value_type", ",first_release"], key: \.novelValue)
  }

  /// What `top-failures` prints as CSV.
  var failures: String {
    csv(
      header: [
        "model,coding_path,kind,expected_type,novel_value,value_type",
        ",found_type,found_value,first_release",
      ],
      key: \.failure
    )
  }

  private struct Occurrence {
    let novelValue: [String]?
    let failure: [String]?
    let found: [String]?
    let recordedAt: String
    let release: String
    let digest: Int
    let count: Int
  }

  private struct Row {
    let key: [String]
    let occurrences: [Occurrence]

    var count: Int { occurrences.reduce(0) { $0 + $1.count } }

    /// Of a failure, its value comes before kind and expected type.
    var order: [String] {
      key.count == 4 ? key : [key[0], key[1], key[4], key[2], key[3], key[5]]
    }

    /// The release of the first error; of those at the same moment the first by name.
    var firstRelease: String {
      occurrences.min { ($0.recordedAt, $0.release) < ($1.recordedAt, $1.release) }?.release ?? ""
    }

    var csv: String {
      let times = occurrences.map(\.recordedAt).sorted()
      let digests = Set(occurrences.map(\.digest)).count
      let cells = key + ["\(count)", "\(digests)", times.first ?? "", times.last ?? ""]
      return cells.joined(separator: ",")
    }
  }

  private static func occurrences(in objects: [[String: Any]]) -> [Occurrence] {
    objects.enumerated().flatMap { digest, object in
      (object["failures"] as? [[String: Any]] ?? []).map { failure in
        occurrence(failure, in: object, digest: digest)
      }
    }
  }

  private static func occurrence(
    _ failure: [String: Any],
    in object: [String: Any],
    digest: Int
  ) -> Occurrence {
    func text(_ member: String) -> String { failure[member] as? String ?? "" }
    let model = object["model"] as? String ?? ""
    let path = text("path").replacing(/\[\d+\]/, with: "[]")
    let value = [text("novelValue"), text("novelValueType")]
    return Occurrence(
      novelValue: failure["novelValue"] == nil ? nil : [model, path] + value,
      failure: [model, path, text("kind"), text("expectedType")] + value,
      found: failure["foundType"] == nil ? nil : [text("foundType"), text("foundValue")],
      recordedAt: object["recordedAt"] as? String ?? "",
      release: object["release"] as? String ?? "",
      digest: digest,
      count: failure["count"] as? Int ?? 1
    )
  }

  private func csv(header: [String], key: KeyPath<Occurrence, [String]?>) -> String {
    let counted = Self.occurrences(in: objects).filter { $0[keyPath: key] != nil }
    let groups = Dictionary(grouping: counted) { $0[keyPath: key] ?? [] }
    let rows = groups.map { Row(key: $0.key, occurrences: $0.value) }.sorted { first, second in
      first.count == second.count
        ? first.order.lexicographicallyPrecedes(second.order) : first.count > second.count
    }
    let lines =
      [header.joined(separator: ",occurrences,digests,first_seen,last_seen")]
      + rows.map { row in
        ([row.csv] + (row.key.count == 4 ? [] : samples[row.key] ?? ["", ""]) + [row.firstRelease])
          .joined(separator: ",")
      }
    return lines.map { $0 + "\n" }.joined()
  }
}
