/// One entry of a collection, decoded or not: it reports its own error, and throws only
/// beyond ``RecoveryBudget``.
@usableFromInline
protocol CollectionEntry: Decodable {
  associatedtype Value

  /// The value; nil if it is left out.
  var value: Value? { get }

  /// How the value was decoded.
  var outcome: ResilientDecodingOutcome { get }
}

/// An entry whose value is decoded as a whole or not at all.
@usableFromInline
struct WholeEntry<Value: Decodable, Conversion: ScalarConversion>: CollectionEntry {
  @usableFromInline let value: Value?
  @usableFromInline let outcome: ResilientDecodingOutcome

  @usableFromInline
  init(from decoder: any Decoder) throws {
    do {
      self.init(try decoder.decodeWhole(Value.self))
    } catch {
      try RecoveryBudget.spend(on: error)
      self.init(recoveringFrom: error, in: decoder)
    }
  }

  private init(_ value: Value) {
    self.value = value
    outcome = .decodedSuccessfully
  }

  // Not in `init(from:)`, which would look up metadata for it on each call.
  private init(recoveringFrom error: any Error, in decoder: any Decoder) {
    let converted = Conversion.convert(Value.self, from: decoder, after: error)
    value = converted.value
    decoder.report(converted.error, decoding: Value.self, as: converted.kind)
    outcome =
      value == nil ? .recoveredFrom(converted.error, wasReported: true) : .decodedSuccessfully
  }
}

/// An entry of whose value the good parts are kept.
struct PartsEntry<Value: Recoverable, Conversion: ScalarConversion>: CollectionEntry {
  let value: Value?
  let outcome: ResilientDecodingOutcome

  /// Whether nothing could be decoded; `value` is then that of a bad element.
  let isBad: Bool

  init(from decoder: any Decoder) throws {
    do {
      (value, outcome) = try Value.decodeParts(from: decoder, Conversion.self)
      isBad = false
    } catch {
      try RecoveryBudget.spend(on: error)
      decoder.report(error, decoding: Value.expectedType)
      (value, outcome) = (Value.whenBadElement, .recoveredFrom(error, wasReported: true))
      isBad = true
    }
  }
}

extension Dictionary where Key == String, Value: CollectionEntry {
  /// The values that were decoded, and the outcome of the dictionary.
  @inlinable var decoded: Decoded<[String: Value.Value]> {
    let isComplete = values.allSatisfy { $0.value != nil }
    // As many entries in the same places: no key is hashed again.
    return (isComplete ? mapValues { $0.value! } : compactMapValues(\.value), outcome)
  }

  /// The outcome of the dictionary.
  @usableFromInline var outcome: ResilientDecodingOutcome {
    var bad = BadElements<String>()
    #if DEBUG
      for (key, entry) in self { bad.add(entry.outcome, at: key, isKept: entry.value != nil) }
    #endif
    return bad.outcome
  }
}

extension KeyedDecodingContainer {
  /// Decodes entries, and also throws if a decoder returns none for a value that is not an array.
  ///
  /// XMLCoder returns none for an attribute.
  fileprivate func decodeEntries<Entry: CollectionEntry>(
    _ type: Entry.Type,
    forKey key: Key
  ) throws -> [Entry] {
    let entries = try decode([Entry].self, forKey: key)
    if entries.isEmpty { _ = try decoder(at: key)?.unkeyedContainer() }
    return entries
  }
}

extension RecoverableArray {
  static func decodePartsThroughArray<Key: CodingKey, Conversion: ScalarConversion>(
    from container: KeyedDecodingContainer<Key>,
    forKey key: Key,
    _ conversion: Conversion.Type
  ) throws -> Decoded<Self> {
    func elements<Entry: CollectionEntry>(
      of type: Entry.Type, _ element: (Entry) -> Element?
    ) throws -> Decoded<Self> {
      var elements: [Element] = []
      var bad = BadElements<Int>()
      for (index, entry) in try container.decodeEntries(Entry.self, forKey: key).enumerated() {
        let element = element(entry)
        if let element { elements.append(element) }
        bad.add(entry.outcome, at: index, isKept: element != nil)
      }
      return (Self(elements: elements), bad.outcome)
    }
    guard let recoverable = recoverable(Element.self) else {
      return try elements(of: WholeEntry<Element, Conversion>.self) { $0.value ?? replacement?() }
    }
    func parts<Part: Recoverable>(_ type: Part.Type) throws -> Decoded<Self> {
      try elements(of: PartsEntry<Part, Conversion>.self) { entry in
        if entry.isBad, let replacement { return replacement() }
        return entry.value.map { $0 as! Element }  // `Part` is `Element`.
      }
    }
    return try parts(recoverable)
  }
}

extension WholeEntry: ValueProxy {
  static var representedType: Any.Type { modelType(Value.self) }
}

extension PartsEntry: ValueProxy {
  static var representedType: Any.Type { Value.expectedType }
}
