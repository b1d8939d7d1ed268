/// A type that is decoded in the place of a model's type: a wrapper, a helper of this library, or
/// an optional.
///
/// The errors of decoders name this type. A report names the model's type instead.
protocol ProxyType {
  /// The model's type.
  static var representedType: Any.Type { get }
}

/// A type that is decoded in the place of a collection's values.
protocol ValueProxy: ProxyType {
  associatedtype Value
}

/// Returns the model's type that is decoded when a decoder is asked for `type`.
func modelType(_ type: Any.Type) -> Any.Type {
  // Looking up a conformance takes as long as counting the error.
  isScalar(type) ? type : (type as? any ProxyType.Type)?.representedType ?? type
}

extension Optional: ProxyType {
  static var representedType: Any.Type { modelType(Wrapped.self) }
}

extension Array: ProxyType where Element: ValueProxy {
  static var representedType: Any.Type { modelType([Element.Value].self) }
}

extension Dictionary: ProxyType where Key == String, Value: ValueProxy {
  static var representedType: Any.Type { modelType([String: Value.Value].self) }
}

extension DecodingError {
  /// The error with the model's type instead of a type of this library, also in its text.
  var namingModelType: Self {
    switch self {
    case .typeMismatch(let type, let context):
      context.naming(modelOf: type).map { .typeMismatch(modelType(type), $0) } ?? self
    case .valueNotFound(let type, let context):
      context.naming(modelOf: type).map { .valueNotFound(modelType(type), $0) } ?? self
    default: self
    }
  }
}

extension DecodingError.Context {
  /// The context with the name of the model's type in its text, where a decoder has named the type
  /// that it was asked for; nil if that is the model's.
  fileprivate func naming(modelOf type: Any.Type) -> Self? {
    let model = modelType(type)
    guard model != type else { return nil }
    let text = debugDescription.replacing(String(describing: type), with: String(describing: model))
    return Self(codingPath: codingPath, debugDescription: text, underlyingError: underlyingError)
  }
}

/// Whether containers have a method for this type; only the most common types are tested.
@inlinable
func isScalar(_ type: Any.Type) -> Bool {
  type == String.self || type == Int.self || type == Double.self || type == Bool.self
}
