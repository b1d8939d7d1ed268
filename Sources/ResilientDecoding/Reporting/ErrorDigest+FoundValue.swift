extension ErrorDigest {
  /// What the payload has in the place where an error happened: its type and, of a scalar, the value.
  public struct FoundValue: Sendable, Hashable {
    /// A type of value, in the words of JSON (RFC 8259, section 3), whatever the format is.
    public enum ValueType: String, Sendable, Hashable, Codable, CaseIterable {
      case null
      case boolean
      case number
      case string
      case array
      case object
    }

    /// The type of the value.
    public let type: ValueType

    /// The value of a string, number or boolean; nil for null, an array and an object.
    ///
    /// Of a long string the beginning, with `…` behind it.
    public let text: String?

    package init(type: ValueType, text: String?) {
      self.type = type
      self.text = text
    }
  }
}
