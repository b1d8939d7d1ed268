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
