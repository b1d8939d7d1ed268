import Foundation
import ResilientDecoding
import Testing

/// Models in a target whose default isolation is the main actor.
///
/// One form does not compile: a wrapper in a struct that is itself declared `nonisolated`
/// (`nonisolated struct Home { @Resilient var kind: Kind? }`).
struct DefaultIsolationTests {
  /// Decodes a form of the model, and returns its values and the errors.
  typealias Decode = @Sendable (Data) async throws -> Outcome

  nonisolated struct Outcome: Sendable, Equatable {
    var values: [String]
    var errors: [String]
  }

  nonisolated struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let decode: Decode

    init(_ testDescription: String, _ decode: @escaping Decode) {
      self.testDescription = testDescription
      self.decode = decode
    }
  }

  nonisolated static let forms = [
    Form("a struct of the main actor") { try await onMain($0, Isolated.self) },
    Form("a struct in a nonisolated enum, on the main actor") {
      try await onMain($0, Models.Nested.self)
    },
    Form("a struct in a nonisolated enum") { try await concurrently($0, Models.Nested.self) },
    Form("a struct in a nonisolated enum, read elsewhere") {
      try await readElsewhere($0, Models.Nested.self)
    },
    Form("a nonisolated class, on the main actor") { try await onMain($0, Class.self) },
    Form("a nonisolated class") { try await concurrently($0, Class.self) },
    Form("a nonisolated struct with constants, on the main actor") {
      try await onMain($0, Constants.self)
    },
    Form("a nonisolated struct with constants, read elsewhere") {
      try await readElsewhere($0, Constants.self)
    },
    Form("a nonisolated struct with constants") { try await concurrently($0, Constants.self) },
  ]

  @Test(arguments: forms)
  func `a clean payload is decoded, and read where it was decoded`(form: Form) async throws {
    let json = #"{"kind": "house", "rooms": 1, "state": "cabin", "size": "large"}"#
    #expect(
      try await form.decode(Data(json.utf8))
        == Outcome(values: ["house", "1", "cabin", "large"], errors: []))
  }

  @Test(arguments: forms)
  func `bad values have the same consequences in each form`(form: Form) async throws {
    let json = #"{"kind": "villa", "rooms": "x", "state": "sold", "size": "huge"}"#
    #expect(
      try await form.decode(Data(json.utf8))
        == Outcome(
          values: ["nil", "3", "sold", "small"],
          errors: [
            "kind unknownNovelValue MainActorTests.Kind", "rooms typeMismatch Int",
            "size unknownNovelValue MainActorTests.Size",
            "state unknownNovelValue MainActorTests.Kind",
          ]))
  }

  @Test(arguments: forms)
  func `missing keys have the same consequences in each form`(form: Form) async throws {
    #expect(
      try await form.decode(Data(#"{"state": "house"}"#.utf8))
        == Outcome(
          values: ["nil", "3", "house", "small"], errors: ["size keyNotFound MainActorTests.Size"]))
  }
}

extension DefaultIsolationTests {
  @Test func `an enum of the main actor is decoded anywhere`() async throws {
    let json = #"{"season": "spring", "seasons": ["summer", "spring"], "open": "spring"}"#
    #expect(
      try await seasons(in: Data(json.utf8)) == [
        "nil", "[MainActorTests.Season.summer]", "spring",
        "season unknownNovelValue MainActorTests.Season",
        "seasons[1] unknownNovelValue MainActorTests.Season",
        "open unknownNovelValue MainActorTests.Season",
      ])
  }
}

/// Isolated to the main actor, as all that says nothing else.
enum Season: String, ResilientRawRepresentable { case summer, winter }

nonisolated enum Years {
  struct Year: Decodable {
    @Resilient var season: Season?
    @Resilient var seasons: [Season]
    let open: Open<Season>
  }
}

@concurrent private func seasons(in data: Data) async throws -> [String] {
  let (year, digest) = try JSONDecoder().decode(
    Years.Year.self, from: data, reportResilientDecodingErrors: true)
  return ["\(String(describing: year.season))", "\(year.seasons)", year.open.rawValue]
    + (digest?.entries ?? []).map { "\($0.codingPath) \($0.kind) \($0.expectedType ?? "-")" }
}

nonisolated enum Kind: String, ResilientRawRepresentable { case house, cabin }

nonisolated enum Size: String, ResilientRawRepresentable {
  case small, large
  static var decodingFallback: Self { .small }
}

nonisolated enum Three: DefaultValueProvider {
  static var defaultValue: Int { 3 }
}

struct Isolated: Decodable {
  @Resilient var kind: Kind?
  @ResilientDefault<Three> var rooms: Int
  let state: Open<Kind>
  @Resilient var size: Size

  var values: [String] { [kind?.rawValue ?? "nil", "\(rooms)", state.rawValue, size.rawValue] }
}

/// A model that can be decoded and read anywhere.
nonisolated protocol FreeHome: Decodable {
  var freeValues: [String] { get }
}

nonisolated enum Models {
  struct Nested: FreeHome, Sendable {
    @Resilient var kind: Kind?
    @ResilientDefault<Three> var rooms: Int
    let state: Open<Kind>
    @Resilient var size: Size

    var freeValues: [String] {
      [kind?.rawValue ?? "nil", "\(rooms)", state.rawValue, size.rawValue]
    }
  }
}

nonisolated final class Class: FreeHome {
  @Resilient var kind: Kind?
  @ResilientDefault<Three> var rooms: Int
  let state: Open<Kind>
  @Resilient var size: Size

  var freeValues: [String] { [kind?.rawValue ?? "nil", "\(rooms)", state.rawValue, size.rawValue] }
}

nonisolated struct Constants: FreeHome, Sendable {
  let kind: Resilient<Kind?>
  let rooms: ResilientDefault<Three>
  let state: Open<Kind>
  let size: Resilient<Size>

  var freeValues: [String] {
    [
      kind.wrappedValue?.rawValue ?? "nil", "\(rooms.wrappedValue)", state.rawValue,
      size.wrappedValue.rawValue,
    ]
  }
}

private func onMain(_ data: Data, _ type: Isolated.Type) throws -> DefaultIsolationTests.Outcome {
  MainActor.assertIsolated()
  let (home, digest) = try JSONDecoder().decode(
    type, from: data, reportResilientDecodingErrors: true)
  return DefaultIsolationTests.Outcome(values: home.values, errors: lines(digest))
}

private func onMain(
  _ data: Data, _ type: (some FreeHome).Type
) throws -> DefaultIsolationTests.Outcome {
  MainActor.assertIsolated()
  return try decode(data, type)
}

private func readElsewhere(
  _ data: Data, _ type: (some FreeHome & Sendable).Type
) async throws -> DefaultIsolationTests.Outcome {
  let (home, digest) = try JSONDecoder().decode(
    type, from: data, reportResilientDecodingErrors: true)
  return DefaultIsolationTests.Outcome(values: await values(of: home), errors: lines(digest))
}

@concurrent private func values(of home: some FreeHome & Sendable) async -> [String] {
  home.freeValues
}

@concurrent private func concurrently(
  _ data: Data, _ type: (some FreeHome & SendableMetatype).Type
) async throws -> DefaultIsolationTests.Outcome {
  try decode(data, type)
}

nonisolated private func decode(
  _ data: Data, _ type: (some FreeHome).Type
) throws -> DefaultIsolationTests.Outcome {
  let (home, digest) = try JSONDecoder().decode(
    type, from: data, reportResilientDecodingErrors: true)
  return DefaultIsolationTests.Outcome(values: home.freeValues, errors: lines(digest))
}

nonisolated private func lines(_ digest: ErrorDigest?) -> [String] {
  // Members are decoded in the order of their declaration.
  (digest?.entries ?? []).map { "\($0.codingPath) \($0.kind) \($0.expectedType ?? "-")" }.sorted()
}
