import Foundation
import ResilientDecoding
import Testing

struct UnknownNovelValueErrorTests {
  @Test func `it carries any value and describes it`() throws {
    let error = UnknownNovelValueError(novelValue: 12)
    #expect(error.novelValue as? Int == 12)
    #expect(String(describing: error) == #"Unknown novel value "12""#)
  }

  @Test(arguments: Format.allCases)
  func `a custom initializer can throw it`(format: Format) throws {
    let (street, digest) = try format.decode(
      Street.self,
      from: #"{"houses": ["No 1", "2", "No 3"], "byName": {"a": "5"}}"#
    )
    #expect(street.houses.map(\.number) == ["1", "3"])
    #expect(street.byName.isEmpty)
    #expect(
      digest?.reports == [
        "houses[1]: unknownNovelValue House = 2", "byName{a}: unknownNovelValue House = 5",
      ])
    #expect(digest?.errors.isEmpty == true)
    let values = digest?.errors(includeUnknownNovelValueErrors: true).map {
      ($0 as? UnknownNovelValueError)?.novelValue as? String
    }
    #expect(values == ["2", "5"])
  }

  @Test func `the path of an enclosing error is used`() throws {
    let (box, digest) = try Format.json.decode(
      GenericModel<[Wrapping]>.self,
      from: #"{"p": [{"n": 1}]}"#
    )
    #expect(box.p.isEmpty)
    #expect(
      digest?.reports == [
        "p[0]/n: unknownNovelValue = 1: Int"
      ]
    )
    #expect(digest?.errors.map(nameOfCase) == ["dataCorrupted"])
  }
}

private struct Street: Decodable {
  @Resilient var houses: [House]
  @Resilient var byName: [String: House]
}

private struct House: Decodable {
  let number: String

  init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    guard text.hasPrefix("No ") else { throw UnknownNovelValueError(novelValue: text) }
    number = String(text.dropFirst(3))
  }
}

private struct Wrapping: Decodable, Equatable {
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    let number = try container.decode(Int.self, forKey: AnyKey("n"))
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath + [AnyKey("n")],
        debugDescription: "no",
        underlyingError: UnknownNovelValueError(novelValue: number)
      )
    )
  }
}
