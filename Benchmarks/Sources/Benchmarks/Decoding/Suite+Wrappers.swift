extension Suite {
  static var wrappers: Self {
    Self(
      title: "One wrapper at a time",
      caption: """
        10,000 items of one `@Resilient` property, clean and with a fault in each tenth, against a \
        plain property on the clean payload.
        """,
      comparisons: [
        both(
          "`T?`", OneField.OptionalField.Plain.self, OneField.OptionalField.Recovering.self,
          .optionalString),
        both("`[Int]`", OneField.Scalars.Plain.self, OneField.Scalars.Recovering.self, .integers),
        both("`[Struct]`", OneField.Structs.Plain.self, OneField.Structs.Recovering.self, .structs),
        both(
          "enum with a fallback", OneField.WithFallback.Plain.self,
          OneField.WithFallback.Recovering.self, .kind),
        both(
          "`[String: Int]`", OneField.IntegersByName.Plain.self,
          OneField.IntegersByName.Recovering.self, .integersByName),
        both(
          "`[String: String]`", OneField.StringsByName.Plain.self,
          OneField.StringsByName.Recovering.self, .stringsByName),
        both(
          "`[String: Struct]`", OneField.StructsByName.Plain.self,
          OneField.StructsByName.Recovering.self, .structsByName),
        both(
          "`[[Int]]`", OneField.NestedIntegers.Plain.self, OneField.NestedIntegers.Recovering.self,
          .nestedIntegers),
      ].flatMap { $0 }
    )
  }

  private static func both<Plain: Decodable & Hashable, Recovering: Decodable & Hashable>(
    _ name: String,
    _ plain: Plain.Type,
    _ recovering: Recovering.Type,
    _ field: Field
  ) -> [Comparison] {
    [
      .clean("\(name), clean", plain, recovering, [("value", field)]),
      .damaged("\(name), 10 % bad", plain, recovering, [("value", field)]),
    ]
  }
}
