import ResilientDecoding

/// Digests of a store that follow each other, as lines of NDJSON.
package struct DigestPage: Sendable {
  /// The number of the first of them in the store, and of the last.
  package let numbers: ClosedRange<Int64>

  /// Between which moments they were recorded, in milliseconds since 1970.
  package let moments: ClosedRange<Int64>

  /// How many there are.
  package let digests: Int

  /// The numbers of the failures that they have, in their order.
  package let failures: [Int64]

  /// What an export writes of them.
  package let lines: [UInt8]
}

extension DigestPage {
  /// A text as it stands in a line, between its quotation marks.
  package static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.append(jsonContents: text)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension DigestStore {
  /// How many bytes of lines are a page: few enough to look at for one digest, and enough to be packed
  /// well.
  private static let page = 1 << 16

  /// Hands over the digests behind one, in the order of writing; those that are evicted meanwhile are
  /// missing.
  ///
  /// - Parameters:
  ///   - number: of the last digest that is not wanted; 0 for all.
  ///   - last: the number of the last that is.
  /// - Returns: how many digests cannot be read, and were skipped.
  package func forEachDigestPage(
    behind number: Int64, through last: Int64, _ body: (DigestPage) throws -> Void
  ) throws -> Int {
    var rest = number < last ? number + 1...last : nil
    let pages = Locked(LineExporter(DigestFilter(), .ndjson, fullPage: Self.page))
    var unreadable = 0
    while let numbers = rest {
      let (page, end) = try snapshot { snapshot in
        try pages.withLock { try snapshot.digestPage(in: numbers, &$0) }
      }
      if let page { try body(page) }
      unreadable += end.unreadable
      rest = end.rest
    }
    return unreadable
  }

  /// The numbers of the failures that a filter lets through, in their order; nil where it does not
  /// choose any.
  package func failureNumbers(matching filter: DigestFilter) throws -> [Int64]? {
    try snapshot { try $0.chosen(filter) }
  }
}

extension Snapshot {
  fileprivate func digestPage(
    in numbers: ClosedRange<Int64>, _ pages: inout LineExporter
  ) throws -> (DigestPage?, PageEnd) {
    var found: (first: Int64, last: Int64, digests: Int)?
    var moments: (first: Int64, last: Int64) = (.max, .min)
    var failures: Set<Int64> = []
    let (text, end) = try pages.page(of: numbers, on: connection) { digest in
      found = (found?.first ?? digest.id, digest.id, (found?.digests ?? 0) + 1)
      moments.first = min(moments.first, digest.recordedAt.milliseconds)
      moments.last = max(moments.last, digest.recordedAt.milliseconds)
      for bytes in [digest.entries, digest.omissions] {
        var entries = EntryReader(bytes)
        while try entries.next() { failures.insert(entries.failure) }
      }
    }
    guard let found else { return (nil, end) }
    let page = DigestPage(
      numbers: found.first...found.last, moments: moments.first...moments.last,
      digests: found.digests, failures: failures.sorted(), lines: text.bytes)
    return (page, end)
  }
}
