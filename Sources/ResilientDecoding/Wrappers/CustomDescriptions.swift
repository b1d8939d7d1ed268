// A wrapper shows itself as a plain property would: `print(model)` has the values alone.
//
// By `TextOutputStreamable`, not `CustomStringConvertible`: a `description` of the wrapper would hide
// one of the model's, which ``Resilient`` looks through to.

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
