import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

/// The names in paths of keys that `convertFromSnakeCase` converts.
struct PayloadNamesTests {
  static let payloads: [(json: String, paths: [String])] = [
    // Nested, in an array, an acronym, digits, underscores at the ends.
    (#"{"home_page": 7}"#, ["home_page"]),
    (#"{"all_items": [{"item_id": 1}, {"item_id": "x"}]}"#, ["all_items[1].item_id"]),
    (#"{"image_url": 7}"#, ["image_url"]),
    (#"{"_private_name_": 7}"#, ["_private_name_"]),
    (#"{"plain": 7}"#, ["plain"]),
    // The name follows from the key, however this payload spells it, and if it is missing.
    (#"{"homePage": 7}"#, ["home_page"]),
    (#"{"all_items": [{"itemId": 1}, {}]}"#, ["all_items[1].item_id"]),
    // The keys of a dictionary are not converted.
    (#"{"by_name": {"a_b": "x", "cD": "x"}}"#, ["by_name.a_b", "by_name.cD"]),
    // Keys that converting a name doesn't give back.
    (#"{"acronyms": [{}]}"#, ["acronyms[0].someURL"]),
    // Snake case has several names for this key.
    (#"{"line_2_text": 7}"#, ["line2_text"]),
  ]

  /// The ways to report, each with the errors of a decode.
  enum EntryPoint: CaseIterable {
    case call, closure, userInfo, document, observer

    func paths(decoding json: String, by decoder: JSONDecoder) throws -> [String] {
      let data = Data(json.utf8)
      let reporter = ResilientDecodingErrorReporter()
      switch self {
      case .call:
        return try decoder.decode(Model.self, from: data, reportResilientDecodingErrors: true).1?
          .paths
          ?? []
      case .closure:
        _ = try reporter.collectErrors { try decoder.decode(Model.self, from: data) }
      case .userInfo:
        decoder.userInfo[.resilientDecodingErrorReporter] = reporter
        _ = try decoder.decode(Model.self, from: data)
      case .document:
        decoder.userInfo[.reportsUnknownKeys] = true
        return try decoder.decode(Model.self, from: data, reportResilientDecodingErrors: true).1?
          .paths
          ?? []
      case .observer:
        let paths = Locked<[String]>([])
        let observation = ResilientDecodingErrorReporter.addObserver { entry in
          paths.withLock { $0.append(entry.codingPath.description) }
        }
        _ = try reporter.collectErrors { try decoder.decode(Model.self, from: data) }
        observation.remove()
        // Other tests report to the observer, too.
        let reported = reporter.flushReportedErrors()?.paths ?? []
        return reported.filter(paths.withLock { Set($0) }.contains)
      }
      return reporter.flushReportedErrors()?.paths ?? []
    }
  }

  @Test(arguments: payloads, EntryPoint.allCases)
  func `a path has the payload's names by whichever way it is reported`(
    row: (json: String, paths: [String]), entryPoint: EntryPoint
  ) throws {
    #expect(try entryPoint.paths(decoding: row.json, by: decoder()) == row.paths)
  }

  @Test func `the tree has the names of the paths`() throws {
    let (_, digest) = try decoder().decodeReporting(
      Model.self, #"{"all_items": [{"item_id": 1}, {}]}"#)
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
    let (_, digest) = try decoder().decodeReporting(Model.self, #"{"all_items": [\#(items)]}"#)
    #expect(digest?.omissions.map(\.failure.codingPath.description) == ["all_items[].item_id"])
    #expect(digest?.omissions.map(\.failure) == digest.map { [$0.entries[0].failure] })
    #expect(digest?.errorCount == 1_200)
  }

  @Test func `a throwing call passes the names on`() throws {
    let digest = digestOfThrowing {
      try decoder().decodeReporting(Strict.self, #"{"home_page": 7}"#)
    }
    #expect(digest?.paths == ["home_page", "some_id"])
  }

  @Test func `an unknown key has the payload's name`() throws {
    let decoder = decoder()
    decoder.userInfo[.reportsUnknownKeys] = true
    let (_, digest) = try decoder.decodeReporting(
      Model.self, #"{"new_key": 1, "all_items": [{"item_id": 1, "a_b": 2}]}"#)
    #expect(digest?.paths == ["new_key", "all_items[0].a_b"])
  }

  @Test func `a missing key that is asked for has the payload's name`() throws {
    let decoder = decoder()
    decoder.userInfo[.reportsMissingKeys] = true
    let (_, digest) = try decoder.decodeReporting(Strict.self, #"{"some_id": 1}"#)
    #expect(digest?.paths == ["home_page"])
  }

  /// A key whose name is unknown keeps the decoder's form.
  @Test(arguments: EntryPoint.allCases)
  func `the model's name stays with another strategy`(entryPoint: EntryPoint) throws {
    let decoder = decoder()
    decoder.keyDecodingStrategy = .custom {
      $0[$0.count - 1].stringValue == "home_page" ? AnyKey("homePage") : $0[$0.count - 1]
    }
    let json = #"{"home_page": 7}"#
    #expect(try entryPoint.paths(decoding: json, by: decoder) == ["homePage"])
    decoder.keyDecodingStrategy = .useDefaultKeys
    let camelCase = #"{"homePage": 7}"#
    #expect(try entryPoint.paths(decoding: camelCase, by: decoder) == ["homePage"])
  }

  private func decoder() -> JSONDecoder {
    let decoder = JSONDecoder.snakeCase
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
