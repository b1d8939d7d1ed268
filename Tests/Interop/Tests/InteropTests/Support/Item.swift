import ResilientDecoding

/// A model with one property, `p`, of a type that is only known at run time.
struct GenericModel<Value: Decodable & Equatable & Sendable>: Decodable {
  @Resilient var p: Value
}

/// A required value in a required value.
struct Item: Decodable, Hashable {
  struct Address: Decodable, Hashable {
    let zip: Int
  }

  let id: Int
  let address: Address
}

extension Item {
  init(id: Int, zip: Int) {
    self.init(id: id, address: Address(zip: zip))
  }
}

enum MinusOne: DefaultValueProvider {
  static var defaultValue: Int { -1 }
}
