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

  @Flag(help: "Include ignored and resolved failures; their rows then have a column state.")
  var all = false

  /// Compares the decisions with a store. Without a file there are none.
  ///
  /// - Throws: an ``ExitFailure`` if a file that is named does not exist, or has a bad line.
  func triage(of store: DigestReader) throws -> Triage {
    try Self.triage(in: file, of: store, listingAll: all)
  }

  /// Compares the decisions of a file with a store. Without a file there are none.
  static func triage(
    in option: TriageFileOption, of store: DigestReader, listingAll all: Bool = true
  ) throws -> Triage {
    let name = option.name
    let isThere =
      name != TriageFile.defaultName || option.path != nil || access(name, F_OK) == 0
    let file = try isThere ? TriageFile(name) : TriageFile(path: name, decisions: [])
    return try Triage(file, store, listingAll: all)
  }
}
