import ResilientDecoding

/// The id of a digest that came from elsewhere, once the digest is gone.
///
/// The same file may be imported again, and must not be counted again: so a hash of the id stays,
/// in the place of the id. That two ids of a store have the same one is as good as impossible,
/// unless someone makes them so; then the second digest would not be imported.
enum ForeignID {
  /// About how much a shortened one takes, in the table and in its index.
  static let bytes = 40

  static func shortened(_ id: String) -> String {
    "#" + String(id.fnv1a, radix: 36)
  }
}
