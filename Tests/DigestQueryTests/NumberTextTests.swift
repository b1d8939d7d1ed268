import Testing

@testable import digest_query

struct NumberTextTests {
  @Test(arguments: [
    (0, "0"), (1, "1"), (2.5, "2.5"), (0.3333, "0.333"), (0.0005, "0.001"), (0.00049, "0.0005"),
    (0.00012, "0.0001"), (0.00004, "0.00004"), (0.000_000_06, "0.00000006"), (0.000096, "0.0001"),
    (-0.0002, "-0.0002"), (1_000_000, "1000000"),
  ])
  func `only 0 is written as 0`(number: Double, text: String) {
    #expect(number.decimal == text)
  }

  @Test(
    arguments: [
      (0, "0"), (1, "1"), (0.004_612_3, "0.004612"), (1.0 / 3, "0.333333"), (0.000_046, "0.000046"),
      (0.000_000_4, "0.0000004"), (0.5, "0.5"),
    ] as [(Double, String)])
  func `a fraction has six decimals`(number: Double, text: String) {
    #expect(number.fraction == text)
  }
}
