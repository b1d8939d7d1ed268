import ResilientDecoding

/// Models of one property each, plain and recovering.
enum OneField {
  enum OptionalField: ModelPair {
    struct Plain: Decodable, Hashable { var value: String? }
    struct Recovering: Decodable, Hashable { @Resilient var value: String? }
  }

  enum Scalars: ModelPair {
    struct Plain: Decodable, Hashable { var value: [Int] }
    struct Recovering: Decodable, Hashable { @Resilient var value: [Int] }
  }

  enum Structs: ModelPair {
    struct Plain: Decodable, Hashable { var value: [Point] }
    struct Recovering: Decodable, Hashable { @Resilient var value: [Point] }
  }

  enum WithFallback: ModelPair {
    struct Plain: Decodable, Hashable { var value: PlainKind }
    struct Recovering: Decodable, Hashable { @Resilient var value: Kind }
  }

  enum IntegersByName: ModelPair {
    struct Plain: Decodable, Hashable { var value: [String: Int] }
    struct Recovering: Decodable, Hashable { @Resilient var value: [String: Int] }
  }

  enum StringsByName: ModelPair {
    struct Plain: Decodable, Hashable { var value: [String: String] }
    struct Recovering: Decodable, Hashable { @Resilient var value: [String: String] }
  }

  enum StructsByName: ModelPair {
    struct Plain: Decodable, Hashable { var value: [String: Point] }
    struct Recovering: Decodable, Hashable { @Resilient var value: [String: Point] }
  }

  enum NestedIntegers: ModelPair {
    struct Plain: Decodable, Hashable { var value: [[Int]] }
    struct Recovering: Decodable, Hashable { @Resilient var value: [[Int]] }
  }
}
