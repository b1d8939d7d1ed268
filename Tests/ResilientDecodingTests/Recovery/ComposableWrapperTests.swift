import ResilientDecoding
import Testing

/// Nested wrappers, in any order: each keeps the effect of the others.
struct ComposableWrapperTests {
  private static let payloads = ["{}", #"{"p": null}"#, #"{"p": "5"}"#, #"{"p": "x"}"#]

  @Test(arguments: zip(payloads, [[], [], ["p typeMismatch"], ["p typeMismatch"]]))
  func `a resilient property can use a default`(json: String, reports: [String]) throws {
    #expect(
      try decode(ResilientAroundDefault.self, from: json) == Outcome(7, reports))
  }

  @Test(
    arguments: zip(
      payloads,
      [
        Outcome(nil, []), Outcome(nil, []), Outcome(5, ["p converted"]),
        Outcome(nil, ["p typeMismatch"]),
      ]))
  fileprivate func `converting and recovering go together in any order`(
    json: String,
    consequence: Outcome
  ) throws {
    #expect(try decode(ResilientAroundLossless.self, from: json) == consequence)
    #expect(try decode(LosslessAroundResilient.self, from: json) == consequence)
  }

  @Test(
    arguments: zip(
      [#"{"p": "calm"}"#, "{}", #"{"p": null}"#, #"{"p": "wild"}"#, #"{"p": 5}"#, #"{"p": []}"#],
      [
        [], ["p keyNotFound"], ["p valueNotFound"], ["p unknownNovelValue"],
        ["p unknownNovelValue"], ["p typeMismatch"],
      ]))
  func `a raw value that cannot be converted takes its fallback`(
    json: String,
    reports: [String]
  ) throws {
    let (model, digest) = try Format.json.decode(LosslessModel<Mood>.self, from: json)
    #expect(model.p == (reports.isEmpty ? .calm : .unknown))
    #expect(digest.kinds == reports)
  }

  private func decode<Model: NumberModel>(
    _ type: Model.Type,
    from json: String
  ) throws -> Outcome {
    let (model, digest) = try Format.json.decode(type, from: json)
    return Outcome(model.number, digest.kinds)
  }
}

private struct Outcome: Equatable, Sendable {
  let value: Int?
  let reports: [String]

  init(_ value: Int?, _ reports: [String]) {
    self.value = value
    self.reports = reports
  }
}

private protocol NumberModel: Decodable {
  var number: Int? { get }
}

extension ErrorDigest? {
  fileprivate var kinds: [String] {
    self?.entries.map { "\($0.codingPath) \($0.kind)" } ?? []
  }
}

private enum Spare: DefaultValueProvider {
  static var defaultValue: Int { 7 }
}

private struct ResilientAroundDefault: NumberModel {
  @Resilient @ResilientDefault<Spare> var p: Int
  var number: Int? { p }
}

private struct ResilientAroundLossless: NumberModel {
  @Resilient @ResilientLossless var p: Int?
  var number: Int? { p }
}

private struct LosslessAroundResilient: NumberModel {
  @ResilientLossless @Resilient var p: Int?
  var number: Int? { p }
}
