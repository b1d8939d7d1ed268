// What differs between debug and release: debug builds remember how each property came about,
// release builds keep nothing and compile the rest to nothing.

#if DEBUG

  /// What happened when one property was decoded. Debug builds only.
  public enum ResilientDecodingOutcome: Sendable {
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

    static func absence<Key>(of key: Key, in container: KeyedDecodingContainer<Key>) -> Self {
      container.contains(key) ? .valueWasNil : .keyNotFound
    }

    /// The outcome of an array, without the elements that failed.
    static func array(without failures: ElementFailures<Int>) -> Self {
      failures.errors.isEmpty
        ? .decodedSuccessfully
        : .recoveredFrom(ArrayDecodingError(failures: failures.errors), wasReported: false)
    }

    /// The outcome of a dictionary, without the entries that failed.
    static func dictionary(without failures: ElementFailures<String>) -> Self {
      failures.errors.isEmpty
        ? .decodedSuccessfully
        : .recoveredFrom(DictionaryDecodingError(failures: failures.errors), wasReported: false)
    }

    /// The error of an array that misses elements. Debug builds only.
    public struct ArrayDecodingError: Error {
      /// The errors by the index that the element has in the payload.
      public let failures: [Int: any Error]
    }

    /// The error of a dictionary that misses entries. Debug builds only.
    public struct DictionaryDecodingError: Error {
      /// The errors by key.
      public let failures: [String: any Error]
    }
  }

  /// The errors of the elements of one array or dictionary.
  struct ElementFailures<Key: Hashable> {
    private(set) var errors: [Key: any Error] = [:]

    mutating func add(_ failure: ElementFailure, at key: Key) {
      errors[key] = failure.error
    }
  }

  /// That an element failed, and why.
  struct ElementFailure: Error {
    let error: any Error

    init(_ error: any Error) { self.error = error }
  }

  extension Resilient {
    /// How one property was decoded. Debug builds only.
    ///
    /// Of an array or a dictionary, `errors` and `results` tell about its elements.
    @dynamicMemberLookup
    public struct ProjectedValue {
      let wrappedValue: Value

      /// What happened.
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
    /// What became of each element of an array. Debug builds only.
    public struct ArrayElements<Element> {
      /// An element or its error, each in the place it has in the payload.
      ///
      /// Where the payload has no array: one failure.
      public let results: [Result<Element, any Error>]

      /// The errors of the elements in their order, or the one error of the whole array.
      public let errors: [any Error]

      fileprivate init(_ elements: [Element], _ error: (any Error)?) {
        guard let failures = (error as? ArrayDecodingError)?.failures else {
          results = error.map { [.failure($0)] } ?? elements.map { .success($0) }
          errors = error.map { [$0] } ?? []
          return
        }
        var rest = elements[...]
        results = (0..<elements.count + failures.count).map { index in
          failures[index].map { .failure($0) } ?? .success(rest.removeFirst())
        }
        errors = failures.sorted { $0.key < $1.key }.map(\.value)
      }
    }

    /// What became of each entry of a dictionary. Debug builds only.
    public struct DictionaryEntries<Value> {
      /// A value or its error by key; empty where the payload has no dictionary.
      public let results: [String: Result<Value, any Error>]

      /// The errors of the entries in the order of their keys, or the one of the whole dictionary.
      public let errors: [any Error]

      fileprivate init(_ values: [String: Value], _ error: (any Error)?) {
        let failures = (error as? DictionaryDecodingError)?.failures
        results = values.mapValues { .success($0) }
          .merging((failures ?? [:]).mapValues { .failure($0) }) { $1 }
        errors =
          failures?.sorted { $0.key < $1.key }.map(\.value)
          ?? error.map { [$0] } ?? []
      }
    }
  }

#else

  /// Nothing: a release build does not remember what happened to a property.
  struct ResilientDecodingOutcome: Sendable {
    static var decodedSuccessfully: Self { Self() }
    static var valueWasNil: Self { Self() }

    static func recoveredFrom(_ error: any Error, wasReported: Bool) -> Self { Self() }

    static func absence<Key>(of key: Key, in container: KeyedDecodingContainer<Key>) -> Self {
      Self()
    }

    static func array(without failures: ElementFailures<Int>) -> Self { Self() }
    static func dictionary(without failures: ElementFailures<String>) -> Self { Self() }
  }

  /// Nothing: errors are reported, and not kept a second time.
  struct ElementFailures<Key: Hashable> {
    mutating func add(_ failure: ElementFailure, at key: Key) {}
  }

  /// That an element failed.
  struct ElementFailure: Error {
    init(_ error: any Error) {}
  }

#endif
