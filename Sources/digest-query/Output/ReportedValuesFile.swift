import DigestStore
import ResilientPlatform

/// The file that stores which values each named check has reported. No other run uses it while this
/// object exists.
final class ReportedValuesFile: Sendable {
  /// A line of the file. It has a hash of the value, so that the file names none.
  private struct Line: Codable {
    let check: String
    let value: String
  }

  let path: String
  private let file: LockedFile

  /// The hashes of the values that each check has reported.
  private let reported: [String: Set<String>]

  /// Opens the file of a store, creates it if it does not exist, and waits while another run uses it.
  ///
  /// - Parameter wait: called once before waiting.
  /// - Throws: an ``ExitFailure`` if the file cannot be read and written, or contains something else.
  init(ofStoreAt store: String, willWait wait: (_ path: String) -> Void) throws {
    let path = store + ".checks"
    self.path = path
    do {
      file = try LockedFile(path) { wait(path) }
      let texts = try file.read().split(separator: UInt8(ascii: "\n"))
      if let first = texts.first { _ = try JSONDecoder().decode(Line.self, from: first) }
      // A power cut may leave a part of a line. Its values are reported again.
      let lines = texts.compactMap { try? JSONDecoder().decode(Line.self, from: $0) }
      reported = Dictionary(grouping: lines, by: \.check).mapValues { Set($0.map(\.value)) }
    } catch let problem as LockedFile.FileProblem {
      throw ExitFailure.io(
        "\(path): \(problem), and so it is unknown what earlier checks have reported; leave out --new"
      )
    } catch is DecodingError {
      throw ExitFailure.badInput(
        "\(path): not a file of reported values; move it away to start over")
    }
  }

  /// The values that no check of this name has reported.
  func unreported(
    _ values: [DigestStore.FailureCount], byCheck name: String
  ) -> [DigestStore.FailureCount] {
    guard let reported = reported[name] else { return values }
    return values.filter { !reported.contains(Self.hash(of: $0)) }
  }

  /// The names of earlier checks.
  var checks: [String] { reported.keys.sorted() }

  /// Stores that a check has reported values, and writes it to the disk.
  ///
  /// - Throws: an ``ExitFailure``. The file is unchanged then.
  func save(_ values: [DigestStore.FailureCount], reportedByCheck name: String) throws {
    let lines = values.map {
      JSON.object(["check", "value"], [.text(name), .text(Self.hash(of: $0))]) + "\n"
    }
    do {
      try file.append(lines.joined())
    } catch {
      throw ExitFailure.io("\(path): \(error); the next check will report the same values again")
    }
  }

  private static func hash(of value: DigestStore.FailureCount) -> String {
    fingerprint(
      of: [value.model, value.codingPath, value.novelValue ?? "", value.valueType ?? ""], bytes: 8)
  }
}

/// A hash of texts, in hexadecimal digits.
func fingerprint(of texts: [String?], bytes: Int) -> String {
  // With their lengths, so that no two lists have the same text.
  let text = texts.map { text in text.map { "\($0.utf8.count):\($0)" } ?? "-" }.joined()
  return SHA256.digest(Array(text.utf8)).prefix(bytes).map(\.hexadecimal).joined()
}

extension UInt8 {
  /// Two digits.
  var hexadecimal: String { (self < 16 ? "0" : "") + String(self, radix: 16) }
}
