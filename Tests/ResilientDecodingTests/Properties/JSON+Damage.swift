extension JSON {
  /// The payload with a fault in about one of `rarity` places.
  func damaged(rarity: Int, using random: inout some RandomNumberGenerator) -> JSON {
    let isHit = Int.random(in: 0..<rarity, using: &random) == 0
    switch self {
    case .array(let elements):
      var elements = elements.map { $0.damaged(rarity: rarity, using: &random) }
      guard isHit else { return .array(elements) }
      switch Int.random(in: 0..<3, using: &random) {
      case 0: return .anything(using: &random)
      case 1: return .object(["0": .array(elements)])
      default:
        let index = Int.random(in: 0...elements.count, using: &random)
        elements.insert(.anything(using: &random), at: index)
        return .array(elements)
      }
    case .object(let entries):
      var damaged: [String: JSON] = [:]
      for (name, value) in entries.sorted(by: { $0.key < $1.key }) {
        if Int.random(in: 0..<rarity * 2, using: &random) == 0 { continue }
        damaged[name] = value.damaged(rarity: rarity, using: &random)
      }
      guard isHit else { return .object(damaged) }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return .anything(using: &random)
      case 1: return .array([.object(damaged)])
      default:
        let name = Self.names.randomElement(using: &random)!
        // Two keys for one number would make the value random.
        let isNumbered = Int(name).map { number in damaged.keys.contains { Int($0) == number } }
        if isNumbered != true { damaged[name] = .anything(using: &random) }
        return .object(damaged)
      }
    default:
      return isHit ? .anything(using: &random) : self
    }
  }

  private static func anything(using random: inout some RandomNumberGenerator) -> JSON {
    switch Int.random(in: 0..<14, using: &random) {
    case 0...2: return .null
    case 3: return .boolean(Bool.random(using: &random))
    case 4: return .integer([0, 1, -1, 256, .max, .min].randomElement(using: &random)!)
    case 5: return .real([0.5, -2.25, 1e6 + 0.5].randomElement(using: &random)!)
    case 6: return .literal(NumberLiteral.all.randomElement(using: &random)!)
    case 7: return .array([])
    case 8: return .object([:])
    case 9: return .array([.null, .integer(7), .string("x"), .array([.null])])
    case 10: return .object(["a": .string("x"), "": .null, "super": .integer(7)])
    case 11: return deep(Int.random(in: 5...80, using: &random), using: &random)
    default: return .string(strings.randomElement(using: &random)!)
    }
  }

  private static func deep(_ depth: Int, using random: inout some RandomNumberGenerator) -> JSON {
    let isObject = Bool.random(using: &random)
    return (0..<depth).reduce(.null) { inner, _ in
      isObject ? .object(["children": .array([inner])]) : .array([inner])
    }
  }
}
