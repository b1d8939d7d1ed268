import ArgumentParser
import DigestStore
import ResilientPlatform

/// The store that a command uses.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store (default: $DIGEST_STORE, else digests.sqlite here).",
      valueName: "path"
    ),
    completion: .file()
  )
  var store: String?

  var path: String {
    store ?? ProcessInfo.processInfo.environment["DIGEST_STORE"].flatMap { $0.isEmpty ? nil : $0 }
      ?? "digests.sqlite"
  }

  /// Opens the store for reading.
  ///
  /// - Throws: a ``Failure`` that says how to name another store if this one does not exist.
  func openForReading() throws -> DigestReader {
    do {
      return try DigestReader(path: path)
    } catch let error as DigestStoreError where error.code == .noSuchStore {
      throw Failure.missing(
        "no such store: \(path); name one with --store PATH or in $DIGEST_STORE"
      )
    }
  }
}
