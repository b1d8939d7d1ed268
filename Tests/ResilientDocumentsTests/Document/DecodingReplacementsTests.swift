import Foundation
import ResilientDecoding
import ResilientDocuments
import Testing

@testable import ResilientDecodingTests

/// Replaced decodings of types, for one decoder.
struct DecodingReplacementsTests {
  private static let payload = #"""
    {
      "one": "true", "none": null, "list": ["true", "false"],
      "deep": {"k": [["true", null], null]}, "set": ["true"], "model": {"on": true}
    }
    """#

  /// Decodes a Bool from text.
  private static var userInfo: [CodingUserInfoKey: any Sendable] {
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    userInfo.replaceDecoding(of: Bool.self) { decoder in try String(from: decoder) == "true" }
    return userInfo
  }

  @Test(arguments: Source.allCases)
  func `it applies in any nesting of collections and optionals`(source: Source) throws {
    let found = try source.read(Self.payload, userInfo: Self.userInfo) { decoder in
      let one: Bool = try decoder => "one"
      let maybe: Bool? = try decoder => "one"
      let none: Bool? = try decoder => "none"
      let absent: Bool? = try decoder =>? "absent"
      let list: [Bool] = try decoder => "list"
      let listOrNot: [Bool?]? = try decoder =>? "list"
      let deep: [String: [[Bool?]?]] = try decoder => "deep"
      let set: Set<Bool> = try decoder => "set"
      let all: [String: DecodableDocument] = try decoder => []
      return "\(one) \(maybe as Any) \(none as Any) \(absent as Any) \(list) "
        + "\(listOrNot as Any) \(deep) \(set) \(all.count)"
    }
    #expect(
      found == """
        true Optional(true) nil nil [true, false] \
        Optional([Optional(true), Optional(false)]) \
        ["k": [Optional([Optional(true), nil]), nil]] [true] 6
        """
    )
  }

  @Test(arguments: Source.allCases)
  func `a document keeps the replacements`(source: Source) throws {
    let found = try source.read(Self.payload, userInfo: Self.userInfo) { decoder in
      let document: DecodableDocument = try decoder => "deep"
      return try document => "k" as [[Bool?]?]
    }
    #expect(found == [[true, nil], nil])
  }

  @Test(arguments: Source.allCases)
  func `it does not apply inside a type with its own initializer`(source: Source) throws {
    struct Model: Decodable, Sendable { let on: Bool }
    let found = try source.read(Self.payload, userInfo: Self.userInfo) { decoder in
      try decoder => "model" as Model
    }
    #expect(found.on)
  }

  @Test(arguments: Source.allCases)
  func `without a replacement a type is decoded as usual`(source: Source) {
    let found = outcome {
      try source.read(Self.payload) { decoder in try decoder => "list" as [Bool] }
    }
    #expect(found == #"typeMismatch at list[0]: expected Bool, found "true""#)
  }

  @Test(arguments: Source.allCases)
  func `a closure can decode the type in the usual way`(source: Source) throws {
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    userInfo.replaceDecoding(of: Bool.self) { decoder in try !Bool(from: decoder) }
    userInfo.replaceDecoding(of: [Int].self) { decoder in try [Int](from: decoder).reversed() }
    let found = try source.read(#"{"a": [true, false], "b": [[1, 2]]}"#, userInfo: userInfo) {
      decoder in
      let booleans: [Bool] = try decoder => "a"
      let numbers: [[Int]] = try decoder => "b"
      return "\(booleans) \(numbers)"
    }
    #expect(found == "[false, true] [[2, 1]]")
  }

  @Test(arguments: Source.allCases)
  func `an error of the closure has its path`(source: Source) {
    let found = outcome {
      try source.read(#"{"a": {"k": [true]}}"#, userInfo: Self.userInfo) { decoder in
        try decoder => "a" as [String: [Bool]]
      }
    }
    #expect(found == "typeMismatch at a.k[0]: expected String, found true")
  }

  @Test func `the last replacement for a type applies and others remain`() throws {
    var userInfo = Self.userInfo
    userInfo.replaceDecoding(of: Int.self) { _ in 7 }
    userInfo.replaceDecoding(of: Bool.self) { _ in false }
    let found = try Source.json.read(Self.payload, userInfo: userInfo) { decoder in
      "\(try decoder => "one" as Bool) \(try decoder => "one" as Int)"
    }
    #expect(found == "false 7")
  }

  @Test func `it can be installed in a dictionary of any values`() throws {
    var userInfo: [CodingUserInfoKey: Any] = [:]
    userInfo.replaceDecoding(of: Int.self) { _ in 8 }
    userInfo.replaceDecoding(of: Bool.self) { _ in true }
    let decoder = Carrying(userInfo: userInfo)
    let found: Int = try decoder => []
    let other: Bool = try decoder => []
    #expect(found == 8)
    #expect(other)
  }

  @Test(arguments: [false, true])
  func `a decoder's strategy for a type still applies`(isReplacing: Bool) throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    if isReplacing { decoder.userInfo = Self.userInfo }
    let dates = try decoder.decode(Dates.self, from: Data(#"{"dates": [5], "url": "a:b"}"#.utf8))
    #expect(dates.dates == [Date(timeIntervalSince1970: 5)])
    #expect(dates.url == URL(string: "a:b"))
  }
}

private struct Dates: Decodable {
  let dates: [Date]
  let url: URL?

  init(from decoder: any Decoder) throws {
    let dates: [Date] = try decoder => "dates"
    let url: URL? = try decoder => "url"
    self.dates = dates
    self.url = url
  }
}

/// A decoder with only a `userInfo`.
private struct Carrying: Decoder, SingleValueDecodingContainer {
  let userInfo: [CodingUserInfoKey: Any]
  var codingPath: [any CodingKey] { [] }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw Mishap(description: "no members")
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw Mishap(description: "no elements")
  }
  func decodeNil() -> Bool { false }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}
