import DigestStore
import ResilientPlatform

/// The file of decisions: NDJSON under version control, one decision a line.
struct TriageFile {
  /// The name of the file if no other is given.
  static let defaultName = "digest-triage.ndjson"

  let path: String

  /// The decisions with the numbers of their lines.
  let decisions: [(line: Int, decision: Decision)]

  init(path: String, decisions: [(line: Int, decision: Decision)]) {
    (self.path, self.decisions) = (path, decisions)
  }

  /// Reads a file.
  ///
  /// - Throws: an ``ExitFailure`` that names a bad line by its number.
  init(_ path: String) throws {
    self.path = path
    guard path != "/dev/null" else {
      decisions = []
      return
    }
    var status = stat()
    guard stat(path, &status) == 0 else {
      let code = errno
      guard code == ENOENT || code == ENOTDIR else {
        throw ExitFailure.input(path, code, "name another triage file")
      }
      throw ExitFailure.missing(
        "no such triage file: \(path); digest-query triage ignore or resolve makes one")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ExitFailure.badInput("\(path) isn't a regular file: name another triage file")
    }
    InputFiles.insert(path)
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw ExitFailure.io("\(path) cannot be read: check its permissions")
    }
    guard let text = String(data: data, encoding: .utf8) else {
      throw ExitFailure.io("\(path) cannot be read as text in UTF-8")
    }
    decisions = try Self.decisions(in: text, path)
  }

  private static func decisions(
    in text: String, _ path: String
  ) throws -> [(line: Int, decision: Decision)] {
    // By bytes: CR LF is one Character.
    try text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .enumerated().compactMap { index, bytes in
        let line = String(decoding: bytes, as: UTF8.self)
        guard line.contains(where: { !$0.isWhitespace }) else { return nil }
        do {
          return (index + 1, try Decision(line: line))
        } catch let problem as Decision.DecisionProblem {
          throw ExitFailure.badInput("\(path), line \(index + 1), \(problem.description)")
        }
      }
  }

  /// Adds a decision to a file, and makes the file if there is none.
  ///
  /// - Parameter wait: called once before waiting for another run that edits the file.
  /// - Throws: an ``ExitFailure``. The file is unchanged then, also if it has a bad line.
  static func add(_ decision: Decision, to path: String, willWait wait: () -> Void) throws {
    do {
      let file = try LockedFile(path, willWait: wait)
      guard let text = String(bytes: try file.read(), encoding: .utf8) else {
        throw ExitFailure.badInput("\(path) is not text in UTF-8")
      }
      _ = try decisions(in: text, path)
      try file.append(decision.line + "\n")
    } catch let problem as LockedFile.FileProblem {
      throw ExitFailure.io("\(path): \(problem); name another file with --triage")
    }
  }
}
