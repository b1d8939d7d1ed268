/// Gives the value that ``ResilientDefault`` and ``ResilientElements`` put in the place of a bad one.
///
///     enum Untitled: DefaultValueProvider { static var defaultValue: String { "untitled" } }
public protocol DefaultValueProvider {
  /// The type of the property, or of the elements.
  associatedtype Value: Decodable

  /// The value, made anew each time that it is needed.
  static var defaultValue: Value { get }
}

/// Gives `""`.
public enum EmptyString: DefaultValueProvider {
  /// The empty string.
  public static var defaultValue: String { "" }
}

/// Gives 0 of a type of numbers: `Zero<Int>`, `Zero<Double>`.
public enum Zero<Value: Decodable & Numeric>: DefaultValueProvider {
  /// The number 0.
  public static var defaultValue: Value { .zero }
}

/// Gives `false`.
public enum False: DefaultValueProvider {
  /// The value `false`.
  public static var defaultValue: Bool { false }
}

/// Gives `true`.
public enum True: DefaultValueProvider {
  /// The value `true`.
  public static var defaultValue: Bool { true }
}

/// Gives `[]`.
public enum EmptyArray<Element: Decodable>: DefaultValueProvider {
  /// The array without elements.
  public static var defaultValue: [Element] { [] }
}

/// Gives `[:]`.
public enum EmptyDictionary<Entry: Decodable>: DefaultValueProvider {
  /// The dictionary without entries.
  public static var defaultValue: [String: Entry] { [:] }
}

/// Gives the same for an optional: `@ResilientDefault<EmptyString?> var name: String?`.
extension Optional: DefaultValueProvider where Wrapped: DefaultValueProvider {
  /// What the wrapped provider gives, which is never nil.
  public static var defaultValue: Wrapped.Value? { Wrapped.defaultValue }
}
