import Testing

@testable import ResilientDecoding

/// What an error says about a payload, and how what the payload holds corrects it. No payload is
/// decoded.
struct ErrorClaimTests {
  private enum Kind: String, ResilientRawRepresentable {
    case house
  }

  private struct Explanation: ExplainingError {
    let underlyingError: DecodingError
  }

  private struct OtherError: Error {}

  private static let context = DecodingError.Context(
    codingPath: [PathKey("kind")], debugDescription: "")

  private static let novel = UnknownNovelValueError(
    novelValue: "villa", expected: Kind.self, codingPath: [PathKey("kind")])

  /// The error of a type that is frozen.
  private static let frozen = DecodingError.dataCorrupted(
    DecodingError.Context(codingPath: [], debugDescription: "", underlyingError: novel))

  private static func holding(_ type: ErrorDigest.FoundValue.ValueType) -> PayloadFinding {
    PayloadFinding(value: ErrorDigest.FoundValue(type: type, text: nil))
  }

  private typealias Row = (
    error: any Error, found: PayloadFinding, kind: ErrorDigest.Kind
  )

  private static var rows: [Row] {
    let mismatch = DecodingError.typeMismatch(Int.self, context)
    let missing = PayloadFinding(isKeyMissing: true)
    let villa = PayloadFinding(
      value: ErrorDigest.FoundValue(type: .string, text: "villa"), novelValue: "villa")
    return [
      // A wrong type, which decoders also report for a null or a number that does not fit.
      (mismatch, PayloadFinding(), .typeMismatch),
      (mismatch, holding(.string), .typeMismatch),
      (mismatch, holding(.null), .valueNotFound),
      (mismatch, holding(.number), .dataCorrupted),
      (DecodingError.typeMismatch(Resilient<Int?>.self, context), holding(.number), .dataCorrupted),
      (DecodingError.typeMismatch(String.self, context), holding(.number), .typeMismatch),
      (Explanation(underlyingError: mismatch), holding(.null), .valueNotFound),
      // A null, which may stand for a missing key.
      (DecodingError.valueNotFound(Int.self, context), holding(.null), .valueNotFound),
      (DecodingError.valueNotFound(Int.self, context), missing, .keyNotFound),
      (DecodingError.keyNotFound(PathKey("id"), context), missing, .keyNotFound),
      // A novel value, of which not every type tells.
      (novel, holding(.string), .unknownNovelValue),
      (novel, holding(.null), .valueNotFound),
      (frozen, holding(.string), .unknownNovelValue),
      (frozen, holding(.null), .valueNotFound),
      (DecodingError.dataCorrupted(context), villa, .unknownNovelValue),
      (DecodingError.dataCorrupted(context), holding(.string), .dataCorrupted),
      (DecodingError.dataCorrupted(context), holding(.null), .dataCorrupted),
      // An error that is not about decoding.
      (OtherError(), holding(.null), .other),
      (OtherError(), villa, .other),
    ]
  }

  @Test(arguments: rows.indices)
  func `the payload corrects the kind of an error`(index: Int) {
    let (error, found, kind) = Self.rows[index]
    #expect(ErrorClaim(error).kind(holding: found) == kind)
  }

  @Test func `the kind of a conversion is right`() {
    let mismatch = DecodingError.typeMismatch(Int.self, Self.context)
    let claim = ErrorClaim(mismatch, as: .converted)
    #expect(claim.kind(holding: Self.holding(.number)) == .converted)
    #expect(claim.kind(holding: Self.holding(.null)) == .converted)
  }

  @Test func `the path of a missing key ends with it`() {
    let claim = ErrorClaim(DecodingError.keyNotFound(PathKey("id"), Self.context))
    #expect(claim.codingPath?.map(\.stringValue) == ["kind", "id"])
  }

  @Test func `an error says the place, the type and the novel value`() {
    let claims = [ErrorClaim(Self.novel), ErrorClaim(Self.frozen)]
    for claim in claims {
      #expect(claim.codingPath?.map(\.stringValue) == ["kind"])
      #expect(claim.type == Kind.self)
      #expect(claim.novel?.novelValue as? String == "villa")
    }
    let other = ErrorClaim(OtherError())
    #expect(other.codingPath == nil)
    #expect(other.type == nil)
    #expect(ErrorClaim(UnknownNovelValueError(novelValue: 1)).codingPath == nil)
  }
}
