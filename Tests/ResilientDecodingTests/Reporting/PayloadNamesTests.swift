import Foundation
import ResilientDecoding
import Testing

/// The names in paths of keys that `convertFromSnakeCase` converts.
struct PayloadNamesTests {
  static let payloads: [(json: String, paths: [String])] = [
    // Nested, in an array, an acronym, digits, underscores at the ends.
    (#"{"home_page": 7}"#, ["home_page"]),
    (#"{"all_items": [{"item_id": 1}, {"item_id": "x"}]}"#, ["all_items[1].item_id"]),
    (#"{"image_url": 7}"#, ["image_url"]),
    (#"{"line_2_text": 7}"#, ["line_2_text"]),
    (#"{"_private_name_": 7}"#, ["_private_name_"]),
    // Names that the conversion does not change.
    (#"{"homePage": 7}"#, ["homePage"]),
    (#"{"plain": 7}"#, ["plain"]),
    // In any notation: escapes, spaces, a string that equals a key.
    (#"{"home\u005fpage"  :  7}"#, ["home_page"]),
    (#"{"plain": "\"home_page\": \"", "homePage": 7}"#, ["homePage"]),
    // Two spellings: the one that was read is unknown.
    (#"{"home_page": 7, "homePage": 7}"#, ["homePage"]),
    (#"{"home_page": 7, "other": {"homePage": 1}}"#, ["homePage"]),
    // The keys of a dictionary are not converted.
    (#"{"by_name": {"a_b": "x", "cD": "x"}}"#, ["by_name.a_b", "by_name.cD"]),
    (#"{"by_name": {"home_page": "x"}, "home_page": 7}"#, ["home_page", "by_name.home_page"]),
    // A missing key, as other objects spell it, or in snake case.
    (#"{"all_items": [{"itemId": 1}, {}]}"#, ["all_items[1].itemId"]),
    (#"{"all_items": [{}]}"#, ["all_items[0].item_id"]),
    // A key that no name is converted to.
    (#"{"acronyms": [{}]}"#, ["acronyms[0].someURL"]),
  ]

  @Test(arguments: payloads)
  func `a path has the payload's name if it is unambiguous`(
    json: String,
    paths: [String]
  ) throws {
    let (_, digest) = try decoder().decode(
      Model.self, from: Data(json.utf8), reportResilientDecodingErrors: true)
    #expect(digest?.paths == paths)
  }

  @Test func `the tree has the names of the paths`() throws {
    let (_, digest) = try decoder().decode(
      Model.self, from: Data(#"{"all_items": [{"item_id": 1}, {}]}"#.utf8),
      reportResilientDecodingErrors: true)
    #expect(
      digest?.debugDescription == """
        all_items
          Index 1
            - Found no key "item_id"
        """)
    #expect(digest?.entries.map(\.recoveryPath.description) == ["all_items[1]"])
  }

  @Test func `counted errors have the payload's names too`() throws {
    let items = Array(repeating: #"{"item_id": "x"}"#, count: 1_200).joined(separator: ",")
    let (_, digest) = try decoder().decode(
      Model.self, from: Data(#"{"all_items": [\#(items)]}"#.utf8),
      reportResilientDecodingErrors: true)
    #expect(digest?.omissions.map(\.failure.codingPath.description) == ["all_items[].item_id"])
    #expect(digest?.omissions.map(\.failure) == digest.map { [$0.entries[0].failure] })
    #expect(digest?.errorCount == 1_200)
  }

  @Test func `a throwing call passes the names on`() throws {
    let reporter = ResilientDecodingErrorReporter()
    #expect(throws: DecodingError.self) {
      try reporter.collectErrors {
        try decoder().decode(
          Strict.self, from: Data(#"{"home_page": 7}"#.utf8), reportResilientDecodingErrors: true)
      }
    }
    #expect(reporter.flushReportedErrors()?.paths == ["home_page", "some_id"])
  }

  static let notations: [(text: String, isJSON5: Bool)] = [
    (#"{"all_items": [{"item_id": 1}, {"item_id": "x"}], "home_page": 7, "über_maß": 1}"#, false),
    (#"{"all\u005fitems": [{"\u0069tem_id": 1}, {"item_id": "x"}], "home_page": 7}"#, false),
    (#"{all_items: [{item_id: 1}, {item_id: 'x'},], home_page: 7}"#, true),
    (#"{'all_items': [{'item_id': 1}, {"item_id": 'x'}], /* "homePage": */ 'home_page': 7}"#, true),
    (
      #"{'all\u005fitems': [{'item\x5fid': +1}, {'item_id': 'x'}], home_page: .7} // homePage: 1"#,
      true
    ),
  ]

  @Test(
    arguments: notations,
    [
      String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian,
      .utf32BigEndian,
    ])
  func `the encoding and the notation of a payload do not matter`(
    notation: (text: String, isJSON5: Bool),
    encoding: String.Encoding
  ) throws {
    let decoder = decoder()
    for allowsJSON5 in notation.isJSON5 ? [true] : [false, true] {
      decoder.allowsJSON5 = allowsJSON5
      let (_, digest) = try decoder.decode(
        Model.self, from: try #require(notation.text.data(using: encoding)),
        reportResilientDecodingErrors: true)
      #expect(digest?.paths == ["home_page", "all_items[1].item_id"])
    }
  }

  @Test func `a payload may lack the braces of its object`() throws {
    let decoder = decoder()
    decoder.assumesTopLevelDictionary = true
    let (_, digest) = try decoder.decode(
      Model.self, from: Data(#""home_page": 7"#.utf8), reportResilientDecodingErrors: true)
    #expect(digest?.paths == ["home_page"])
  }

  static let others = [
    "null", "true", "1e400", #""\ud800""#, "[1, \"a\", null, [], {}, false, 1e400]",
    #"{"\ud800": 1}"#, "[[1, 2], [[3], [4]], {}]", #""a: \" /* b: ""#,
    String(repeating: "[", count: 300) + String(repeating: "]", count: 300),
  ]

  @Test(arguments: others)
  func `values of all kinds can be between the keys`(other: String) throws {
    let json = #"{"x_y": \#(other), "z": [\#(other), {"a_b": \#(other)}], "home_page": 7}"#
    let (_, digest) = try decoder().decode(
      Model.self, from: Data(json.utf8), reportResilientDecodingErrors: true)
    #expect(digest?.paths == ["home_page"])
  }

  /// A key whose name is unknown keeps the decoder's form.
  @Test(arguments: [
    "a custom strategy", "no strategy", "a closure",
  ])
  func `the model's name stays where the payload's is not known`(reason: String) throws {
    let decoder = decoder()
    var data = Data(#"{"home_page": 7}"#.utf8)
    switch reason {
    case "a custom strategy":
      decoder.keyDecodingStrategy = .custom {
        $0[$0.count - 1].stringValue == "home_page" ? AnyKey("homePage") : $0[$0.count - 1]
      }
    case "no strategy":
      decoder.keyDecodingStrategy = .useDefaultKeys
      data = Data(#"{"homePage": 7}"#.utf8)
    default: break
    }
    let digest: ErrorDigest?
    if reason == "a closure" {
      let reporter = ResilientDecodingErrorReporter()
      _ = try reporter.collectErrors { try decoder.decode(Model.self, from: data) }
      digest = reporter.flushReportedErrors()
    } else {
      digest = try decoder.decode(Model.self, from: data, reportResilientDecodingErrors: true).1
    }
    #expect(digest?.paths == ["homePage"])
  }

  private func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }
}

private struct Model: Decodable {
  @Resilient var homePage: String?
  @Resilient var allItems: [Item]
  @Resilient var imageURL: String?
  @Resilient var line2Text: String?
  @Resilient var privateName: String?
  @Resilient var plain: String?
  @Resilient var byName: [String: Int]
  @Resilient var acronyms: [Acronym]

  struct Item: Decodable { let itemId: Int }
  struct Acronym: Decodable { let someURL: String }

  private enum CodingKeys: String, CodingKey {
    case homePage, allItems, line2Text, plain, byName, acronyms
    case imageURL = "imageUrl"
    case privateName = "_privateName_"
  }
}

private struct Strict: Decodable {
  @Resilient var homePage: String?
  let someId: Int
}
