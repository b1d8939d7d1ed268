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
