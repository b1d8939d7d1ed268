/// The distribution of failures.
enum Shape: String {
  /// 200 failures that recur.
  case few

  /// 10,000 equally common failures over 800 hours: few failures occur twice in an hour.
  case heavyTail

  /// 80,000 failures in 80 contexts: nearly every count is 1.
  case wide

  /// The shapes of stores as apps have them.
  static let usual = [few, heavyTail]

  var name: String {
    switch self {
    case .few: "200 failures"
    case .heavyTail: "10 000 failures"
    case .wide: "80 000 failures, 80 contexts"
    }
  }

  static let models: [Any.Type] = [Listing.self, Search.self, Profile.self, Booking.self]
  static let modelNames = models.map { String(reflecting: $0) }

  /// The number of operations; each has all releases.
  var operations: Int { self == .wide ? 10 : 1 }

  /// The number of values of each field of a model.
  var values: Int { failures / Self.models.count / Feed.fields.count }

  var failures: Int {
    switch self {
    case .few: 200
    case .heavyTail: 10_000
    case .wide: 80_000
    }
  }
}
