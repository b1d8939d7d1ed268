import ArgumentParser
import DigestStore
import ResilientPlatform

/// The decisions on failures.
struct TriageOptions: ParsableArguments {
  @Option(
    name: .customLong("triage"),
    help: ArgumentHelp(
      "The file of decisions (default: $DIGEST_TRIAGE, else digest-triage.ndjson here, if it exists).",
      valueName: "file"),
    completion: .file()
  )
  var path: String?

  @Flag(name: .customLong("no-triage"), help: "Use no file of decisions.")
  var isOff = false

  func validate() throws {
    if path?.isEmpty == true { throw ValidationError("--triage is empty: name a file") }
    if isOff, path != nil { throw ValidationError("leave out --triage or --no-triage") }
  }

  /// The file that is named, or the default one.
  var name: String { Self.name(path) }

  /// The file with a path, or the default one.
  static func name(_ path: String?) -> String {
    path ?? ProcessInfo.processInfo.environment["DIGEST_TRIAGE"].flatMap { $0.isEmpty ? nil : $0 }
      ?? TriageFile.defaultName
  }

  /// Compares the decisions with a store; nil without a file.
  ///
  /// - Throws: a ``Failure`` if a file that is named does not exist, or has a bad line.
  func triage(of store: DigestReader) throws -> Triage? {
    guard !isOff, name != TriageFile.defaultName || path != nil || access(name, F_OK) == 0 else {
      return nil
    }
    return try Triage(TriageFile(name), store)
  }
}
