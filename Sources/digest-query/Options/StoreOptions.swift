import ArgumentParser
import DigestFleet
import DigestStore
import ResilientPlatform

/// The store that a command uses.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store or the URL of a fleet (default: $DIGEST_STORE, else digests.sqlite here).",
      valueName: "path"
    ),
    completion: .file()
  )
  var store: String?

  @Option(
    help: ArgumentHelp(
      "In a fleet, only the stores with this name; * and ? are wildcards.", valueName: "glob"))
  var source: String?

  var path: String {
    store ?? ProcessInfo.processInfo.environment["DIGEST_STORE"].flatMap { $0.isEmpty ? nil : $0 }
      ?? "digests.sqlite"
  }

  /// Whether the store is a fleet, and not a file.
  var isFleet: Bool { FleetURL.isFleet(path) }

  /// The path for messages, without the password of a URL.
  var displayPath: String {
    isFleet ? FleetURL.display(path) : path
  }

  /// The path of a store that must be a file, because the command changes it.
  var file: String {
    get throws {
      guard !isFleet else {
        throw Failure.usage(
          "this command needs a store file, not a fleet: name a file with --store PATH"
        )
      }
      try checkSource()
      return path
    }
  }

  /// Checks that `--source` is not used with a store file.
  private func checkSource() throws {
    guard source != nil else { return }
    throw Failure.usage(
      "--source selects stores of a fleet: name a fleet with --store URL, or leave it "
        + "out")
  }

  /// Opens a store that must be a file, for reading.
  func openFileForReading() throws -> DigestReader {
    _ = try file
    return try openForReading()
  }

  /// Opens a fleet for reading, with separate counts for each store.
  func openStoresOfFleet() throws -> DigestReader {
    guard isFleet else {
      throw Failure.usage(
        "--group source counts the stores of a fleet: name a fleet with --store URL, or "
          + "group by something else")
    }
    return try FleetURL.mappingErrors { try FleetURL.store(at: path, of: source ?? "*") }
  }

  /// Opens the store for reading.
  ///
  /// - Throws: a ``Failure`` that says how to name another store if this one does not exist.
  func openForReading() throws -> DigestReader {
    if isFleet {
      return try FleetURL.mappingErrors { try FleetURL.store(at: path, of: source) }
    }
    try checkSource()
    do {
      return try DigestReader(path: path)
    } catch let error as DigestStoreError where error.code == .noSuchStore {
      throw Failure.missing(
        "no such store: \(path); name one with --store PATH or in $DIGEST_STORE"
      )
    }
  }
}
