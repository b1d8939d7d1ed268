extension ErrorDigest {
  /// The identity of an error: errors with the same identity are counted together.
  public struct Failure: Sendable, Hashable, Codable {
    /// The place as a pattern: `items[].kind`.
    public internal(set) var codingPath: Path

    /// What goes wrong.
    public internal(set) var kind: Kind

    /// The expected type; nil if it is unknown.
    public internal(set) var expectedType: String?

    /// The raw value that the expected type does not have.
    public internal(set) var novelValue: NovelValue?

    /// The type of a body that is not JSON, such as `html`; nil for any other failure.
    public let body: FoundValue.ValueType?

    /// Creates a failure at the pattern of a path.
    ///
    /// - Parameters:
    ///   - codingPath: The place, of which indices are left out.
    ///   - kind: What goes wrong.
    ///   - expectedType: The expected type; nil if it is unknown.
    ///   - novelValue: The raw value that the expected type does not have.
    ///   - body: The type of a body that is not JSON. The type of a JSON value is ignored.
    public init(
      codingPath: Path, kind: Kind, expectedType: String? = nil, novelValue: NovelValue? = nil,
      body: FoundValue.ValueType? = nil
    ) {
      self.codingPath = codingPath.generalized
      self.kind = kind
      self.expectedType = expectedType
      self.novelValue = novelValue
      self.body = body?.isOfBody == true ? body : nil
    }

    /// Decodes a failure; indices in its path are left out.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        codingPath: try container.decode(Path.self, forKey: .codingPath),
        kind: try container.decode(Kind.self, forKey: .kind),
        expectedType: try container.decodeIfPresent(String.self, forKey: .expectedType),
        novelValue: try container.decodeIfPresent(NovelValue.self, forKey: .novelValue),
        body: try container.decodeIfPresent(FoundValue.ValueType.self, forKey: .body))
    }
  }

  /// Errors of one failure that a full reporter has only counted.
  ///
  /// Beyond a limit of different failures, they are counted without their novel values, and beyond
  /// a second limit as one failure of kind `other` at the empty path.
  public struct Omission: Sendable, Hashable, Codable {
    /// What the errors have in common.
    public let failure: Failure

    /// The message of the first error.
    public let message: String

    /// The number of errors.
    public internal(set) var count: Int

    /// Creates an omission of `count` errors.
    public init(failure: Failure, message: String, count: Int) {
      self.failure = failure
      self.message = message
      self.count = count
    }
  }

  /// The category of an error; stable between versions.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A key that the model requires is missing, whether a wrapper recovers from that or not.
    case keyNotFound
    /// A required value is null or missing.
    case valueNotFound
    /// The value has another type or shape.
    case typeMismatch
    /// The value has the right type but is invalid: not a URL, a number out of range, malformed
    /// JSON.
    case dataCorrupted
    /// A raw value for which `init(rawValue:)` returned nil, whether the type is frozen or not.
    case unknownNovelValue
    /// The value was converted: it is right, but the backend should know.
    case converted
    /// The key of an optional, a collection or a default is missing. The model does not require it:
    /// reported only if the decode reports missing keys.
    case missingKey
    /// A key of the payload that no property decodes.
    case unknownKey
    /// Any error that is not about decoding.
    case other
  }

  /// A raw value that a type does not have.
  ///
  /// Two novel values are equal if their types and the Unicode scalars of their texts are equal.
  public struct NovelValue: Sendable, Hashable, Codable {
    /// The value as `String(describing:)` prints it.
    public let text: String

    /// The type of the raw value, such as `String` or `Int`.
    public let type: String

    /// Creates a novel value, for example to replace another one.
    public init(text: String, type: String) {
      self.text = text
      self.type = type
    }

    /// Compares type and text, the text by its Unicode scalars: precomposed and decomposed letters
    /// differ.
    public static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.text.hasSameScalars(as: rhs.text) && lhs.type == rhs.type
    }
  }
}
