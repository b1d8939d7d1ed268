import Foundation
import ResilientDocuments
import Testing

@testable import ResilientDecoding

/// Unknown keys of types that decode an object in other ways than a synthesized initializer.
struct ObjectKeysCustomDecodingTests {
  private enum Custom {
    struct ByNestedContainers: Decodable {
      enum Keys: CodingKey { case a, list }
      enum Inner: CodingKey { case x }

      init(from decoder: any Decoder) throws {
        let outer = try decoder.container(keyedBy: Keys.self)
        _ = try outer.nestedContainer(keyedBy: Inner.self, forKey: .a).decode(Int.self, forKey: .x)
        var list = try outer.nestedUnkeyedContainer(forKey: .list)
        while !list.isAtEnd {
          _ = try list.nestedContainer(keyedBy: Inner.self).decode(Int.self, forKey: .x)
        }
      }
    }

    struct BySuperDecoder: Decodable {
      enum Keys: CodingKey { case a }

      init(from decoder: any Decoder) throws {
        _ = try KeyReport.Listing.Room(
          from: decoder.container(keyedBy: Keys.self).superDecoder(forKey: .a))
      }
    }

    struct ByListing: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: DictionaryKey.self)
        for key in container.allKeys where key.stringValue.hasPrefix("x") {
          _ = try container.decode(Int.self, forKey: key)
        }
      }
    }

    struct Union: Decodable {
      struct First: Decodable { let a: Int }
      struct Second: Decodable { let b: Int }

      init(from decoder: any Decoder) throws {
        do { _ = try First(from: decoder) } catch {
          _ = try decoder.singleValueContainer().decode(Second.self)
        }
      }
    }

    struct Nothing: Decodable {}

    struct ByKeyPath: Decodable {
      let login: String
      init(from decoder: any Decoder) throws {
        let login: String = try decoder => "owner" => "login"
        self.login = login
      }
    }
  }

  @Test(arguments: Format.allCases)
  func `types with decoding of their own have unknown keys too`(format: Format) throws {
    func lines<T: Decodable>(_ type: T.Type, _ json: String) throws -> [String] {
      KeyReport.lines(try KeyReport.decode(type, json, .unknown, as: format).1)
    }
    #expect(
      try lines(
        Custom.ByNestedContainers.self,
        #"{"a": {"x": 1, "y": 2}, "list": [{"x": 1}, {"x": 1, "z": 1}], "b": 1}"#) == [
          "b unknownKey number 1", "a.y unknownKey number 2", "list[1].z unknownKey number 1",
        ])
    #expect(
      try lines(Custom.BySuperDecoder.self, #"{"a": {"size": 1, "y": 2}}"#)
        == ["a.y unknownKey number 2"])
    #expect(try lines(Custom.ByListing.self, #"{"x1": 1, "y": 2}"#) == [])
    #expect(
      try lines(Custom.Union.self, #"{"b": 1, "a": "x", "c": 3}"#) == ["c unknownKey number 3"])
    #expect(try lines(Custom.Nothing.self, #"{"a": 1}"#) == [])
    #expect(
      try lines(Custom.ByKeyPath.self, #"{"owner": {"login": "a", "age": 1}, "b": 2}"#) == [
        "b unknownKey number 2", "owner.age unknownKey number 1",
      ])
    #expect(
      try lines([String: KeyReport.Listing.Room].self, #"{"k": {"size": 1, "y": 2}}"#) == [
        "k.y unknownKey number 2"
      ])
    #expect(
      try lines(Resilient<[KeyReport.Listing.Room]>.self, #"[{"size": 1, "y": 2}]"#) == [
        "[0].y unknownKey number 2"
      ])
  }

  struct Owner: Decodable {
    let login: String
    let name: String
    let email: String
  }

  /// Types that read an object in several steps, or stop in the middle of one.
  private enum InParts {
    enum Keys: CodingKey { case owner, payload, items, login, age, type, z }

    struct Login: Decodable { let login: String }
    struct Age: Decodable { let age: Int }
    struct Image: Decodable {
      let type: String
      let a: Int
      let b: Int
    }

    struct TwoKeyPaths: Decodable {
      init(from decoder: any Decoder) throws {
        let _: String = try decoder => "owner" => "login"
        let _: Int = try decoder => "owner" => "age"
      }
    }

    /// Reads a discriminator, and then the value.
    struct ByDiscriminator: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        let payload = try container.nestedContainer(keyedBy: Keys.self, forKey: .payload)
        _ = try payload.decode(String.self, forKey: .type)
        _ = try container.decode(Image.self, forKey: .payload)
      }
    }

    struct BySuperDecoder: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        let payload = try container.superDecoder(forKey: .payload)
        _ = try payload.container(keyedBy: Keys.self).decode(String.self, forKey: .type)
        _ = try payload.singleValueContainer().decode(Image.self)
      }
    }

    struct Elements: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        var types = try container.nestedUnkeyedContainer(forKey: .items)
        var values = try container.nestedUnkeyedContainer(forKey: .items)
        while !types.isAtEnd {
          _ = try types.nestedContainer(keyedBy: Keys.self).decode(String.self, forKey: .type)
          _ = try values.decode(Image.self)
        }
      }
    }

    struct TwoTypes: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        _ = try container.decode(Login.self, forKey: .owner)
        _ = try container.decode(Age.self, forKey: .owner)
      }
    }

    /// Recovers from an error by itself.
    struct Safe<Value: Decodable>: Decodable {
      let value: Value?

      init(from decoder: any Decoder) throws {
        value = try? decoder.singleValueContainer().decode(Value.self)
      }
    }

    /// Stops at a version that it does not know, before it reads the other keys that it lists.
    struct Versioned: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        guard try container.decode(Int.self, forKey: .type) == 1 else { throw CancellationError() }
        _ = try container.decode(String.self, forKey: .login)
      }
    }

    class Base: Decodable { let base: Int }
    final class Derived: Base {
      let own: Int
      private enum Keys: CodingKey { case own }

      required init(from decoder: any Decoder) throws {
        own = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .own)
        try super.init(from: decoder)
      }
    }

    struct Owners: Decodable { @Resilient var owners: [String: Owner] }
    struct OneOwner: Decodable { @Resilient var owner: Owner? }
    struct OwnerList: Decodable { @Resilient var owners: [Owner] }

    struct First: Decodable {
      let owner: Login
      let z: Int
    }
    struct Second: Decodable { let owner: Login }
    struct Third: Decodable {
      let owner: Whole
      struct Whole: Decodable {
        let login: String
        let age: Int
      }
    }

    /// Tries one type after another.
    struct Either<One: Decodable, Other: Decodable>: Decodable {
      init(from decoder: any Decoder) throws {
        do {
          _ = try decoder.withReportingCheckpoint { try One(from: decoder) }
        } catch {
          _ = try decoder.withReportingCheckpoint { try Other(from: decoder) }
        }
      }
    }

    enum Search: Decodable {
      case search(q: String)
      case other(Int)
    }

    struct MayFailAtPath: Decodable {
      init(from decoder: any Decoder) throws {
        let _: Int = try decoder => "a"
        let _: Int? = try? decoder => "b"
      }
    }
  }

  /// Types that decode an object as several others, or places deep in it.
  private enum Mixed {
    enum Keys: CodingKey { case id, owner, address }

    /// Keeps the members that it does not know.
    struct WithRest: Decodable {
      init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .id)
        _ = try decoder.singleValueContainer().decode([String: DecodableDocument].self)
      }
    }

    struct WithDocument: Decodable {
      init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .id)
        _ = try DecodableDocument(from: decoder)
      }
    }

    struct Deep: Decodable {
      init(from decoder: any Decoder) throws {
        let _: String = try decoder => "meta" => "title"
        let _: Int? = try decoder => "meta" =>? "links" => "count"
      }
    }

    struct Branching: Decodable {
      init(from decoder: any Decoder) throws {
        let kind: Int = try decoder => "kind"
        guard kind == 1 else {
          let _: Int = try decoder => "a" => "p"
          return
        }
        let _: Int = try decoder => "a" => "b" => "q"
        let _: Int = try decoder => "gone"
        let _: Int = try decoder => "a" => "b" => "r"
      }
    }

    /// A name or an object.
    struct NameOrOwner: Decodable {
      init(from decoder: any Decoder) throws {
        if (try? decoder.singleValueContainer().decode(Kind.self)) != nil { return }
        _ = try InParts.Login(from: decoder)
      }
    }

    struct Owners: Decodable { @Resilient var owners: [String: Address] }

    struct Address: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        _ = try container.nestedContainer(keyedBy: Keys.self, forKey: .address)
        _ = try container.decode(Int.self, forKey: .id)
      }
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let type: any (Decodable & SendableMetatype).Type
    let json: String
    let lines: [String]

    init(_ type: any (Decodable & SendableMetatype).Type, _ json: String, _ lines: [String] = []) {
      (self.type, self.json, self.lines) = (type, json, lines)
    }

    var testDescription: String { "\(type) \(json)" }
  }

  private static let images = #"{"type": "image", "a": 1, "b": 2}"#

  @Test(
    arguments: [
      Row(InParts.TwoKeyPaths.self, #"{"owner": {"login": "a", "age": 1}}"#),
      Row(InParts.ByDiscriminator.self, #"{"payload": \#(images)}"#),
      Row(InParts.BySuperDecoder.self, #"{"payload": \#(images)}"#),
      Row(InParts.Elements.self, #"{"items": [\#(images), \#(images)]}"#),
      Row(InParts.TwoTypes.self, #"{"owner": {"login": "a", "age": 1}}"#),
      Row(
        InParts.TwoTypes.self, #"{"owner": {"login": "a", "age": 1, "x": 2}}"#,
        ["owner.x unknownKey number 2"]),
      // The model stops at the first error, and the library reads the value to explain it.
      Row(
        InParts.OneOwner.self, #"{"owner": {"login": 1, "name": "a", "email": "b"}}"#,
        ["owner.login typeMismatch String number 1"]),
      Row(
        InParts.OwnerList.self, #"{"owners": [{"login": 1, "name": "a", "email": "b"}]}"#,
        ["owners[0].login typeMismatch String number 1"]),
      Row(
        InParts.Owners.self, #"{"owners": {"k": {"login": "x", "email": "b"}}}"#,
        ["owners.k.name keyNotFound"]),
      Row(
        Resilient<Owner?>.self, #"{"login": "x", "email": "b"}"#, ["name keyNotFound"]),
      Row(InParts.Safe<Owner>.self, #"{"login": "x", "email": "b"}"#),
      Row(
        InParts.Safe<InParts.Versioned>.self, #"{"type": 2, "login": "a", "x": 1}"#,
        ["x unknownKey number 1"]),
      // It fails before its superclass asks for a key.
      Row(
        InParts.Safe<InParts.Derived>.self, #"{"own": "x", "base": 1}"#,
        ["base unknownKey number 1"]),
      Row(
        [InParts.Derived].self, #"[{"own": 1, "base": 1, "x": 2}]"#, ["[0].x unknownKey number 2"]),
      // Attempts that were discarded.
      Row(
        InParts.Either<InParts.First, InParts.Second>.self, #"{"owner": {"login": "a", "age": 1}}"#,
        ["owner.age unknownKey number 1"]),
      Row(
        InParts.Either<InParts.First, InParts.Third>.self, #"{"owner": {"login": "a", "age": 1}}"#),
      Row(
        InParts.Search.self, #"{"search": {"q": "x"}, "extra": 1}"#,
        ["extra unknownKey number 1"]),
      Row(InParts.MayFailAtPath.self, #"{"a": 1, "x": 2}"#, ["x unknownKey number 2"]),
      Row(
        InParts.MayFailAtPath.self, #"{"a": 1, "b": "y", "x": 2}"#, ["x unknownKey number 2"]),
      Row(DecodableDocument.self, #"{"a": {"b": [{"c": 1}]}}"#),
      Row(Mixed.WithRest.self, #"{"id": 1, "x": 2, "y": {"z": 1}}"#),
      Row(Mixed.WithDocument.self, #"{"id": 1, "x": 2, "y": {"z": 1}}"#),
      Row(
        [Mixed.Deep].self,
        #"[{"meta": {"title": "a"}}, {"meta": {"title": "b", "links": {"count": 1, "x": 2}}}]"#,
        ["[1].meta.links.x unknownKey number 2"]),
      Row(
        Resilient<[Mixed.Branching]>.self,
        #"[{"kind": 1, "a": {"p": 1, "b": {"q": 1, "r": 2}}}, {"kind": 2, "a": {"p": 1}}]"#,
        ["[0].gone keyNotFound", "[0].a.b.r unknownKey number 2"]),
      Row(
        Mixed.NameOrOwner.self, #"{"login": "a", "x": 1}"#, ["x unknownKey number 1"]),
      Row(
        Mixed.Owners.self, #"{"owners": {"k": {"id": 1, "login": "a"}}}"#,
        ["owners.k.address keyNotFound", "owners.k.login unknownKey string \"a\""]),
    ], Format.allCases)
  func `a key is unknown if no type asks for it or lists it`(
    row: Row, format: Format
  ) throws {
    func lines<T: Decodable>(_ type: T.Type) throws -> [String] {
      KeyReport.lines(try KeyReport.decode(type, row.json, .unknown, as: format).1)
    }
    #expect(try lines(row.type) == row.lines)
  }

  @Test func `an array that ends early throws the error of a plain decode`() throws {
    struct Model: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        _ = try container.decode(Owner.self)
      }
    }
    let error = #expect(throws: DecodingError.self) {
      try KeyReport.decode(Model.self, "[]", .unknown)
    }
    guard case .valueNotFound(let type, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(ObjectIdentifier(type) == ObjectIdentifier(Owner.self))
  }
}
