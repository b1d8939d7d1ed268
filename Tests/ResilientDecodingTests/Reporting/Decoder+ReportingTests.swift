import Foundation
import ResilientDecoding
import Testing

struct DecoderReportingTests {
  private static let expected = ["a: typeMismatch Int"]

  @Test func `a JSON decoder can be enabled`() throws {
    let decoder = JSONDecoder()
    let reporter: ResilientDecodingErrorReporter = decoder.enableResilientDecodingErrorReporting()
    _ = try decoder.decode(Model.self, from: Data(#"{"a": "x"}"#.utf8))
    #expect(reporter.flushReportedErrors()?.reports == Self.expected)
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func `a property list decoder can be enabled`(
    format: PropertyListSerialization.PropertyListFormat
  ) throws {
    let decoder = PropertyListDecoder()
    let reporter: ResilientDecodingErrorReporter = decoder.enableResilientDecodingErrorReporting()
    let data = try PropertyListSerialization.data(
      fromPropertyList: ["a": "x"],
      format: format,
      options: 0
    )
    _ = try decoder.decode(Model.self, from: data)
    #expect(reporter.flushReportedErrors()?.reports == Self.expected)
  }

  @Test func `a dictionary of sendable values can be enabled`() throws {
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    let reporter = userInfo.enableResilientDecodingErrorReporting()
    let decoder = JSONDecoder()
    decoder.userInfo = userInfo
    _ = try decoder.decode(Model.self, from: Data(#"{"a": "x"}"#.utf8))
    #expect(reporter.flushReportedErrors()?.reports == Self.expected)
  }

  @Test func `a dictionary of Any values can be enabled`() throws {
    var userInfo: [CodingUserInfoKey: Any] = [:]
    let reporter = userInfo.enableResilientDecodingErrorReporting()
    #expect(
      userInfo[.resilientDecodingErrorReporter] as? ResilientDecodingErrorReporter === reporter
    )
    var decoder = FakeDecoder(["x"])
    decoder.userInfo = userInfo
    _ = try Resilient<[Int]>(from: decoder)
    #expect(reporter.flushReportedErrors()?.paths == ["[0]"])
  }

  @Test(arguments: Format.allCases)
  func `a custom initializer can report the errors that it recovers from`(format: Format) throws {
    let (model, digest) = try format.decode(
      GenericModel<[Temperature]>.self,
      from: #"{"p": [{"degrees": 5}, {"degrees": "warm"}, {}, {"degrees": 900}]}"#
    )
    #expect(model.p.map(\.degrees) == [5, 0, 0, 0])
    #expect(
      digest?.reports == [
        "p[1]/degrees: typeMismatch Int",
        "p[2]/degrees: keyNotFound",
        "p[3]: other",
      ]
    )
    #expect(digest?.entries.last?.message == "too hot")
    #expect(digest?.errors.count == 3)
  }

  @Test func `reporting without a reporter does nothing`() throws {
    let model = try JSONDecoder().decode(
      GenericModel<[Temperature]>.self,
      from: Data(#"{"p": [{}, 5]}"#.utf8)
    )
    #expect(model.p.map(\.degrees) == [0, 0])
  }

  @Test func `another type under the reporter's key is ignored`() throws {
    let model = try Format.json.decode(
      Model.self,
      from: #"{"a": "x"}"#,
      userInfo: [.resilientDecodingErrorReporter: "x"]
    )
    #expect(model.a == nil)
  }
}

private struct Model: Decodable {
  @Resilient var a: Int?
}

/// Recovers with 0 degrees.
private struct Temperature: Decodable, Equatable {
  let degrees: Int

  private enum Keys: CodingKey {
    case degrees
  }

  init(from decoder: any Decoder) throws {
    do {
      let container = try decoder.container(keyedBy: Keys.self)
      let degrees = try container.decode(Int.self, forKey: .degrees)
      if degrees > 100 { throw Mishap(description: "too hot") }
      self.degrees = degrees
    } catch {
      decoder.reportError(error)
      degrees = 0
    }
  }
}
