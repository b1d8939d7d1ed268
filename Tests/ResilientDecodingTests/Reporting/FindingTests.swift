import Foundation
import ResilientDecoding
import Testing

/// A missing key is one, by whichever method of a container it is decoded.
struct FindingTests {
  /// What the payload has under the key.
  enum State: String, CaseIterable, Sendable {
    case missing
    case null
    case wrongType

    func kind(of call: Call) -> ErrorDigest.Kind? {
      switch self {
      case .missing: call == .decodeIfPresent ? nil : .keyNotFound
      case .null: call == .decodeIfPresent ? nil : .valueNotFound
      case .wrongType: .typeMismatch
      }
    }

    func object(for call: Call) -> String {
      switch self {
      case .missing: #"{"other": 1}"#
      case .null: #"{"\#(call.key)": null}"#
      case .wrongType: #"{"\#(call.key)": "x"}"#
      }
    }
  }

  @Test(arguments: Call.allCases, State.allCases)
  func `a key is missing, null or of another type`(call: Call, state: State) throws {
    let json = #"{"p": [\#(state.object(for: call))]}"#
    for format in Format.allCases {
      #expect(
        try entries(GenericModel<[Box]>.self, json, call, in: format) == state.entries(of: call))
    }
    #expect(
      try entries(Foreignly<GenericModel<[Box]>>.self, json, call, in: .json)
        == state.entries(of: call))
  }

  @Test(arguments: Call.allCases, State.allCases)
  func `a full reporter counts the same failure`(call: Call, state: State) throws {
    let object = state.object(for: call)
    let reporter = ResilientDecodingErrorReporter(maximumEntries: 1)
    let userInfo: [CodingUserInfoKey: any Sendable] = [
      .resilientDecodingErrorReporter: reporter, .call: call,
    ]
    _ = try Format.json.decode(
      GenericModel<[Box]>.self, from: #"{"p": [\#(object), \#(object), \#(object)]}"#,
      userInfo: userInfo)
    let digest = reporter.flushReportedErrors()
    let failures = (digest?.entries.map(\.failure) ?? []) + (digest?.omissions.map(\.failure) ?? [])
    #expect(Set(failures.map(\.kind)) == Set([state.kind(of: call)].compactMap(\.self)))
    #expect(Set(failures).count == (state.kind(of: call) == nil ? 0 : 1))
  }

  private func entries<Model: Decodable>(
    _ model: Model.Type, _ json: String, _ call: Call, in format: Format
  ) throws -> [String] {
    let reporter = ResilientDecodingErrorReporter()
    _ = try format.decode(
      model, from: json,
      userInfo: [
        .resilientDecodingErrorReporter: reporter, .call: call, .foreign: ForeignDecoder.Log(),
      ])
    return reporter.flushReportedErrors()?.entries.map {
      "\($0.codingPath) at \($0.recoveryPath): \($0.kind), \($0.foundValue?.inWords ?? "nothing")"
    } ?? []
  }
}

extension FindingTests.State {
  fileprivate func entries(of call: Call) -> [String] {
    let found =
      switch self {
      case .missing: "nothing"
      case .null: "null"
      case .wrongType: #"string "x""#
      }
    return kind(of: call).map { ["p[0].\(call.key) at p[0]: \($0), \(found)"] } ?? []
  }
}

/// The methods of a keyed container that read a value.
enum Call: String, CaseIterable, Sendable {
  case decode
  case decodeIfPresent
  case nestedContainer
  case nestedUnkeyedContainer
  case superDecoderForKey
  case superDecoder

  var key: String { self == .superDecoder ? "super" : "key" }

  func read(_ container: KeyedDecodingContainer<AnyKey>) throws {
    let key = AnyKey(key)
    switch self {
    case .decode: _ = try container.decode(Int.self, forKey: key)
    case .decodeIfPresent: _ = try container.decodeIfPresent(Int.self, forKey: key)
    case .nestedContainer: _ = try container.nestedContainer(keyedBy: AnyKey.self, forKey: key)
    case .nestedUnkeyedContainer: _ = try container.nestedUnkeyedContainer(forKey: key)
    case .superDecoderForKey: _ = try Int(from: container.superDecoder(forKey: key))
    case .superDecoder: _ = try Int(from: container.superDecoder())
    }
  }
}

extension CodingUserInfoKey {
  fileprivate static let call = CodingUserInfoKey(rawValue: "call")!  // Never nil.
}

/// Reads its key by the call in the `userInfo`.
private struct Box: Decodable, Equatable {
  init(from decoder: any Decoder) throws {
    let call = try #require(decoder.userInfo[.call] as? Call)
    try call.read(decoder.container(keyedBy: AnyKey.self))
  }
}
