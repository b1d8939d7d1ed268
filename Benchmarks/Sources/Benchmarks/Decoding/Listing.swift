import ResilientDecoding

/// An item of seven fields: the workload that the required ratios are about.
enum Listing: ModelPair {
  struct Plain: Decodable, Hashable {
    let id: Int
    var title: String?
    var price: Double?
    var kind: PlainKind
    var amenities: [String]
    var ratings: [Int]
    var rooms: [String: Int]
  }

  struct Recovering: Decodable, Hashable {
    let id: Int
    @Resilient var title: String?
    @Resilient var price: Double?
    @Resilient var kind: Kind
    @Resilient var amenities: [String]
    @Resilient var ratings: [Int]
    @Resilient var rooms: [String: Int]
  }

  static let fields: [(name: String, field: Field)] = [
    ("title", .optionalString), ("price", .optionalNumber), ("kind", .kind),
    ("amenities", .strings), ("ratings", .integers), ("rooms", .integersByName),
  ]
}
