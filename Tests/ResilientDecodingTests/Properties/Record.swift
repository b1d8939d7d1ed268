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
