package import ResilientPlatform

/// A store that pushes to a fleet, and what has arrived of it.
package struct FleetSource: Sendable, Hashable {
  /// The name to list it by.
  package let name: String

  /// 32 hexadecimal digits that no other store has.
  package let identity: String
  package let occurrences: Int
  package let digests: Int

  /// When the last digest that has arrived was recorded; nil if none has.
  package let lastRecordedAt: Date?

  /// When it last pushed.
  package let lastPushedAt: Date

  /// The seconds since its last push, by the server's clock.
  package let lag: Double

  /// The role that owns it and pushes it.
  package let role: String
}

/// A store that a fleet has forgotten.
package struct ForgottenSource: Sendable {
  /// The store, as it was.
  package let source: FleetSource

  /// The number of its errors that stay counted, because the sums of all stores include them.
  package let remaining: Int
}

extension FleetSource {
  /// Returns the only store of some.
  ///
  /// - Parameters:
  ///   - name: what the stores were looked for by.
  ///   - fleet: the fleet, for messages.
  static func only(of found: [FleetSource], named name: String, in fleet: String) throws -> Self {
    // A store may have the identity of another one as its name.
    if let only = found.first(where: { $0.identity == name }) { return only }
    guard let first = found.first else { throw FleetError.noSuchSource(in: fleet) }
    guard found.count == 1 else {
      throw FleetError(
        .nameConflict,
        "\(fleet) has \(found.count) stores of the name \(name): give the identity of one, which "
          + "digest-query sources lists")
    }
    return first
  }
}

extension FleetError {
  /// The error for a name that no store of a fleet has.
  static func noSuchSource(in fleet: String) -> Self {
    Self(
      .missing,
      "\(fleet) has no store of that name; digest-query sources lists those that there are")
  }
}
