import ArgumentParser
import DigestStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where the store is.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store; else $DIGEST_STORE, else digests.sqlite in this directory.",
      valueName: "path"
    ),
    completion: .file()
  )
  var store: String?

  var path: String {
    store ?? ProcessInfo.processInfo.environment["DIGEST_STORE"].flatMap { $0.isEmpty ? nil : $0 }
      ?? "digests.sqlite"
  }

  /// Opens the store to read it.
  ///
  /// - Throws: a ``Failure`` that says how to name another store when there is none.
  func openForReading() throws -> DigestStore {
    do {
      return try DigestStore(readingFrom: path)
    } catch let error as DigestStoreError where error.code == .noSuchStore {
      throw Failure(
        status: 66,  // EX_NOINPUT
        "no such store: \(path); name one with --store PATH or in $DIGEST_STORE"
      )
    }
  }
}
