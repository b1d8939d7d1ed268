import DigestStore
import ResilientPlatform

/// The file that stores which values each named check has reported. No other run uses it while this
/// object exists.
final class ReportedValuesFile: Sendable {
  private struct Contents: Codable {
    static let version = 1

    var version = Self.version
    /// Hashes of the values, so that the file names none.
    var checks: [String: Set<String>] = [:]
  }

  let path: String
  private let file: LockedFile
  private let contents: Contents

  /// Opens the file of a store, creates it if it does not exist, and waits while another run uses it.
  ///
  /// - Parameter wait: called once before waiting.
  /// - Throws: an ``ExitFailure`` if the file cannot be read and written, or contains something else.
  init(ofStoreAt store: String, willWait wait: (_ path: String) -> Void) throws {
    let path = store + ".checks"
    self.path = path
    let bytes: Data
    do {
      file = try LockedFile(path) { wait(path) }
      bytes = try file.read()
      // Fails before the check instead of after it.
      try file.checkIsReplaceable()
    } catch let problem as LockedFile.FileProblem {
      throw ExitFailure.io(
        "\(path): \(problem), and so it is unknown what earlier checks have reported; leave out --new"
      )
    }
    contents = try Self.contents(bytes, path)
  }

  /// The values that no check of this name has reported.
  func unreported(
    _ values: [DigestStore.FailureCount], byCheck name: String
  ) -> [DigestStore.FailureCount] {
    guard let reported = contents.checks[name] else { return values }
    return values.filter { !reported.contains(Self.hash(of: $0)) }
  }

  /// The names of earlier checks.
  var checks: [String] { contents.checks.keys.sorted() }

  /// Stores that a check has reported values, and writes it to the disk.
  ///
  /// - Throws: an ``ExitFailure``. The file is unchanged then.
  func save(_ values: [DigestStore.FailureCount], reportedByCheck name: String) throws {
    var contents = contents
    contents.checks[name, default: []].formUnion(values.map(Self.hash))
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try file.replace(with: encoder.encode(contents) + [UInt8(ascii: "\n")])
    } catch {
      throw ExitFailure.io("\(path): \(error); the next check will report the same values again")
    }
  }

  private static func hash(of value: DigestStore.FailureCount) -> String {
    let names = [value.model, value.codingPath, value.novelValue ?? "", value.valueType ?? ""]
    // With their lengths, so that no two values have the same text.
    let text = names.map { "\($0.utf8.count):\($0)" }.joined()
    return SHA256.digest(Array(text.utf8)).prefix(8)
      .map(\.hexadecimal).joined()
  }

  private static func contents(_ bytes: Data, _ path: String) throws -> Contents {
    guard !bytes.isEmpty else { return Contents() }
    guard let contents = try? JSONDecoder().decode(Contents.self, from: bytes),
      contents.version == Contents.version
    else {
      throw ExitFailure.badInput(
        "\(path): not a file of reported values; move it away to start over")
    }
    return contents
  }
}

extension UInt8 {
  /// Two digits.
  var hexadecimal: String { (self < 16 ? "0" : "") + String(self, radix: 16) }
}
