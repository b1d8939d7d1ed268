// A wrapper prints like a plain property: `print(model)` shows only the values.
//
// Conforms to `TextOutputStreamable`, not `CustomStringConvertible`: the wrapper's `description`
// would hide the model's own, to which ``Resilient`` forwards.

extension Resilient: TextOutputStreamable, CustomDebugStringConvertible, CustomReflectable {
  /// Writes the value as `print` does.
  public func write<Target: TextOutputStream>(to target: inout Target) {
    target.write(String(describing: wrappedValue))
  }

  /// The value as `debugPrint` writes it.
  public var debugDescription: String { String(reflecting: wrappedValue) }

  /// The mirror of the value, which `dump` walks.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension ResilientDefault: TextOutputStreamable, CustomDebugStringConvertible, CustomReflectable {
  /// Writes the value as `print` does.
  public func write<Target: TextOutputStream>(to target: inout Target) {
    target.write(String(describing: wrappedValue))
  }

  /// The value as `debugPrint` writes it.
  public var debugDescription: String { String(reflecting: wrappedValue) }

  /// The mirror of the value, which `dump` walks.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension ResilientElements: TextOutputStreamable, CustomDebugStringConvertible, CustomReflectable {
  /// Writes the elements as `print` does.
  public func write<Target: TextOutputStream>(to target: inout Target) {
    target.write(String(describing: wrappedValue))
  }

  /// The elements as `debugPrint` writes them.
  public var debugDescription: String { String(reflecting: wrappedValue) }

  /// The mirror of the elements, which `dump` walks.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension ResilientLossless: TextOutputStreamable, CustomDebugStringConvertible, CustomReflectable {
  /// Writes the value as `print` does.
  public func write<Target: TextOutputStream>(to target: inout Target) {
    target.write(String(describing: wrappedValue))
  }

  /// The value as `debugPrint` writes it.
  public var debugDescription: String { String(reflecting: wrappedValue) }

  /// The mirror of the value, which `dump` walks.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}
