/// The name that a push gives its store.
package struct SourceName {
  /// The requested name; nil for the store's name in the fleet.
  package let given: String?

  /// The name of a new store if none was requested, such as that of the machine.
  package let fallback: String

  /// Whether to use the name even if that renames the store, or another store has it.
  package let isTaken: Bool

  package init(given: String?, fallback: String, isTaken: Bool) {
    self.given = given
    self.fallback = fallback
    self.isTaken = isTaken
  }

  /// Checks that the push does not rename the store, or may do so.
  ///
  /// - Parameters:
  ///   - known: the store's name in the fleet.
  ///   - fleet: the fleet, for messages.
  func check(against known: String, in fleet: String) throws {
    guard let given, given != known, !isTaken else { return }
    throw FleetError(
      .nameConflict,
      "\(fleet) knows this store as \(known): leave --name out, or add --take-name to rename it; a copy "
        + "of its file is no store of its own")
  }

  /// The error for a name of a new store that another store has.
  ///
  /// - Parameter pushedAt: when that one last pushed, as text.
  static func conflict(
    over name: String, with identity: String, pushedAt: String, in fleet: String
  ) -> FleetError {
    FleetError(
      .nameConflict,
      "\(fleet) has another store of the name \(name) (identity \(identity), pushed \(pushedAt)): give "
        + "this one another with --name, or add --take-name if it takes that one's place")
  }
}
