extension ErrorDigest {
  /// A digest under construction. Its memory is bounded, however many errors are reported.
  struct Collector {
    private let maximumEntries: Int
    private var entries: [Entry] = []

    /// The number of entries of kind `missingKey`. They take at most half of the room, so that they
    /// displace no error.
    private var missingKeys = 0

    private var omissions: [Omission] = []
    private var omissionIndices: [Failure: Int] = [:]

    /// The last counted error: nearly all errors repeat the one before.
    private var lastCounted: (key: CollectedFailure, index: Int)?

    /// The bad members found after errors that do not name them. Nil is one that was not found.
    private var badMembers: [CollectedFailure: BadMember?] = [:]

    init(maximumEntries: Int) {
      self.maximumEntries = max(1, maximumEntries)
    }

    var isEmpty: Bool { entries.isEmpty && omissions.isEmpty }

    /// Whether the next error is only counted.
    var isFull: Bool { entries.count >= maximumEntries }

    mutating func add(_ entry: Entry) {
      if entry.kind == .missingKey { missingKeys += 1 }
      if isFull || entry.kind == .missingKey && missingKeys > max(1, maximumEntries / 2) {
        count(entry.failure, message: entry.message, key: nil)
      } else {
        entries.append(entry)
      }
    }

    /// Returns the member found last for an error that is only counted. The value is decoded again
    /// to find one for at most as many errors as there are entries, and then for one of each key.
    func badMember(_ key: CollectedFailure) -> BadMember?? {
      guard isFull else { return nil }
      return badMembers[key] ?? (badMembers.count < maximumEntries ? nil : .some(nil))
    }

    mutating func remember(_ member: BadMember?, for key: CollectedFailure) {
      if badMembers.count < maximumEntries || badMembers[key] != nil {
        badMembers[key] = .some(member)
      }
    }

    /// Counts an error if it repeats the last one.
    ///
    /// - Returns: Whether it was counted.
    mutating func countRepeat(of key: CollectedFailure?) -> Bool {
      guard let key, let lastCounted, lastCounted.key == key else { return false }
      omissions[lastCounted.index].count += 1
      return true
    }

    /// Counts an error without keeping an entry.
    mutating func count(_ failure: Failure, message: String, key: CollectedFailure?) {
      let index = indexOfOmission(of: failure, message: message)
      omissions[index].count += 1
      lastCounted = key.map { ($0, index) }
    }

    mutating func add(_ omissions: [Omission]) {
      for omission in omissions {
        let index = indexOfOmission(of: omission.failure, message: omission.message)
        self.omissions[index].count += omission.count
      }
    }

    mutating func flush() -> ErrorDigest? {
      guard !isEmpty else { return nil }
      defer { self = Self(maximumEntries: maximumEntries) }
      return ErrorDigest(
        entries: entries.sortedByDictionaryKeys(),
        omissions: omissions.sorted { $0.sortPath }
      )
    }

    /// Returns the index of the omission that counts a failure.
    ///
    /// Beyond a limit of different failures it counts them without their novel values, and beyond a
    /// second limit all as one, so that no payload can fill the memory with failures.
    private mutating func indexOfOmission(of failure: Failure, message: String) -> Int {
      var coarse = failure
      if omissionIndices[coarse] == nil, omissions.count >= maximumEntries {
        coarse.novelValue = nil
      }
      if omissionIndices[coarse] == nil, omissions.count / 2 >= maximumEntries {
        coarse = .anything
      }
      if let index = omissionIndices[coarse] { return index }
      let isCoarser = coarse != failure
      omissionIndices[coarse] = omissions.count
      omissions.append(
        Omission(
          failure: coarse,
          message: isCoarser ? "One of too many different errors" : message,
          count: 0
        )
      )
      return omissions.count - 1
    }
  }
}

/// Identifies repeats of a failure, and is cheaper to create than the failure.
struct CollectedFailure: Hashable {
  private let pattern: ErrorDigest.Path
  private let kind: ErrorDigest.Kind
  private let type: ObjectIdentifier?

  init(pattern: ErrorDigest.Path, kind: ErrorDigest.Kind, type: Any.Type?) {
    (self.pattern, self.kind, self.type) = (pattern, kind, type.map { ObjectIdentifier($0) })
  }
}

extension ErrorDigest.Failure {
  /// The failure under which errors beyond the limits are counted.
  fileprivate static let anything = Self(codingPath: ErrorDigest.Path(), kind: .other)
}

extension ErrorDigest.Omission {
  /// A path that sorts omissions by the texts of their failures.
  fileprivate var sortPath: ErrorDigest.Path {
    let texts = [
      failure.codingPath.description, failure.kind.rawValue, failure.expectedType ?? "",
      failure.novelValue?.text ?? "", failure.body?.rawValue ?? "",
    ]
    return ErrorDigest.Path(texts.map { .key($0) })
  }
}

extension [ErrorDigest.Entry] {
  /// Sorts the entries within each dictionary by its keys.
  ///
  /// Decoders walk a dictionary in hash order, which differs between runs. The entries of one
  /// walk are adjacent: they have the number of the first one, and then their keys.
  fileprivate func sortedByDictionaryKeys() -> Self {
    var previous: [(component: ErrorDigest.Path.Component, number: Int)] = []
    let paths = enumerated().map { number, entry in
      var isBelowPrevious = true
      previous = entry.codingPath.components.enumerated().map { level, component in
        guard isBelowPrevious, level < previous.count else { return (component, number) }
        let (other, first) = previous[level]
        isBelowPrevious = component == other
        let isSibling = component.isDictionaryKey && other.isDictionaryKey
        return (component, isBelowPrevious || isSibling ? first : number)
      }
      let steps = previous.flatMap {
        [.index($0.number)] + ($0.component.isDictionaryKey ? [$0.component] : [])
      }
      return ErrorDigest.Path(steps + [.index(number)])
    }
    return [Int](indices).sorted { paths[$0] }.map { self[$0] }
  }
}

extension ErrorDigest.Path.Component {
  fileprivate var isDictionaryKey: Bool {
    if case .dictionaryKey = self { true } else { false }
  }
}
