extension ErrorDigest {
  /// What the payload holds where an error occurred: the type and, for a scalar, the value.
  ///
  /// Two found values are equal if their types and the Unicode scalars of their texts are equal.
  public struct FoundValue: Sendable, Hashable, Codable {
    /// The type of a value, as JSON names it (RFC 8259, section 3), whatever the format is; or what
    /// a whole body is that isn't JSON.
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
      /// A body that is HTML, such as the error page of a proxy.
      case html
      /// A body without text, or with white space only.
      case empty
      /// A body of JSON that ends before its value is complete.
      case truncated
      /// A body that is still compressed, by gzip or Zstandard.
      case compressed
      /// A body in UTF-16 or UTF-32 that isn't JSON.
      case utf16

      /// Whether this is what a whole body is, and not the type of a value.
      package var isOfBody: Bool {
        switch self {
        case .null, .boolean, .number, .string, .array, .object: false
        case .html, .empty, .truncated, .compressed, .utf16: true
        }
      }

      /// Whether a found value of this type may have a text.
      package var mayHaveText: Bool {
        switch self {
        case .boolean, .number, .string: true
        case .null, .array, .object, .html, .empty, .truncated, .compressed, .utf16: false
        }
      }
    }

    /// The type of the value.
    public let type: ValueType

    /// The value of a string, number or boolean; nil for null, an array and an object, for a body
    /// that isn't JSON, for a string that is not Unicode, and for a number that fits in no type.
    ///
    /// Numbers have their digits without an exponent if a `Decimal` can hold them. Numbers of JSON5
    /// that are not finite are `NaN`, `Infinity` and `-Infinity`.
    ///
    /// A string of more than 1,000 Unicode scalars is cut to 1,000, followed by `…`.
    public let text: String?

    /// Whether the value contains other values.
    var isContainer: Bool { type == .array || type == .object }

    /// Creates a found value, for example to replace another one.
    public init(type: ValueType, text: String?) {
      self.type = type
      self.text = text
    }

    /// Compares type and text, the text by its Unicode scalars: precomposed and decomposed letters
    /// differ.
    public static func == (lhs: Self, rhs: Self) -> Bool {
      guard lhs.type == rhs.type, let text = lhs.text, let other = rhs.text else {
        return lhs.type == rhs.type && lhs.text == nil && rhs.text == nil
      }
      return text.hasSameScalars(as: other)
    }
  }
}
