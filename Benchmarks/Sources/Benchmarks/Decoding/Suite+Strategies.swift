extension Suite {
  static var strategies: Self {
    Self(
      title: "Strategies and key paths",
      caption: """
        As above, with the other wrappers. What is bad takes a default or is converted. A key path \
        is compared with a keyed container, of which it makes one each time.
        """,
      comparisons: [
        both("`ResilientDefault`, `String`", StrategyFields.Default.self, .requiredString),
        both("`ResilientElements`, `[Int]`", StrategyFields.Elements.self, .replacedIntegers),
        both("`ResilientLossless`, `Double`", StrategyFields.Number.self, .convertedNumber),
        both("`ResilientLossless`, `[Int]`", StrategyFields.Numbers.self, .convertedIntegers),
        both(
          "`ResilientLossless`, `ResilientDefault`", StrategyFields.NumberOrDefault.self,
          .convertedNumber),
        [
          .clean(
            "`=>`", StrategyFields.AtKeyPath.self, [("value", .requiredString)], target: nil)
        ],
      ].flatMap { $0 }
    )
  }
}
