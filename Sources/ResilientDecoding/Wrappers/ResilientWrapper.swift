/// A property wrapper of this library. It prints like the value that it wraps.
///
/// `print(model)`, `debugPrint(model)` and `dump(model)` show only the values. Do not conform your
/// own types to this protocol: the library treats only its own wrappers as wrappers.
// `TextOutputStreamable`, not `CustomStringConvertible`: the wrapper's `description` would hide the
// model's own, to which `Resilient` forwards.
public protocol ResilientWrapper: TextOutputStreamable, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The type of the property.
  associatedtype Value: Decodable

  /// The decoded or recovered value.
  var wrappedValue: Value { get }
}

extension ResilientWrapper {
  /// Writes the value as `print` does.
  public func write<Target: TextOutputStream>(to target: inout Target) {
    target.write(String(describing: wrappedValue))
  }

  /// The value as `debugPrint` writes it.
  public var debugDescription: String { String(reflecting: wrappedValue) }

  /// The mirror of the value, which `dump` walks.
  public var customMirror: Mirror { Mirror(reflecting: wrappedValue) }
}

extension Resilient: ResilientWrapper {}
extension ResilientDefault: ResilientWrapper {}
extension ResilientElements: ResilientWrapper {}
extension ResilientLossless: ResilientWrapper {}

extension ProxyType where Self: ResilientWrapper {
  static var representedType: Any.Type { modelType(Value.self) }
}

extension Resilient: ProxyType {}
extension ResilientDefault: ProxyType {}
extension ResilientElements: ProxyType {}
extension ResilientLossless: ProxyType {}
