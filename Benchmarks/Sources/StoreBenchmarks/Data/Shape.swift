/// The distribution of failures.
enum Shape: String, CaseIterable {
  /// 200 failures that recur.
  case few

  /// 10,000 equally common failures over 800 hours: few failures occur twice in an hour.
  case heavyTail

  var name: String {
    switch self {
    case .few: "200 failures"
    case .heavyTail: "10 000 failures"
    }
  }

  static let models: [Any.Type] = [Listing.self, Search.self, Profile.self, Booking.self]
  static let modelNames = models.map { String(reflecting: $0) }

  /// The number of values of each field of a model.
  var values: Int { failures / Self.models.count / Feed.fields.count }

  var failures: Int {
    switch self {
    case .few: 200
    case .heavyTail: 10_000
    }
  }
}
