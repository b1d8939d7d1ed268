extension Suite {
  static var wrappers: Self {
    Self(
      title: "One property at a time",
      caption: """
        10,000 items of one `@Resilient` property, clean and with a fault in each tenth, against a \
        plain property on the clean payload. A result is wrong when not all that is good was kept.
        """,
      comparisons: [
        both("`String?`", OneField.OptionalField.self, .optionalString),
        both("`[Int]`", OneField.Scalars.self, .integers),
        both("`[Struct]`", OneField.Structs.self, .structs),
        both("enum with a fallback", OneField.WithFallback.self, .kind),
        both("`[String: Int]`", OneField.IntegersByName.self, .integersByName, clean: 1.10),
        both("`[String: String]`", OneField.StringsByName.self, .stringsByName, clean: 1.10),
        both("`[String: Struct]`", OneField.StructsByName.self, .structsByName, clean: 1.10),
        both("`[[Int]]`", OneField.NestedIntegers.self, .nestedIntegers),
      ].flatMap { $0 }
    )
  }

  /// The two comparisons that each wrapper has to stand.
  static func both<Models: ModelPair>(
    _ name: String,
    _ models: Models.Type,
    _ field: Field,
    clean target: Double = 1.05
  ) -> [Comparison] {
    [
      .clean("\(name), clean", models, [("value", field)], target: target),
      .damaged("\(name), 10 % bad", models, [("value", field)], target: 1.6),
    ]
  }
}
