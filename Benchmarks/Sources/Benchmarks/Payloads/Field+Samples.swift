extension Field {
  static let optionalString = Self(
    clean: { "A house by the sea, number \($0)" },
    damaged: { .integer($0) },
    remains: { _ in .null }
  )

  static let optionalNumber = Self(
    clean: { .number(Double($0) + 0.25) },
    damaged: { "\($0).25" },
    remains: { _ in .null }
  )

  static let kind = Self(
    clean: { .string(["house", "cabin", "tent"][$0 % 3]) },
    damaged: { _ in "villa" },
    remains: { _ in "unknown" }
  )

  static let strings = Self(
    clean: { ["wifi", "parking", "kitchen", "row \($0)"] },
    damaged: { ["wifi", .integer($0), "kitchen", "row \($0)"] },
    remains: { ["wifi", "kitchen", "row \($0)"] }
  )

  static let integers = Self(
    clean: { [.integer($0), 5, 4, 3, 5] },
    damaged: { [.integer($0), 5, "four", 3, 5] },
    remains: { [.integer($0), 5, 3, 5] }
  )

  static let structs = Self(
    clean: { [["x": .integer($0), "y": 1], ["x": 2, "y": 3], ["x": 4, "y": 5]] },
    damaged: { [["x": .integer($0), "y": 1], ["x": 2], ["x": 4, "y": 5]] },
    remains: { [["x": .integer($0), "y": 1], ["x": 4, "y": 5]] }
  )

  static let nestedIntegers = Self(
    clean: { [[.integer($0), 1], [2, 3], [4]] },
    damaged: { [[.integer($0), 1], [2, "three"], [4]] },
    remains: { [[.integer($0), 1], [2], [4]] }
  )

  static let integersByName = Self(
    clean: { ["beds": .integer($0), "baths": 1, "floors": 2] },
    damaged: { ["beds": .integer($0), "baths": "one", "floors": 2] },
    remains: { ["beds": .integer($0), "floors": 2] }
  )

  static let stringsByName = Self(
    clean: { ["city": "Oslo", "street": "Road \($0)", "country": "NO"] },
    damaged: { ["city": 7, "street": "Road \($0)", "country": "NO"] },
    remains: { ["street": "Road \($0)", "country": "NO"] }
  )

  static let structsByName = Self(
    clean: { ["a": ["x": .integer($0), "y": 1], "b": ["x": 2, "y": 3]] },
    damaged: { ["a": ["x": .integer($0), "y": 1], "b": ["x": 2]] },
    remains: { ["a": ["x": .integer($0), "y": 1]] }
  )
}
