// Debug builds record how each property was decoded. In release builds, these types are empty.

#if DEBUG

  /// How one property was decoded. Debug builds only.
  public enum ResilientDecodingOutcome: Sendable {
    /// The value is the payload's, or the program has set it.
    case decodedSuccessfully

    /// The key was missing, which is not an error here.
    case keyNotFound

    /// The value was null, which is not an error here.
    case valueWasNil

    /// The value is a fallback, or elements are missing from it.
    ///
    /// `wasReported` is false for an array or dictionary with missing elements: each element was
    /// reported by itself.
    case recoveredFrom(any Error, wasReported: Bool)

    /// The error of an array with missing elements. Debug builds only.
    public struct ArrayDecodingError: Error {
      /// The errors by the element's index in the payload.
      public var failures: [Int: any Error] { elements.errors }

      let elements: BadElements<Int>

      init(_ elements: BadElements<Int>) { self.elements = elements }
    }

    /// The error of a dictionary with missing entries. Debug builds only.
    public struct DictionaryDecodingError: Error {
      /// The errors by key.
      public var failures: [String: any Error] { entries.errors }

      let entries: BadElements<String>

      init(_ entries: BadElements<String>) { self.entries = entries }
    }
  }

  /// Why an element was not completely decoded, and what remains of it.
  struct BadElement: Sendable {
    enum Remains {
      case nothing
      case replacement
      case part
    }

    let error: any Error
    let remains: Remains

    /// Nil if the element was decoded completely.
    init?(_ outcome: ResilientDecodingOutcome, isKept: Bool) {
      guard case .recoveredFrom(let error, let wasReported) = outcome else { return nil }
      self.error = error
      // An error that was not reported itself is that of elements within the element.
      let remains: Remains = wasReported ? .replacement : .part
      self.remains = isKept ? remains : .nothing
    }
  }

#else

  /// Empty: release builds do not record outcomes.
  @usableFromInline
  struct ResilientDecodingOutcome: Sendable {
    @inlinable
    init() {}

    @inlinable static var decodedSuccessfully: Self { Self() }
    static var valueWasNil: Self { Self() }

    static func recoveredFrom(_ error: any Error, wasReported: Bool) -> Self { Self() }
  }

#endif

extension ResilientDecodingOutcome {
  /// The outcome of a property whose key is missing or holds null.
  static func absence<Key>(of key: Key, in container: KeyedDecodingContainer<Key>) -> Self {
    #if DEBUG
      return container.contains(key) ? .valueWasNil : .keyNotFound
    #else
      return .valueWasNil
    #endif
  }
}

/// The errors of the elements of one array or dictionary; empty in release builds.
struct BadElements<Key: Hashable & Sendable>: Sendable {
  #if DEBUG
    var all: [Key: BadElement] = [:]

    var errors: [Key: any Error] { all.mapValues(\.error) }
  #endif

  /// Records the outcome of an element.
  ///
  /// - Parameter isKept: Whether the array or dictionary has an element in this place.
  mutating func add(_ outcome: ResilientDecodingOutcome, at key: Key, isKept: Bool = true) {
    #if DEBUG
      all[key] = BadElement(outcome, isKept: isKept)
    #endif
  }
  /// The outcome of the array or dictionary.
  var outcome: ResilientDecodingOutcome {
    #if DEBUG
      let error: (any Error)? =
        switch self {
        case _ where all.isEmpty: nil
        case let elements as BadElements<Int>: ResilientDecodingOutcome.ArrayDecodingError(elements)
        case let entries as BadElements<String>:
          ResilientDecodingOutcome.DictionaryDecodingError(entries)
        default: nil
        }
      if let error { return .recoveredFrom(error, wasReported: false) }
    #endif
    return .decodedSuccessfully
  }
}

// The projected value of a property, `$property`, in debug builds.

#if DEBUG

  extension Resilient {
    /// How one property was decoded. Debug builds only.
    ///
    /// For an array or a dictionary, `errors` and `results` describe its elements.
    @dynamicMemberLookup
    public struct ProjectedValue {
      let wrappedValue: Value

      /// How the property was decoded.
      public let outcome: ResilientDecodingOutcome

      /// The error that was recovered from, if any.
      public var error: (any Error)? {
        guard case .recoveredFrom(let error, _) = outcome else { return nil }
        return error
      }

      /// Looks up `errors` or `results` of an array.
      public subscript<Element, Member>(
        dynamicMember member: KeyPath<ResilientDecodingOutcome.ArrayElements<Element>, Member>
      ) -> Member where Value == [Element] {
        ResilientDecodingOutcome.ArrayElements(wrappedValue, error)[keyPath: member]
      }

      /// Looks up `errors` or `results` of an optional array.
      public subscript<Element, Member>(
        dynamicMember member: KeyPath<ResilientDecodingOutcome.ArrayElements<Element>, Member>
      ) -> Member where Value == [Element]? {
        ResilientDecodingOutcome.ArrayElements(wrappedValue ?? [], error)[keyPath: member]
      }

      /// Looks up `errors` or `results` of a dictionary.
      public subscript<Element, Member>(
        dynamicMember member: KeyPath<ResilientDecodingOutcome.DictionaryEntries<Element>, Member>
      ) -> Member where Value == [String: Element] {
        ResilientDecodingOutcome.DictionaryEntries(wrappedValue, error)[keyPath: member]
      }

      /// Looks up `errors` or `results` of an optional dictionary.
      public subscript<Element, Member>(
        dynamicMember member: KeyPath<ResilientDecodingOutcome.DictionaryEntries<Element>, Member>
      ) -> Member where Value == [String: Element]? {
        ResilientDecodingOutcome.DictionaryEntries(wrappedValue ?? [:], error)[keyPath: member]
      }
    }
  }

  extension ResilientDecodingOutcome {
    /// The results of decoding the elements of an array. Debug builds only.
    public struct ArrayElements<Element> {
      /// Each element or its error, in the order of the payload.
      ///
      /// One failure if the payload has no array.
      public let results: [Result<Element, any Error>]

      /// The errors of the elements in order, or the one error of the whole array.
      public let errors: [any Error]

      fileprivate init(_ elements: [Element], _ error: (any Error)?) {
        guard let bad = (error as? ArrayDecodingError)?.elements.all else {
          results = error.map { [.failure($0)] } ?? elements.map { .success($0) }
          errors = error.map { [$0] } ?? []
          return
        }
        let dropped = bad.values.count { $0.remains == .nothing }
        var rest = elements[...]
        results = (0..<elements.count + dropped).map { index in
          let element = bad[index]?.remains == .nothing ? nil : rest.popFirst()
          if let bad = bad[index], bad.remains != .part { return .failure(bad.error) }
          return .success(element!)  // There are as many elements as indices that kept one.
        }
        errors = bad.sorted { $0.key < $1.key }.map(\.value.error)
      }
    }

    /// The results of decoding the entries of a dictionary. Debug builds only.
    public struct DictionaryEntries<Value> {
      /// Each value or its error, by key; empty if the payload has no dictionary.
      public let results: [String: Result<Value, any Error>]

      /// The errors of the entries, sorted by key, or the one error of the whole dictionary.
      public let errors: [any Error]

      fileprivate init(_ values: [String: Value], _ error: (any Error)?) {
        let bad = (error as? DictionaryDecodingError)?.entries.all
        results = values.mapValues { .success($0) }
          .merging(
            (bad ?? [:]).filter { $0.value.remains != .part }
              .mapValues { .failure($0.error) }
          ) { $1 }
        errors =
          bad?.sorted { $0.key < $1.key }.map(\.value.error)
          ?? error.map { [$0] } ?? []
      }
    }
  }

#endif
