extension ErrorDigest {
  /// A digest in the making, in bounded memory however much is reported.
  struct Collector {
    private let maximumEntries: Int
    private var entries: [Entry] = []
    private var omissions: [Failure: Omission] = [:]

    init(maximumEntries: Int) {
      self.maximumEntries = max(1, maximumEntries)
    }

    mutating func add(_ entry: Entry) {
      if entries.count < maximumEntries {
        entries.append(entry)
      } else {
        omit(Omission(failure: entry.failure, message: entry.message, count: 1))
      }
    }

    mutating func add(_ digest: ErrorDigest) {
      for entry in digest.entries { add(entry) }
      for omission in digest.omissions { omit(omission) }
    }

    mutating func flush() -> ErrorDigest? {
      guard !entries.isEmpty else { return nil }
      defer {
        entries = []
        omissions = [:]
      }
      return ErrorDigest(
        entries: entries.sortedByDictionaryKeys(),
        omissions: omissions.values.sorted { $0.sortKey < $1.sortKey }
      )
    }

    /// Counts by failure while there is room for another one, then without its value, then all as
    /// one: no payload can fill the memory with failures of its making.
    private mutating func omit(_ omission: Omission) {
      var failure = omission.failure
      if omissions[failure] == nil, omissions.count >= maximumEntries { failure.novelValue = nil }
      if omissions[failure] == nil, omissions.count >= 2 * maximumEntries { failure = .anything }
      omissions[failure, default: Omission(failure, of: omission)].count += omission.count
    }
  }
}

extension ErrorDigest.Failure {
  /// What is left to say of an error when there are too many different ones.
  fileprivate static let anything = Self(
    codingPath: ErrorDigest.Path(),
    kind: .other,
    expectedType: nil,
    novelValue: nil
  )
}

extension ErrorDigest.Omission {
  /// Begins to count errors of a failure, the first of which is one of `omission`.
  fileprivate init(_ failure: ErrorDigest.Failure, of omission: Self) {
    let isCoarser = failure != omission.failure
    self.init(
      failure: failure,
      message: isCoarser ? "One of too many different errors" : omission.message,
      count: 0
    )
  }

  fileprivate var sortKey: (String, String, String, String) {
    (
      failure.codingPath.description, failure.kind.rawValue, failure.expectedType ?? "",
      failure.novelValue?.text ?? ""
    )
  }
}

extension [ErrorDigest.Entry] {
  /// Puts what stands under one dictionary in the order of its keys.
  ///
  /// Decoders walk a dictionary in the order of its hashes, which is another one in each run. A
  /// walk is not interrupted: its entries are neighbours, and sorting never leaves their run.
  fileprivate func sortedByDictionaryKeys() -> Self {
    var sorted = self
    let depth = map { $0.codingPath.components.count }.max() ?? 0
    for level in 0..<depth where contains(where: { $0.dictionaryKey(at: level) != nil }) {
      var start = sorted.startIndex
      while start < sorted.endIndex {
        let first = sorted[start]
        let next = sorted[(start + 1)...].firstIndex { !$0.isSibling(of: first, at: level) }
        let end = next ?? sorted.endIndex
        if end - start > 1 {
          let run = sorted[start..<end].stablySorted { $0.dictionaryKey(at: level) ?? "" }
          sorted.replaceSubrange(start..<end, with: run)
        }
        start = end
      }
    }
    return sorted
  }
}

extension ErrorDigest.Entry {
  fileprivate func dictionaryKey(at level: Int) -> String? {
    guard codingPath.components.count > level,
      case .dictionaryKey(let key) = codingPath.components[level]
    else { return nil }
    return key
  }

  fileprivate func isSibling(of other: Self, at level: Int) -> Bool {
    dictionaryKey(at: level) != nil && other.dictionaryKey(at: level) != nil
      && codingPath.components.prefix(level) == other.codingPath.components.prefix(level)
  }
}

extension Collection {
  fileprivate func stablySorted<Key: Comparable>(by key: (Element) -> Key) -> [Element] {
    enumerated()
      .sorted { (key($0.element), $0.offset) < (key($1.element), $1.offset) }
      .map(\.element)
  }
}
