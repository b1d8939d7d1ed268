import ResilientDecoding

/// A model with three properties, each declared in any way.
struct Record<Names: Naming, A: Field, B: Field, C: Field>: Specimen {
  let a: A.Value
  let b: B.Value
  let c: C.Value

  init(a: A.Value, b: B.Value, c: C.Value) {
    (self.a, self.b, self.c) = (a, b, c)
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    let names = Names.names.map { AnyKey($0) }
    a = try A.read(container, names[0])
    b = try B.read(container, names[1])
    c = try C.read(container, names[2])
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyKey.self)
    let names = Names.names.map { AnyKey($0) }
    try A.write(a, to: &container, names[0])
    try B.write(b, to: &container, names[1])
    try C.write(c, to: &container, names[2])
  }

  static var specimen: Self {
    Self(a: A.Value.specimen, b: B.Value.specimen, c: C.Value.specimen)
  }

  var plain: PlainValue {
    .object(Dictionary(uniqueKeysWithValues: zip(Names.names, [a.plain, b.plain, c.plain])))
  }
}

/// The names of a record's properties in the payload.
protocol Naming: Sendable {
  static var names: [String] { get }
}

enum UsualNames: Naming {
  static let names = ["a", "b", "c"]
}

/// Names that could be mistaken for other components of a path.
enum OddNames: Naming {
  static let names = ["", "Index 1", "super"]
}

/// A recursive model.
struct Node: Specimen {
  @Resilient var children: [Node]
  @Resilient var byName: [String: Node]?
  let id: Int

  static var specimen: Self { Self(children: [], byName: nil, id: 41) }

  var plain: PlainValue {
    .object(["children": children.plain, "byName": byName.plain, "id": id.plain])
  }
}

/// A recursive union, whose unknown members have no payload.
enum Union: Specimen {
  case flat(UnionFlat)
  case house(UnionHouse)
  case other(String)

  private enum CodingKeys: CodingKey { case type }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(Open<Kind>.self, forKey: .type) {
    case .known(.flat): self = .flat(try UnionFlat(from: decoder))
    case .known(.house): self = .house(try UnionHouse(from: decoder))
    case .unknown(let type): self = .other(type)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .flat(let flat):
      try container.encode(Kind.flat, forKey: .type)
      try flat.encode(to: encoder)
    case .house(let house):
      try container.encode(Kind.house, forKey: .type)
      try house.encode(to: encoder)
    case .other(let type): try container.encode(type, forKey: .type)
    }
  }

  static var specimen: Self { .other("novel") }

  var plain: PlainValue {
    switch self {
    case .flat(let flat):
      .object([
        "type": .string("flat"), "floor": flat.floor.plain, "children": flat.children.plain,
      ])
    case .house(let house): .object(["type": .string("house"), "name": house.name.plain])
    case .other(let type): .object(["type": .string(type)])
    }
  }
}

struct UnionFlat: Codable, Hashable {
  let floor: Int
  @Resilient var children: [Union]
}

struct UnionHouse: Codable, Hashable { let name: String }
