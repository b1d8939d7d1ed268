// What differs between debug and release: debug builds remember how each property came about,
// release builds keep nothing and compile the rest to nothing.

#if DEBUG

  /// What happened when one property was decoded. Debug builds only.
  public enum ResilientDecodingOutcome: Sendable {
    /// The value is what the payload has, or one that the program has set.
    case decodedSuccessfully

    /// The key was missing where that is no error.
    case keyNotFound

    /// The value was null where that is no error.
    case valueWasNil

    /// The value is a fallback, or misses elements.
    ///
    /// `wasReported` is false for an array or dictionary that misses elements: each of its
    /// elements was reported on its own.
    case recoveredFrom(any Error, wasReported: Bool)

    @usableFromInline
    static func absence<Key>(of key: Key, in container: KeyedDecodingContainer<Key>) -> Self {
      container.contains(key) ? .valueWasNil : .keyNotFound
    }

    /// The outcome of an array, without the elements that failed.
    @usableFromInline
    static func array(without failures: ElementFailures<Int>) -> Self {
      failures.all.isEmpty
        ? .decodedSuccessfully
        : .recoveredFrom(ArrayDecodingError(failures), wasReported: false)
    }

    /// The outcome of a dictionary, without the entries that failed.
    @usableFromInline
    static func dictionary(without failures: ElementFailures<String>) -> Self {
      failures.all.isEmpty
        ? .decodedSuccessfully
        : .recoveredFrom(DictionaryDecodingError(failures), wasReported: false)
    }

    /// The error of an array that misses elements. Debug builds only.
    public struct ArrayDecodingError: Error {
      /// The errors by the index that the element has in the payload.
      public var failures: [Int: any Error] { elements.errors }

      let elements: ElementFailures<Int>

      fileprivate init(_ elements: ElementFailures<Int>) { self.elements = elements }
    }

    /// The error of a dictionary that misses entries. Debug builds only.
    public struct DictionaryDecodingError: Error {
      /// The errors by key.
      public var failures: [String: any Error] { entries.errors }

      let entries: ElementFailures<String>

      fileprivate init(_ entries: ElementFailures<String>) { self.entries = entries }
    }
  }

  /// What went wrong with the elements of one array or dictionary.
  @usableFromInline
  struct ElementFailures<Key: Hashable & Sendable>: Sendable {
    private(set) var all: [Key: ElementFailure] = [:]

    @usableFromInline
    init() {}

    var errors: [Key: any Error] { all.mapValues(\.error) }

    mutating func add(_ error: any Error, at key: Key, isReplaced: Bool) {
      all[key] = ElementFailure(error: error, remains: isReplaced ? .replacement : .nothing)
    }

    /// Adds what happened to an element that is there.
    mutating func add(_ outcome: ResilientDecodingOutcome, at key: Key) {
      all[key] = ElementFailure(outcome)
    }

    mutating func add(_ failure: EntryFailure, at key: Key, isReplaced: Bool = false) {
      all[key] = failure.failure.map {
        isReplaced ? ElementFailure(error: $0.error, remains: .replacement) : $0
      }
    }

    @usableFromInline
    mutating func add<Entry: CollectionEntry>(_ entries: [Key: Entry]) {
      for (key, entry) in entries { add(entry.failure, at: key) }
    }
  }

  /// Why an element was not wholly decoded, and what there is of it.
  struct ElementFailure: Sendable {
    enum Remains {
      case nothing
      case replacement
      case part
    }

    let error: any Error
    let remains: Remains

    init(error: any Error, remains: Remains) {
      self.error = error
      self.remains = remains
    }

    init?(_ outcome: ResilientDecodingOutcome) {
      guard case .recoveredFrom(let error, let wasReported) = outcome else { return nil }
      // An error that was not reported is that of elements in the element.
      self.init(error: error, remains: wasReported ? .replacement : .part)
    }
  }

  /// What went wrong with one entry of a dictionary, if anything.
  @usableFromInline
  struct EntryFailure {
    fileprivate let failure: ElementFailure?

    @usableFromInline static var none: Self { Self(failure: nil) }

    private init(failure: ElementFailure?) { self.failure = failure }

    init(_ error: any Error, isReplaced: Bool) {
      failure = ElementFailure(error: error, remains: isReplaced ? .replacement : .nothing)
    }

    init(_ outcome: ResilientDecodingOutcome) { failure = ElementFailure(outcome) }
  }

#else

  /// Nothing: a release build does not remember what happened to a property.
  @usableFromInline
  struct ResilientDecodingOutcome: Sendable {
    @inlinable
    init() {}

    @inlinable static var decodedSuccessfully: Self { Self() }
    @inlinable static var valueWasNil: Self { Self() }

    @inlinable
    static func recoveredFrom(_ error: any Error, wasReported: Bool) -> Self { Self() }

    @inlinable
    static func absence<Key>(of key: Key, in container: KeyedDecodingContainer<Key>) -> Self {
      Self()
    }

    @inlinable
    static func array(without failures: ElementFailures<Int>) -> Self { Self() }
    @inlinable
    static func dictionary(without failures: ElementFailures<String>) -> Self { Self() }
  }

  /// Nothing: errors are reported, and not kept a second time.
  @usableFromInline
  struct ElementFailures<Key: Hashable & Sendable> {
    @inlinable
    init() {}

    mutating func add(_ error: any Error, at key: Key, isReplaced: Bool) {}
    mutating func add(_ outcome: ResilientDecodingOutcome, at key: Key) {}
    mutating func add(_ failure: EntryFailure, at key: Key, isReplaced: Bool = false) {}
    @inlinable
    mutating func add<Entry: CollectionEntry>(_ entries: [Key: Entry]) {}
  }

  /// Nothing.
  @usableFromInline
  struct EntryFailure {
    @inlinable static var none: Self { Self() }

    @usableFromInline
    init() {}

    init(_ error: any Error, isReplaced: Bool) {}
    init(_ outcome: ResilientDecodingOutcome) {}
  }

#endif
