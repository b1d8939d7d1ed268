import ResilientDecoding

extension Oracle {
  mutating func members(
    _ members: [(String, Member)],
    _ json: JSON,
    at path: Path
  ) throws(Failure) -> PlainValue {
    guard case .object(let entries) = json else { throw Failure(mismatch: json, at: path) }
    var plain: [String: PlainValue] = [:]
    for (name, member) in members {
      plain[name] = try property(member, entries[name], at: path + [.key(name)])
    }
    return .object(plain)
  }

  /// Decodes a property; without a payload its key is missing.
  private mutating func property(
    _ member: Member,
    _ json: JSON?,
    at path: Path
  ) throws(Failure) -> PlainValue {
    var shape = member.shape
    if member.wrapper == .resilient || member.wrapper == .lossless {
      // Two nested wrappers recover like one.
      while case .resilient(let wrapped) = shape { shape = wrapped }
    }
    switch member.wrapper {
    case .plain:
      return try value(shape, try present(json, at: path), at: path)
    case .ifPresent:
      guard let json, json != .null else { return .none }
      return try value(shape, json, at: path)
    case .resilient:
      guard shape.isRecoverable || json == nil else {
        return try resilient(shape, json ?? .null, at: path)
      }
      guard shape.isRecoverable else {
        return try fallback(shape, after: Failure(missingAt: path), at: path)
      }
      return recovered(shape, json, at: path)
    case .lossless:
      guard shape.isRecoverable else {
        do {
          return try parts(shape, try present(json, at: path), at: path, converting: true)
        } catch {
          return try fallback(shape, after: error, at: path)
        }
      }
      return recovered(shape, json, at: path, converting: true)
    case .defaulted, .losslessDefaulted:
      return recovered(
        shape, json, at: path, converting: member.wrapper == .losslessDefaulted,
        absent: shape.specimen, malformed: shape.specimen)
    case .elements, .losslessElements:
      return recovered(
        .array(shape), json, at: path, converting: member.wrapper == .losslessElements,
        replacement: shape.specimen)
    }
  }

  private func present(_ json: JSON?, at path: Path) throws(Failure) -> JSON {
    guard let json else { throw Failure(missingAt: path) }
    return json
  }

  /// A `Resilient` of a value that is present, though maybe null.
  mutating func resilient(
    _ shape: Shape,
    _ json: JSON,
    at path: Path
  ) throws(Failure) -> PlainValue {
    if shape.isRecoverable { return recovered(shape, json, at: path) }
    do {
      return try value(shape, json, at: path)
    } catch {
      return try fallback(shape, after: error, at: path)
    }
  }

  private mutating func fallback(
    _ shape: Shape,
    after failure: Failure,
    at path: Path
  ) throws(Failure) -> PlainValue {
    guard let fallback = shape.fallback else { throw failure }
    lose(failure, at: path, of: failure.found)
    return fallback
  }

  /// Recovers from anything.
  private mutating func recovered(
    _ shape: Shape,
    _ json: JSON?,
    at path: Path,
    converting: Bool = false,
    absent: PlainValue? = nil,
    malformed: PlainValue? = nil,
    replacement: PlainValue? = nil
  ) -> PlainValue {
    guard let json, json != .null else { return absent ?? shape.absent }
    do {
      return try parts(
        shape, json, at: path, converting: converting, replacement: replacement)
    } catch {
      lose(error, at: path, of: json)
      return malformed ?? shape.malformed
    }
  }
}

extension Oracle.Failure {
  fileprivate init(missingAt path: Oracle.Path) {
    self.init(path: path, kind: .keyNotFound, found: nil)
  }
}

extension Shape {
  var isRecoverable: Bool {
    switch self {
    case .optional, .array, .set, .dictionary, .numbered, .opened: true
    default: false
    }
  }

  var fallback: PlainValue? {
    guard case .raw(let raw) = self else { return nil }
    return raw.fallback.map { .string($0) }
  }

  /// The value of a property of this shape whose key is missing or null.
  fileprivate var absent: PlainValue {
    switch self {
    case .dictionary, .numbered, .opened: .object([:])
    case .array, .set: collecting([])
    default: .none
    }
  }

  /// Its value if the payload has the wrong shape.
  fileprivate var malformed: PlainValue {
    guard case .optional(let wrapped) = self else { return absent }
    return wrapped.isRecoverable ? wrapped.malformed : wrapped.fallback ?? .none
  }

  /// The replacement for a bad element of this shape; nil if it is left out.
  var badElement: PlainValue? {
    if case .optional = self { PlainValue.none } else { nil }
  }

  /// An array, or a set.
  func collecting(_ elements: [PlainValue]) -> PlainValue {
    if case .set = self { .set(Set(elements)) } else { .array(elements) }
  }
}
