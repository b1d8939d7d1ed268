/// One entry of a collection, decoded or not: it reports its own error and never throws.
@usableFromInline
protocol CollectionEntry: Decodable {
  associatedtype Value

  /// The value; nil when it is left out.
  var value: Value? { get }

  /// What happened to it.
  var failure: EntryFailure { get }
}

/// A value that is good or not.
@usableFromInline
struct Entry<Value: Decodable, Leaves: LeafRecovery>: CollectionEntry {
  @usableFromInline let value: Value?
  @usableFromInline let failure: EntryFailure

  @inlinable
  init(from decoder: any Decoder) throws {
    do {
      // Through a container, so that a decoder can treat `Date`, `URL` and others its own way.
      self.init(try decoder.singleValueContainer().decodeAny(Value.self))
    } catch {
      self.init(recoveringFrom: error, in: decoder)
    }
  }

  @inlinable
  init(_ value: Value) {
    self.value = value
    self.failure = .none
  }

  @usableFromInline
  init(recoveringFrom error: any Error, in decoder: any Decoder) {
    value = Leaves.convert(Value.self, from: decoder)
    decoder.report(error, decoding: Value.self, as: value == nil ? nil : .converted)
    failure = value == nil ? EntryFailure(error, isReplaced: false) : .none
  }
}

/// A value of which parts may be good.
struct PartEntry<Value: Recoverable, Leaves: LeafRecovery>: CollectionEntry {
  let value: Value?
  let failure: EntryFailure

  /// Whether nothing could be decoded, so that `value` is what a bad element becomes.
  let isBad: Bool

  init(from decoder: any Decoder) throws {
    do {
      let (value, outcome) = try Value.recovered(from: decoder, Leaves.self)
      self.value = value
      self.failure = EntryFailure(outcome)
      isBad = false
    } catch {
      decoder.report(error, decoding: Value.expectedType)
      isBad = true
      value = Value.whenBadElement
      failure = EntryFailure(error, isReplaced: value != nil)
    }
  }

  /// Decodes it by way of an `Array`, for a decoder that gives an array to nothing else.
  init<Key: CodingKey>(asArrayIn container: KeyedDecodingContainer<Key>, forKey key: Key) {
    do {
      let (value, outcome) = try Value.recoveredAsArray(from: container, forKey: key, Leaves.self)
      self.value = value
      self.failure = EntryFailure(outcome)
      isBad = false
    } catch {
      container.report(error, forKey: key, decoding: Value.expectedType)
      isBad = true
      value = Value.whenBadElement
      failure = EntryFailure(error, isReplaced: value != nil)
    }
  }
}

extension Dictionary where Key == String, Value: CollectionEntry {
  /// The values that were decoded.
  @inlinable var recovered: (value: [String: Value.Value], outcome: ResilientDecodingOutcome) {
    var failures = ElementFailures<String>()
    failures.add(self)
    let isWhole = values.allSatisfy { $0.value != nil }
    // As many entries in the same places: nothing is hashed a second time.
    return (
      isWhole ? mapValues { $0.value! } : compactMapValues(\.value), .dictionary(without: failures)
    )
  }
}

extension KeyedDecodingContainer {
  /// Decodes the elements of an array by way of an `Array`, each of which recovers by itself.
  ///
  /// - Parameter replacement: what stands in for a bad element, which is left out without one.
  /// - Throws: when there is something else altogether.
  func entries<Element: Decodable, Leaves: LeafRecovery>(
    _ type: Element.Type,
    forKey key: Key,
    _ leaves: Leaves.Type,
    replacement: (() -> Element)? = nil
  ) throws -> [Element].Recovered {
    guard let recoverable = recoverable(Element.self) else {
      return try array(of: Entry<Element, Leaves>.self, forKey: key).recovered {
        $0.value ?? replacement?()
      }
    }
    func parts<R: Recoverable>(_ type: R.Type) throws -> [Element].Recovered {
      try array(of: PartEntry<R, Leaves>.self, forKey: key).recovered { entry in
        if entry.isBad, let replacement { return replacement() }
        return entry.value.map { $0 as! Element }  // `R` is `Element`.
      }
    }
    return try parts(recoverable)
  }

  /// Decodes entries, and throws also where a decoder has none for what is no array.
  ///
  /// XMLCoder has none for an attribute.
  private func array<Entry: CollectionEntry>(
    of type: Entry.Type,
    forKey key: Key
  ) throws -> [Entry] {
    let entries = try decode([Entry].self, forKey: key)
    if entries.isEmpty { _ = try decoder(at: key)?.unkeyedContainer() }
    return entries
  }
}

extension Array where Element: CollectionEntry {
  fileprivate func recovered<Value>(
    _ value: (Element) -> Value?
  ) -> (value: [Value], outcome: ResilientDecodingOutcome) {
    var values: [Value] = []
    var failures = ElementFailures<Int>()
    for (index, entry) in enumerated() {
      let value = value(entry)
      if let value { values.append(value) }
      failures.add(entry.failure, at: index, isReplaced: entry.value == nil && value != nil)
    }
    return (values, .array(without: failures))
  }
}
