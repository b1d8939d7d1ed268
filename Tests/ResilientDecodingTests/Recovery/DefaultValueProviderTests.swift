import ResilientDecoding
import Testing

struct DefaultValueProviderTests {
  /// Documents without any of the keys, with null for each, and with values of the wrong type.
  static let documents: [(json: String, errors: Int)] = [
    ("{}", 0),
    (#"{"text": null, "whole": null, "half": null, "off": null, "on": null}"#, 0),
    (#"{"text": [], "whole": [], "half": [], "off": [], "on": [], "list": 1, "map": 1}"#, 7),
  ]

  @Test(arguments: documents, Format.allCases)
  func `there are providers for the most common defaults`(
    document: (json: String, errors: Int),
    format: Format
  ) throws {
    let (model, digest) = try format.decode(Defaults.self, from: document.json)
    #expect(
      model == Defaults(text: "", whole: 0, half: 0, off: false, on: true, list: [], map: [:]))
    #expect(digest?.errorCount ?? 0 == document.errors)
  }

  @Test(arguments: documents, Format.allCases)
  func `each provider has an optional form`(
    document: (json: String, errors: Int),
    format: Format
  ) throws {
    let (model, digest) = try format.decode(OptionalDefaults.self, from: document.json)
    #expect(
      model
        == OptionalDefaults(text: "", whole: 0, half: 0, off: false, on: true, list: [], map: [:])
    )
    #expect(digest?.errorCount ?? 0 == document.errors)
  }
}

private struct Defaults: Decodable, Equatable {
  @ResilientDefault<DefaultValue.EmptyString> var text: String
  @ResilientDefault<DefaultValue.Zero<Int>> var whole: Int
  @ResilientDefault<DefaultValue.Zero<Double>> var half: Double
  @ResilientDefault<DefaultValue.False> var off: Bool
  @ResilientDefault<DefaultValue.True> var on: Bool
  @ResilientDefault<DefaultValue.EmptyArray<Int>> var list: [Int]
  @ResilientDefault<DefaultValue.EmptyDictionary<Int>> var map: [String: Int]
}

private struct OptionalDefaults: Decodable, Equatable {
  @ResilientDefault<DefaultValue.EmptyString?> var text: String?
  @ResilientDefault<DefaultValue.Zero<Int>?> var whole: Int?
  @ResilientDefault<DefaultValue.Zero<Double>?> var half: Double?
  @ResilientDefault<DefaultValue.False?> var off: Bool?
  @ResilientDefault<DefaultValue.True?> var on: Bool?
  @ResilientDefault<DefaultValue.EmptyArray<Int>?> var list: [Int]?
  @ResilientDefault<DefaultValue.EmptyDictionary<Int>?> var map: [String: Int]?
}
