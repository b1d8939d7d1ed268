extension ErrorDigest {
  /// A digest in the making, in bounded memory however much is reported.
  struct Collector {
    private let maximumEntries: Int
    private var entries: [Entry] = []
    private var omissions: [Omission] = []
    private var omissionIndices: [Failure: Int] = [:]

    /// The last one that was counted, and where: errors of one failure come one after the other.
    private var lastOmission: (glance: Incident.Glance, index: Int)?

    init(maximumEntries: Int) {
      self.maximumEntries = max(1, maximumEntries)
    }

    /// Whether another error can only be counted.
    var isFull: Bool { entries.count >= maximumEntries }

    mutating func add(_ entry: Entry) {
      if isFull {
        omit(entry.failure, count: 1, message: entry.message)
      } else {
        entries.append(entry)
      }
    }

    /// Counts an error like the last one, if it is; that is nearly every one there is.
    mutating func omitAtAGlance(_ glance: Incident.Glance?) -> Bool {
      guard let glance, let lastOmission, lastOmission.glance == glance else { return false }
      omissions[lastOmission.index].count += 1
      return true
    }

    /// Counts an error, of which nothing else is kept.
    mutating func omit(_ failure: Failure, message: String, glance: Incident.Glance?) {
      let index = omit(failure, count: 1, message: message)
      lastOmission = glance.map { ($0, index) }
    }

    @discardableResult
    private mutating func omit(_ failure: Failure, count: Int, message: String) -> Int {
      let index = indexOfOmission(of: failure, message: message)
      omissions[index].count += count
      return index
    }

    mutating func add(_ omissions: [Omission]) {
      for omission in omissions {
        omit(omission.failure, count: omission.count, message: omission.message)
      }
    }

    mutating func flush() -> ErrorDigest? {
      guard !entries.isEmpty || !omissions.isEmpty else { return nil }
      defer {
        entries = []
        omissions = []
        omissionIndices = [:]
        lastOmission = nil
      }
      return ErrorDigest(
        entries: entries.sortedByDictionaryKeys(),
        omissions: omissions.sorted { $0.sortKey < $1.sortKey }
      )
    }

    /// Finds where errors of a failure are counted: by themselves while there is room for another
    /// failure, then without the value, then all as one. No payload can fill the memory with
    /// failures of its making.
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
