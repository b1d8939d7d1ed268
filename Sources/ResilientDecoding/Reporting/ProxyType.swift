/// A type that is decoded in the place of a model's type: a wrapper, a helper of this library, or
/// an optional.
///
/// The errors of decoders name this type. A report names the model's type instead.
protocol ProxyType {
  /// The model's type.
  static var representedType: Any.Type { get }
}

/// Returns the model's type that is decoded when a decoder is asked for `type`.
func modelType(_ type: Any.Type) -> Any.Type {
  // Looking up a conformance takes as long as counting the error.
  isScalar(type) ? type : (type as? any ProxyType.Type)?.representedType ?? type
}

extension Optional: ProxyType {
  static var representedType: Any.Type { modelType(Wrapped.self) }
}

/// Whether containers have a method for this type; only the most common types are tested.
@inlinable
func isScalar(_ type: Any.Type) -> Bool {
  type == String.self || type == Int.self || type == Double.self || type == Bool.self
}
