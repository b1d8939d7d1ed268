import ArgumentParser
import DigestStore
import ResilientPlatform

/// The file of decisions on failures.
struct TriageFileOption: ParsableArguments {
  @Option(
    name: .customLong("triage"),
    help: ArgumentHelp(
      "The file of decisions (default: $DIGEST_TRIAGE, else digest-triage.ndjson here).",
      valueName: "file"),
    completion: .file()
  )
  var path: String?

  func validate() throws {
    if path?.isEmpty == true { throw ValidationError("--triage is empty: name a file") }
  }

  /// The file that is named, or the default one.
  var name: String {
    path ?? ProcessInfo.processInfo.environment["DIGEST_TRIAGE"].flatMap { $0.isEmpty ? nil : $0 }
      ?? TriageFile.defaultName
  }
}

/// The decisions that a report takes into account.
struct TriageOptions: ParsableArguments {
  @OptionGroup var file: TriageFileOption

  @Flag(name: .customLong("no-triage"), help: "Use no file of decisions.")
  var isOff = false

  func validate() throws {
    if isOff, file.path != nil { throw ValidationError("leave out --triage or --no-triage") }
  }

  /// Compares the decisions with a store; nil without a file.
  ///
  /// - Throws: an ``ExitFailure`` if a file that is named does not exist, or has a bad line.
  func triage(of store: DigestReader) throws -> Triage? {
    isOff ? nil : try Self.triage(in: file, of: store)
  }

  /// Compares the decisions of a file with a store; nil without a file.
  static func triage(in file: TriageFileOption, of store: DigestReader) throws -> Triage? {
    let name = file.name
    guard name != TriageFile.defaultName || file.path != nil || access(name, F_OK) == 0
    else { return nil }
    return try Triage(TriageFile(name), store)
  }
}
