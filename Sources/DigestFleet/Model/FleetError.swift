/// An error of a fleet: one line that names the problem and the remedy, and never a password.
package struct FleetError: Error, CustomStringConvertible {
  package enum Code: Sendable {
    /// This build cannot connect to a server.
    case unavailable
    /// The URL cannot be used.
    case invalidURL
    /// The server cannot be reached, or refuses the connection.
    case unreachable
    /// The database has no tables of a fleet.
    case notAFleet
    /// A database, a role or a store does not exist.
    case missing
    /// The role lacks a privilege, or the store belongs to another role.
    case notPermitted
    /// The store would be renamed, or its name belongs to another store.
    case nameConflict
    /// The database cannot have a fleet.
    case unsuitable
    /// The tables are of another version.
    case otherVersion
    /// The store does not descend from the one that was pushed.
    case unfit
    /// Counts of a store, or of the fleet, cannot be read.
    case damaged
    /// The server could not do it.
    case failed
  }

  package let code: Code
  package let description: String

  /// For ``Code/unfit``, the id of the last digest up to which the fleet has counted all digests of the
  /// file; nil if no such digest is known.
  package var lastCountedDigest: String?

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
