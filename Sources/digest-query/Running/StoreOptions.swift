import ArgumentParser
import DigestFleet
import DigestStore
import ResilientPlatform

/// The store that a command uses.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The store, or the URL of a fleet (default: $DIGEST_STORE, else digests.sqlite here).",
      valueName: "path"
    ),
    completion: .file()
  )
  var store: String?

  func validate() throws {
    if store?.isEmpty == true { throw ValidationError("--store is empty: name a store") }
  }

  var path: String {
    store ?? ProcessInfo.processInfo.environment["DIGEST_STORE"].flatMap { $0.isEmpty ? nil : $0 }
      ?? Self.defaultPath
  }

  /// Whether someone has chosen the store.
  var isNamed: Bool { store != nil || path != Self.defaultPath }

  private static let defaultPath = "digests.sqlite"

  /// The store as messages show it, without a password.
  var name: String { FleetURL.isFleet(path) ? FleetURL.display(path) : path }

  /// Says which command to type next.
  func next(_ command: String) -> String {
    let option = store == nil ? "" : " " + name.shellQuoted(asValueOf: "--store")
    return "Next: digest-query \(command)\(option)"
  }

  /// The path of the store, for commands that need a file.
  var file: String {
    get throws {
      guard !FleetURL.isFleet(path) else {
        throw ExitFailure.usage("\(name) isn't a file; name the file of a store with --store PATH")
      }
      return path
    }
  }

  /// Opens the store for reading.
  ///
  /// - Throws: an ``ExitFailure`` that says how to name another store if this one does not exist.
  func openForReading() throws -> DigestReader {
    if FleetURL.isFleet(path) { return try FleetURL.connect(path).reader() }
    do {
      return try DigestReader(path: path)
    } catch let error as DigestStoreError where error.code == .noSuchStore {
      throw ExitFailure.missing(
        "no such store: \(path); name one with --store PATH or in $DIGEST_STORE"
      )
    }
  }
}

extension StoreOptions {
  /// Finds the digest id that a text abbreviates; nil if there is none.
  ///
  /// - Throws: an ``ExitFailure`` of usage if there is more than one such id.
  func wholeID(_ text: String, in store: DigestReader) throws -> String? {
    let found = try store.digestIDs(abbreviatedAs: text, limit: 3)
    guard found.count < 2 else {
      let some = found.prefix(2).joined(separator: ", ")
      throw ExitFailure.usage(
        "digest \(text) may be \(some)\(found.count > 2 ? " or others" : ""); write more of the id")
    }
    return found.first
  }

  /// The failure for an id that the store does not have, with status 66.
  func noDigest(_ id: String) -> ExitFailure {
    ExitFailure.missing(
      "no digest \(id) in \(name): it may have been evicted and is still counted then; "
        + "digest-query digests lists the digests that are left")
  }
}
