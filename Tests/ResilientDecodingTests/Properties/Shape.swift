import Foundation

/// A type as data, from which random models are built. The oracle interprets it.
indirect enum Shape: Hashable, Sendable {
  case integer
  case byte
  case double
  case boolean
  case string
  case raw(RawShape)
  /// An `Open` of raw values.
  case open(OpenShape)
  case optional(Shape)
  case array(Shape)
  case set(Shape)
  case dictionary(Shape)
  /// A dictionary whose keys are numbers.
  case numbered(Shape)
  /// A dictionary whose keys are open raw values.
  case opened(Shape)
  /// A `Resilient` that is not a property.
  case resilient(Shape)
  case record(RecordShape)
  case node
  case union
}

/// The types of raw values, by their treatment of novel values.
enum RawShape: String, CaseIterable, Hashable, Sendable {
  case kind
  case mood
  case side
  case coin

  var known: [String] {
    switch self {
    case .kind: ["flat", "house"]
    case .mood: ["calm", "unknown"]
    case .side: ["left", "right"]
    case .coin: ["heads", "edge"]
    }
  }

  var fallback: String? {
    switch self {
    case .mood: "unknown"
    case .coin: "edge"
    case .kind, .side: nil
    }
  }

  var isFrozen: Bool { self == .side || self == .coin }
}

/// The types of open raw values.
enum OpenShape: CaseIterable, Hashable, Sendable {
  case kind
  case side

  var raw: RawShape { self == .kind ? .kind : .side }
}

struct RecordShape: Hashable, Sendable {
  let hasOddNames: Bool
  let members: [Member]

  var names: [String] { hasOddNames ? OddNames.names : UsualNames.names }

  static let node = [
    ("children", Member(.resilient, .array(.node))),
    ("byName", Member(.resilient, .optional(.dictionary(.node)))),
    ("id", Member(.plain, .integer)),
  ]

  /// The members of a union, by its discriminator.
  static let union = [
    "flat": [
      ("floor", Member(.plain, .integer)), ("children", Member(.resilient, .array(.union))),
    ],
    "house": [("name", Member(.plain, .string))],
  ]
}

/// How a property is declared.
struct Member: Hashable, Sendable {
  enum Wrapper: String, CaseIterable, Hashable, Sendable {
    case plain
    case ifPresent
    case resilient
    case defaulted
    case elements
    case lossless
    case losslessDefaulted
    case losslessElements
  }

  let wrapper: Wrapper

  /// The type of the value; for `elements` that of an element, for `ifPresent` the wrapped type.
  let shape: Shape

  /// Whether the compiler knows the kind of value. In a generic model it does not.
  let isStatic: Bool

  init(_ wrapper: Wrapper, _ shape: Shape, isStatic: Bool = true) {
    self.wrapper = wrapper
    self.shape = shape
    self.isStatic = isStatic
  }
}

extension Shape: CustomStringConvertible {
  var description: String {
    switch self {
    case .integer: "Int"
    case .byte: "UInt8"
    case .double: "Double"
    case .boolean: "Bool"
    case .string: "String"
    case .raw(let raw): raw.rawValue.capitalized
    case .open(let open): "Open<\(open.raw.rawValue.capitalized)>"
    case .optional(let wrapped): "\(wrapped)?"
    case .array(let element): "[\(element)]"
    case .set(let element): "Set<\(element)>"
    case .dictionary(let value): "[String: \(value)]"
    case .numbered(let value): "[Int: \(value)]"
    case .opened(let value): "[Open<Kind>: \(value)]"
    case .resilient(let value): "Resilient<\(value)>"
    case .node: "Node"
    case .union: "Union"
    case .record(let record):
      "{"
        + zip(record.names, record.members)
        .map { "@\($1.wrapper)\($1.isStatic ? "" : "~") \($0.debugDescription): \($1.shape)" }
        .joined(separator: "; ") + "}"
    }
  }
}
