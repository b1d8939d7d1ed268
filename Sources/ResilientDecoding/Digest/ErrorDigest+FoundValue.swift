extension ErrorDigest {
  /// What the payload has in the place where an error happened: its type and, of a scalar, the value.
  ///
  /// Two are equal when their types are the same, and their texts have the same Unicode scalars.
  public struct FoundValue: Sendable, Hashable {
    /// A type of value, in the words of JSON (RFC 8259, section 3), whatever the format is.
    public enum ValueType: String, Sendable, Hashable, Codable, CaseIterable {
      /// `null`.
      case null
      /// `true` or `false`.
      case boolean
      /// A number, whole or not.
      case number
      /// A string.
      case string
      /// An array; its elements are not kept.
      case array
      /// An object, or dictionary; its members are not kept.
      case object
    }

    /// The type of the value.
    public let type: ValueType

    /// The value of a string, number or boolean; nil for null, an array and an object.
    ///
    /// Of a string of more than 1,000 Unicode scalars the first 1,000, with `…` behind them.
    public let text: String?

    /// Whether there are other values in it.
    var isContainer: Bool { type == .array || type == .object }

    /// Makes a found value, such as one to write in the place of another.
    public init(type: ValueType, text: String?) {
      self.type = type
      self.text = text
    }

    /// Compares type and text, the text by its Unicode scalars: precomposed and decomposed letters differ.
    public static func == (lhs: Self, rhs: Self) -> Bool {
      guard lhs.type == rhs.type, let text = lhs.text, let other = rhs.text else {
        return lhs.type == rhs.type && lhs.text == nil && rhs.text == nil
      }
      return text.hasSameScalars(as: other)
    }
  }
}
