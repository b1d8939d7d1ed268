import Foundation
import ResilientDecoding
import Testing

struct ErrorDigestTests {
  private static let json = #"""
    {
      "z": "1", "side": "novel", "kinds": ["flat", "novel", 5], "a": "2", "deep": {"b": []},
      "house": {"rooms": [{"kind": "novel"}]}, "mishap": [1]
    }
    """#

  @Test(arguments: Format.allCases)
  func `entries are in the order in which the errors occurred`(format: Format) throws {
    let (_, digest) = try format.decode(Listing.self, from: Self.json)
    #expect(
      digest?.reports == [
        "z: typeMismatch Int",
        "kinds[1]: unknownNovelValue Kind = novel",
        "kinds[2]: typeMismatch Kind",
        "side: unknownNovelValue Side = novel",
        "deep/b: typeMismatch Int",
        "house.rooms[0]/kind: unknownNovelValue Kind = novel",
        "mishap[0]: other Clumsy",
        "mood: keyNotFound Mood",
        "a: typeMismatch Int",
      ]
    )
  }

  @Test func `errors exclude novel values of types that are not frozen`() throws {
    let digest = try #require(try Format.json.decode(Listing.self, from: Self.json).1)
    let visible = [
      "typeMismatch", "typeMismatch", "dataCorrupted", "typeMismatch", "Mishap", "keyNotFound",
      "typeMismatch",
    ]
    #expect(digest.errors.map(nameOfCase) == visible)
    #expect(digest.errors(includeUnknownNovelValueErrors: false).map(nameOfCase) == visible)
    #expect(
      digest.errors(includeUnknownNovelValueErrors: true).map(nameOfCase) == [
        "typeMismatch", "UnknownNovelValueError", "typeMismatch", "dataCorrupted",
        "typeMismatch", "UnknownNovelValueError", "Mishap", "keyNotFound", "typeMismatch",
      ]
    )
    #expect(digest.errorCount == 9)
    #expect(digest.omissions.isEmpty)
  }

  @Test func `errors are the thrown errors themselves`() throws {
    let digest = try #require(try Format.json.decode(Listing.self, from: Self.json).1)
    let mishap = try #require(digest.errors.compactMap { $0 as? Mishap }.first)
    #expect(mishap.description == "fell over")
    #expect(digest.entries.first { $0.error is Mishap }?.message == "fell over")
  }

  @Test func `a digest of novel values has entries but no errors`() throws {
    let (_, digest) = try Format.json.decode(
      GenericModel<Kind?>.self,
      from: #"{"p": "novel"}"#
    )
    #expect(digest?.errors.isEmpty == true)
    #expect(digest?.entries.count == 1)
  }

  @Test func `entries of one failure are counted together`() throws {
    let (_, digest) = try Format.json.decode(
      GenericModel<[Kind]>.self,
      from: #"{"p": ["a", "b", "a", 1, 2, null]}"#
    )
    let failures = try #require(digest).entries.map(\.failure)
    #expect(Set(failures).count == 4)
    #expect(failures[0] == failures[2])
    #expect(failures[0] != failures[1])
    #expect(failures[3] == failures[4])
    #expect(failures[0].codingPath.description == "p[]")
    #expect(failures[0].kind == .unknownNovelValue)
    #expect(failures[0].expectedType == "ResilientDecodingTests.Kind")
    #expect(failures[0].novelValue?.text == "a")
    #expect(failures[0].novelValue?.type == "String")
  }

  @Test func `a digest and its parts are Sendable`() async throws {
    let (_, digest) = try Format.json.decode(Listing.self, from: Self.json)
    let paths = await Task.detached { digest?.paths.count }.value
    #expect(paths == 9)
  }
}

private struct Listing: Decodable {
  struct Deep: Decodable {
    let b: Int
  }

  struct House: Decodable {
    @Resilient var rooms: [Room]
  }

  struct Room: Decodable {
    let kind: Kind
  }

  @Resilient var z: Int?
  @Resilient var kinds: [Kind]
  @Resilient var side: Side?
  @Resilient var deep: Deep?
  let house: House
  @Resilient var mishap: [Clumsy]
  @Resilient var mood: Mood
  @Resilient var a: Int?
}
