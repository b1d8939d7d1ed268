/// A type that provides the default of ``ResilientDefault`` and ``ResilientElements``.
///
///     enum Untitled: DefaultValueProvider { static var defaultValue: String { "untitled" } }
public protocol DefaultValueProvider {
  /// The type of the property, or of the elements.
  associatedtype Value: Decodable

  /// The default; evaluated each time it is needed.
  static var defaultValue: Value { get }
}

/// The built-in defaults of ``ResilientDefault`` and ``ResilientElements``.
public enum DefaultValue {
  /// Provides `""`.
  public enum EmptyString: DefaultValueProvider {
    /// The empty string.
    public static var defaultValue: String { "" }
  }

  /// Provides the 0 of a numeric type: `DefaultValue.Zero<Int>`.
  public enum Zero<Value: Decodable & Numeric>: DefaultValueProvider {
    /// The number 0.
    public static var defaultValue: Value { .zero }
  }

  /// Provides `false`.
  public enum False: DefaultValueProvider {
    /// The value `false`.
    public static var defaultValue: Bool { false }
  }

  /// Provides `true`.
  public enum True: DefaultValueProvider {
    /// The value `true`.
    public static var defaultValue: Bool { true }
  }

  /// Provides `[]`.
  public enum EmptyArray<Element: Decodable>: DefaultValueProvider {
    /// The empty array.
    public static var defaultValue: [Element] { [] }
  }

  /// Provides `[:]`.
  public enum EmptyDictionary<Entry: Decodable>: DefaultValueProvider {
    /// The empty dictionary.
    public static var defaultValue: [String: Entry] { [:] }
  }
}

/// Provides the same default for an optional: `@ResilientDefault<DefaultValue.EmptyString?> var
/// name: String?`.
extension Optional: DefaultValueProvider where Wrapped: DefaultValueProvider {
  /// The default of the wrapped provider; never nil.
  public static var defaultValue: Wrapped.Value? { Wrapped.defaultValue }
}
