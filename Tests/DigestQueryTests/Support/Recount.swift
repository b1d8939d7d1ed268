import Foundation
import Testing

/// Counts digests anew, from their lines alone: what reports are compared with. Times and first
/// releases are those of all lines.
struct Recount {
  /// The lines of the digests that are in a window, in their order.
  let lines: [String]
  private let counted: [Occurrence]
  private let all: [Occurrence]

  /// What was found by an error of each failure, in the window or not: by the first that had
  /// something, or by one that came a day after the one before.
  private let samples: [[String]: [String]]

  /// - Parameters:
  ///   - since: the first moment that counts; times of one form are in the order of their text.
  ///   - until: the first that does not.
  init(_ ndjson: String, since: String?, until: String?) throws {
    let allLines = ndjson.split(separator: "\n").map(String.init)
    let recordedAt = try jsonStrings("recordedAt", in: ndjson)
    lines = zip(allLines, recordedAt).filter { _, time in
      (since.map { time >= $0 } ?? true) && (until.map { time < $0 } ?? true)
    }.map(\.0)
    var kinds: [[String]: [String]] = [:]
    self.all = try Self.occurrences(in: jsonObjects(ndjson), &kinds)
    counted = try Self.occurrences(in: jsonObjects(lines.joined(separator: "\n")), &kinds)
    var samples: [[String]: (found: [String]?, time: Date)] = [:]
    for error in self.all {
      guard let failure = error.failure else { continue }
      let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
      let time = try style.parse(error.recordedAt)
      if let sample = samples[failure] {
        let isOld = time.timeIntervalSince(sample.time) > 86_400
        guard error.found == nil ? isOld && sample.found == nil : isOld || sample.found == nil
        else { continue }
      }
      samples[failure] = (error.found, time)
    }
    self.samples = samples.compactMapValues(\.found)
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

    /// The occurrences in the window or not.
    let all: [Occurrence]

    var count: Int { occurrences.reduce(0) { $0 + $1.count } }

    /// Of a failure, its value comes before kind and expected type.
    var order: [String] {
      key.count == 4 ? key : [key[0], key[1], key[4], key[2], key[3], key[5]]
    }

    /// The release of the first error; of those at the same moment the first by name.
    var firstRelease: String {
      all.min { ($0.recordedAt, $0.release) < ($1.recordedAt, $1.release) }?.release ?? ""
    }

    var csv: String {
      let times = all.map(\.recordedAt).sorted()
      let digests = Set(occurrences.map(\.digest)).count
      let cells = key + ["\(count)", "\(digests)", times.first ?? "", times.last ?? ""]
      return cells.joined(separator: ",")
    }
  }

  /// - Parameter kinds: kind and expected type by novel value: those of its first occurrence.
  private static func occurrences(
    in objects: [[String: Any]], _ kinds: inout [[String]: [String]]
  ) -> [Occurrence] {
    var occurrences: [Occurrence] = []
    for (digest, object) in objects.enumerated() {
      for failure in object["errors"] as? [[String: Any]] ?? [] {
        occurrences.append(occurrence(failure, in: object, digest: digest, &kinds))
      }
    }
    return occurrences
  }

  private static func occurrence(
    _ failure: [String: Any],
    in object: [String: Any],
    digest: Int,
    _ kinds: inout [[String]: [String]]
  ) -> Occurrence {
    func text(_ member: String) -> String { failure[member] as? String ?? "" }
    let model = object["model"] as? String ?? ""
    let path = text("path").replacing(/\[\d+\]/, with: "[]")
    let value = [text("novelValue"), text("novelValueType")]
    let novelValue = failure["novelValue"] == nil ? nil : [model, path] + value
    let kind = [text("kind"), text("expectedType")]
    if let novelValue, kinds[novelValue] == nil { kinds[novelValue] = kind }
    return Occurrence(
      novelValue: novelValue,
      failure: [model, path] + (novelValue.flatMap { kinds[$0] } ?? kind) + value,
      found: failure["foundType"] == nil ? nil : [text("foundType"), text("foundValue")],
      recordedAt: object["recordedAt"] as? String ?? "",
      release: object["release"] as? String ?? "",
      digest: digest,
      count: failure["count"] as? Int ?? 1
    )
  }

  private func csv(header: [String], key: KeyPath<Occurrence, [String]?>) -> String {
    func groups(_ occurrences: [Occurrence]) -> [[String]: [Occurrence]] {
      Dictionary(grouping: occurrences.filter { $0[keyPath: key] != nil }) {
        $0[keyPath: key] ?? []
      }
    }
    let everything = groups(all)
    let rows = groups(counted).map {
      Row(key: $0.key, occurrences: $0.value, all: everything[$0.key] ?? [])
    }.sorted { first, second in
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
