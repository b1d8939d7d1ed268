/// The name that a push gives its store.
package struct SourceName {
  /// The requested name; nil for the store's name in the fleet.
  package let given: String?

  /// The name of a new store if none was requested.
  package let fallback: String

  /// Whether to use the name even if that renames the store, or another store has it.
  package let isTaken: Bool

  package init(given: String?, fallback: String, isTaken: Bool) {
    self.given = given
    self.fallback = fallback
    self.isTaken = isTaken
  }
}
