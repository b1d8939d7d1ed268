import ResilientDecoding

/// Predicts the result of decoding a payload, from the rules alone and by the simplest means.
struct Oracle {
  typealias Path = [ErrorDigest.Path.Component]

  /// An error that has not been recovered from yet.
  struct Failure: Error {
    let path: Path
    let kind: ErrorDigest.Kind
    /// The value there; nil if the key is missing or is itself wrong.
    let found: JSON?
    var novelValue: String?
    var isHidden = false
  }

  private(set) var losses: [Loss] = []

  /// The number of losses that `ErrorDigest.errors` includes.
  private(set) var visibleCount = 0

  /// Decodes a value that is not a property: without a wrapper, or with its own.
  mutating func value(
    _ shape: Shape,
    _ json: JSON,
    at path: Path
  ) throws(Failure) -> PlainValue {
    switch shape {
    case .integer, .byte, .double, .boolean, .string, .raw:
      return try leaf(shape, json, at: path)
    case .open(let open):
      return try self.open(open, json, at: path)
    case .optional(let wrapped):
      return json == .null ? .none : try value(wrapped, json, at: path)
    case .array(let element), .set(let element):
      guard case .array(let elements) = json else { throw Failure(mismatch: json, at: path) }
      var values: [PlainValue] = []
      for (index, json) in elements.enumerated() {
        values.append(try value(element, json, at: path + [.index(index)]))
      }
      return shape.collecting(values)
    case .dictionary, .numbered, .opened:
      // The order of hashes decides which entry of a plain dictionary throws.
      fatalError("A plain dictionary has no one result")
    case .resilient(let value):
      return try resilient(value, json, at: path)
    case .record(let record):
      return try members(Array(zip(record.names, record.members)), json, at: path)
    case .node:
      return try members(RecordShape.node, json, at: path)
    case .union:
      return try union(json, at: path)
    }
  }

  /// Decodes a raw value, and keeps a novel one.
  private mutating func open(
    _ open: OpenShape, _ json: JSON, at path: Path
  ) throws(Failure) -> PlainValue {
    do {
      return try leaf(.raw(open.raw), json, at: path)
    } catch {
      guard let novelValue = error.novelValue else { throw error }
      lose(error, at: path, of: json)
      return .string(novelValue)
    }
  }

  /// Decodes the member that the discriminator names; a novel one has no payload.
  private mutating func union(_ json: JSON, at path: Path) throws(Failure) -> PlainValue {
    guard case .object(let entries) = json else { throw Failure(mismatch: json, at: path) }
    let place = path + [.key("type")]
    guard let type = entries["type"] else {
      throw Failure(path: place, kind: .keyNotFound, found: nil)
    }
    let name = try open(.kind, type, at: place)
    guard case .string(let text) = name, let shape = RecordShape.union[text] else {
      return .object(["type": name])
    }
    let payload = try members(shape, json, at: path)
    guard case .object(var plain) = payload else { return payload }
    plain["type"] = name
    return .object(plain)
  }

  /// Decodes the good parts of a wrapper's value, and records the others as losses.
  mutating func parts(
    _ shape: Shape,
    _ json: JSON,
    at path: Path,
    converting: Bool,
    replacement: PlainValue? = nil
  ) throws(Failure) -> PlainValue {
    switch shape {
    case .optional(let wrapped):
      return json == .null ? .none : try parts(wrapped, json, at: path, converting: converting)
    case .array(let element), .set(let element):
      guard case .array(let elements) = json else { throw Failure(mismatch: json, at: path) }
      let values = elements.enumerated().compactMap { index, json in
        part(
          element, json, at: path + [.index(index)], converting: converting,
          orElse: replacement ?? element.badElement)
      }
      return shape.collecting(values)
    case .dictionary(let value), .numbered(let value), .opened(let value):
      guard case .object(let entries) = json else { throw Failure(mismatch: json, at: path) }
      return .object(self.entries(of: shape, value, entries, at: path, converting: converting))
    default:
      do {
        return try value(shape, json, at: path)
      } catch {
        guard converting else { throw error }
        return try converted(shape, json, at: path, after: error)
      }
    }
  }

  /// Converts a scalar of another type; a raw value may then be novel.
  private mutating func converted(
    _ shape: Shape, _ json: JSON, at path: Path, after error: Failure
  ) throws(Failure) -> PlainValue {
    let raw: RawShape? =
      switch shape {
      case .raw(let raw): raw
      case .open(let open): open.raw
      default: nil
      }
    guard let converted = (raw == nil ? shape : .string).converted(from: json) else { throw error }
    if let raw, case .string(let text) = converted, !raw.known.contains(text) {
      let failure = Failure(
        path: path, kind: .unknownNovelValue, found: json, novelValue: text,
        isHidden: !raw.isFrozen)
      guard case .open = shape else { throw failure }
      lose(failure, at: path, of: json)
    } else {
      lose(Failure(path: path, kind: .converted, found: json, isHidden: true), at: path, of: json)
    }
    return converted
  }

  /// - Parameter json: The payload at the place of the recovery.
  mutating func lose(_ failure: Failure, at recovery: Path, of json: JSON?) {
    losses.append(
      Loss(
        path: ErrorDigest.Path(failure.path),
        recoveryPath: ErrorDigest.Path(recovery),
        kind: failure.kind,
        found: failure.found?.foundType,
        foundText: failure.found?.foundText,
        novelValue: failure.novelValue
      )
    )
    if !failure.isHidden { visibleCount += 1 }
  }

  private mutating func part(
    _ shape: Shape,
    _ json: JSON,
    at path: Path,
    converting: Bool,
    orElse replacement: PlainValue?
  ) -> PlainValue? {
    do {
      return try parts(shape, json, at: path, converting: converting)
    } catch {
      lose(error, at: path, of: json)
      return replacement
    }
  }

  private mutating func entries(
    of shape: Shape,
    _ value: Shape,
    _ entries: [String: JSON],
    at path: Path,
    converting: Bool
  ) -> [String: PlainValue] {
    var plain: [String: PlainValue] = [:]
    var lost: [String: [Loss]] = [:]
    // The canonical spellings of numbers come first.
    let isOther = { (key: String) in Int(key).map { String($0) } != key }
    let sorted = entries.sorted { $0.key < $1.key }
    for (key, json) in sorted.filter({ !isOther($0.key) }) + sorted.filter({ isOther($0.key) }) {
      let start = losses.count
      defer {
        lost[key] = Array(losses[start...])
        losses.removeSubrange(start...)
      }
      let path = path + [.dictionaryKey(key)]
      var name = key
      if case .numbered = shape {
        guard let number = Int(key) else {
          lose(Failure(path: path, kind: .dataCorrupted, found: nil), at: path, of: nil)
          continue
        }
        name = String(number)
      }
      if case .opened = shape, !RawShape.kind.known.contains(key) {
        lose(
          Failure(
            path: path, kind: .unknownNovelValue, found: nil, novelValue: key, isHidden: true),
          at: path, of: nil)
      }
      let entry = part(value, json, at: path, converting: converting, orElse: value.badElement)
      if entry != nil, plain[name] != nil {
        // The canonical spelling of the same number, or the first, came before.
        lose(Failure(path: path, kind: .dataCorrupted, found: nil), at: path, of: nil)
      } else if let entry {
        plain[name] = entry
      }
    }
    losses += sorted.flatMap { lost[$0.key] ?? [] }
    return plain
  }
}

extension Oracle.Failure {
  /// Any other value.
  init(mismatch json: JSON, at path: Oracle.Path) {
    self.init(
      path: path, kind: json == .null ? .valueNotFound : .typeMismatch, found: json)
  }
}
