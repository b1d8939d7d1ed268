import ResilientDecoding
import Testing

/// Scalars that are not converted, because the value would change.
struct ScalarConversionTests {
  @Test(arguments: Format.allCases, ["1e400", "-1e400"])
  func `a number in a string too large for its type does not become infinity`(
    format: Format,
    number: String
  ) throws {
    let (model, digest) = try format.decode(Prices.self, from: #"{"prices": ["\#(number)", "1"]}"#)
    #expect(model.prices == [1])
    #expect(
      digest?.reports == [
        Report("prices[0]", pattern: "prices[]", .typeMismatch, expecting: "Double"),
        Report("prices[1]", pattern: "prices[]", .converted, expecting: "Double"),
      ]
    )
  }
}

private struct Prices: Decodable {
  @ResilientLossless var prices: [Double]
}
