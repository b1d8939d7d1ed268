import ResilientDecoding
import ResilientPlatform

/// Consecutive digests of a store, as lines of NDJSON.
package struct DigestPage: Sendable {
  /// The numbers of the first and the last digest in the store.
  package let numbers: ClosedRange<Int64>

  /// The earliest and latest times of recording, in milliseconds since 1970.
  package let moments: ClosedRange<Int64>

  /// The number of digests.
  package let digests: Int

  /// The numbers of their failures, in ascending order.
  package let failures: [Int64]

  /// The lines that an export would write.
  package let lines: [UInt8]
}

extension DigestPage {
  /// A text escaped for a line, without the quotation marks.
  package static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.append(jsonContents: text)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension DigestReader {
  /// The length of a page, in bytes of lines: short enough to search for one digest, and long
  /// enough to compress well.
  private static let page = 1 << 16

  /// Reads the digests after a given one, in the order of writing. Digests that are evicted
  /// meanwhile are missing.
  ///
  /// - Parameters:
  ///   - number: the number of the last digest to skip; 0 for none.
  ///   - last: the number of the last digest to read.
  /// - Returns: the number of digests that were skipped because they cannot be read.
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
      var reader = digest.reader
      while try reader.next() { failures.insert(reader.failure) }
    }
    guard let found else { return (nil, end) }
    let page = DigestPage(
      numbers: found.first...found.last, moments: moments.first...moments.last,
      digests: found.digests, failures: failures.sorted(), lines: text.bytes)
    return (page, end)
  }
}
