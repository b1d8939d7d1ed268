import ResilientDecoding
import Testing

/// The expected conversion of one payload by `ResilientLossless`, in any place.
struct Conversion<Value: Decodable & Equatable & Sendable>: Sendable, CustomTestStringConvertible {
  let payload: String

  /// Nil if it is refused.
  let value: Value?

  /// The found value of the entry; nil if the value was not converted.
  let found: String?

  init(_ payload: String, is value: Value) {
    self.payload = payload
    self.value = value
    found = nil
  }

  init(_ payload: String, becomes value: Value, from found: String) {
    self.payload = payload
    self.value = value
    self.found = found
  }

  init(refused payload: String) {
    self.payload = payload
    value = nil
    found = nil
  }

  var testDescription: String { payload }

  /// Decodes it as a property, an optional, an element, an entry and a document.
  func verify(
    in format: Format,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try verifyProperty(in: format, sourceLocation)
    let isNull = payload == "null"
    for consequence in [
      try part(LosslessModel<Value?>.self, payload, in: format) { $0 },
      try part(LosslessModel<[Value]>.self, "[\(payload)]", in: format) { $0.first },
      try part(LosslessModel<[Value?]>.self, "[\(payload)]", in: format) { $0.first ?? nil },
      try part(LosslessModel<[String: Value]>.self, #"{"a": \#(payload)}"#, in: format) {
        $0["a"]
      },
      try part(LosslessModel<[[Value]]>.self, "[[\(payload)]]", in: format) {
        $0.first?.first
      },
    ] {
      let isSilent = isNull && consequence.isOptional
      #expect(
        consequence
          == Part(
            value: value,
            kinds: isSilent ? [] : value == nil ? [.refused] : found.map { [.converted($0)] } ?? [],
            isOptional: consequence.isOptional),
        sourceLocation: sourceLocation
      )
    }
  }

  private func verifyProperty(in format: Format, _ sourceLocation: SourceLocation) throws {
    let model = Result {
      try format.decode(LosslessModel<Value>.self, from: #"{"p": \#(payload)}"#)
    }
    guard let value else {
      #expect(throws: (any Error).self, sourceLocation: sourceLocation) { try model.get() }
      return
    }
    let (decoded, digest) = try model.get()
    #expect(decoded.p == value, sourceLocation: sourceLocation)
    #expect(
      decoded.outcomeInWords == nil || decoded.outcomeInWords == "decodedSuccessfully",
      sourceLocation: sourceLocation
    )
    #expect(digest?.found == found.map { ["p: \($0)"] }, sourceLocation: sourceLocation)
    #expect(digest?.errors.isEmpty ?? true, sourceLocation: sourceLocation)
    let all = digest?.errors(includeUnknownNovelValueErrors: true).count
    #expect(all == found.map { _ in 1 }, sourceLocation: sourceLocation)
    #expect(digest?.entries.first?.kind == found.map { _ in .converted })
  }

  private func part<Model: WrapperModel>(
    _ model: Model.Type,
    _ payload: String,
    in format: Format,
    _ value: (Model.Value) -> Value?
  ) throws -> Part<Value> {
    let (decoded, digest) = try format.decode(model, from: #"{"p": \#(payload)}"#)
    return Part(
      value: value(decoded.p),
      kinds: digest?.entries.map {
        $0.kind == .converted ? .converted($0.foundValue?.inWords ?? "nothing") : .refused
      } ?? [],
      isOptional: Model.Value.self is any OptionalOrOfThem.Type
    )
  }
}

/// The result for a payload in one place.
private struct Part<Value: Equatable>: Equatable {
  enum Kind: Equatable {
    case converted(String)
    case refused
  }

  let value: Value?
  let kinds: [Kind]
  let isOptional: Bool
}

/// A type with a value for null.
private protocol OptionalOrOfThem {}

extension Optional: OptionalOrOfThem {}
extension Array: OptionalOrOfThem where Element: OptionalOrOfThem {}
