import DigestStore
import ResilientPlatform

/// The file that stores which failures each named check has reported. No other run uses it while
/// this object exists.
final class ReportedFailuresFile: Sendable {
  /// A line of the file. It has a hash of the failure, so that the file has no text of a payload.
  private struct Line: Codable {
    let check: String
    let failure: String
  }

  let path: String
  private let file: LockedFile

  /// The hashes of the failures that each check has reported.
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
      // A power cut may leave a part of a line. Its failure is reported again.
      let lines = texts.compactMap { try? JSONDecoder().decode(Line.self, from: $0) }
      reported = Dictionary(grouping: lines, by: \.check).mapValues { Set($0.map(\.failure)) }
    } catch let problem as LockedFile.FileProblem {
      throw ExitFailure.io(
        "\(path): \(problem), and so it is unknown what earlier checks have reported; leave out --since-last"
      )
    } catch is DecodingError {
      throw ExitFailure.badInput(
        "\(path): not a file of reported failures; move it away to start over")
    }
  }

  /// The failures that no check of this name has reported.
  func unreported(
    _ failures: [DigestStore.FailureCount], byCheck name: String
  ) -> [DigestStore.FailureCount] {
    guard let reported = reported[name] else { return failures }
    return failures.filter { !reported.contains($0.failureKey.text) }
  }

  /// The names of earlier checks.
  var checks: [String] { reported.keys.sorted() }

  /// Stores that a check has reported failures, and writes it to the disk.
  ///
  /// - Throws: an ``ExitFailure``. The file is unchanged then.
  func save(_ failures: [DigestStore.FailureCount], reportedByCheck name: String) throws {
    let lines = failures.map {
      JSON.object(["check", "failure"], [.text(name), .text($0.failureKey.text)]) + "\n"
    }
    do {
      try file.append(lines.joined())
    } catch {
      throw ExitFailure.io("\(path): \(error); the next check will report the same failures again")
    }
  }
}
