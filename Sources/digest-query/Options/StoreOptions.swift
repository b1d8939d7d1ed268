import ArgumentParser
import DigestStore

#if PostgreSQL
  import DigestFleet
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where the store is.
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

  /// Whether a store is a fleet on a server, and no file.
  static func isFleet(_ path: String) -> Bool {
    path.hasPrefix("postgresql://") || path.hasPrefix("postgres://")
  }

  /// Where the store is, for messages: without the password that a URL may have.
  var displayPath: String {
    #if PostgreSQL
      if Self.isFleet(path) { return FleetURL.display(path) }
    #endif
    return path
  }

  /// The path of a store that has to be a file: one that can be changed.
  var file: String {
    get throws {
      guard !Self.isFleet(path) else {
        throw Failure.usage(
          "this command needs a store file, not a fleet: name a file with --store PATH"
        )
      }
      try checkSource()
      return path
    }
  }

  /// Checks that nobody chooses among the stores of what is one store.
  private func checkSource() throws {
    guard source != nil else { return }
    throw Failure.usage(
      "--source selects stores of a fleet: name a fleet with --store postgresql://, or leave it "
        + "out")
  }

  /// Opens a store that has to be a file to read it.
  func openFileForReading() throws -> DigestStore {
    _ = try file
    return try openForReading()
  }

  /// Opens the store to read it.
  ///
  /// - Throws: a ``Failure`` that says how to name another store when there is none.
  func openForReading() throws -> DigestStore {
    if Self.isFleet(path) {
      #if PostgreSQL
        return try Fleet.mappingErrors { try Fleet.store(at: path, of: source) }
      #else
        throw Failure.withoutPostgreSQL
      #endif
    }
    try checkSource()
    do {
      return try DigestStore(readingFrom: path)
    } catch let error as DigestStoreError where error.code == .noSuchStore {
      throw Failure.missing(
        "no such store: \(path); name one with --store PATH or in $DIGEST_STORE"
      )
    }
  }
}
