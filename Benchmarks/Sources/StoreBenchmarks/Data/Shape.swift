/// How failures are spread.
enum Shape: String, CaseIterable {
  /// 200 failures that come again and again.
  case few

  /// 10,000 failures over 800 hours, each as likely as any other: nearly every occurrence is a
  /// failure of its own in its hour.
  case heavyTail

  var name: String {
    switch self {
    case .few: "200 failures"
    case .heavyTail: "10 000 failures"
    }
  }

  static let models: [Any.Type] = [Listing.self, Search.self, Profile.self, Booking.self]
  static let modelNames = models.map { String(reflecting: $0) }

  /// The values of one model and field.
  var values: Int { failures / Self.models.count / Feed.fields.count }

  var failures: Int {
    switch self {
    case .few: 200
    case .heavyTail: 10_000
    }
  }
}
