import DigestStore
import ResilientPlatform

/// The pages of digests, as lines of NDJSON, that some stores have sent to a fleet.
protocol DigestPages: AnyObject {
  /// Returns how many digests the stores have counted, and how many of them were sent.
  func completeness() throws -> (counted: Int, sent: Int)

  /// Calls `body` with some pages at a time that have the digests of a filter, among others.
  ///
  /// - Parameter body: gets the time of the latest remaining digest in the order ``DigestPageOrder/latest``, and
  ///   returns whether to continue.
  func forEachPages(
    matching filter: DigestFilter, in order: DigestPageOrder,
    _ body: (_ pages: [String], _ next: Date?) throws -> Bool
  ) throws

  /// Returns at most 100 pages that have a digest with a number, of stores whose identity has a beginning.
  func pages(ofDigest number: Int64, inStoresFrom prefix: String) throws -> [String]

  /// Returns at most 100 pages that contain a text.
  func pages(containing text: String) throws -> [String]
}

/// The order of pages.
enum DigestPageOrder {
  /// By store, then in the order of writing.
  case written

  /// By the time of the last digest, the latest first.
  case latest

  /// How many pages to read at first. The latest pages are often enough.
  var firstPages: Int { self == .latest ? 2 : 64 }

  /// The most pages to read at once.
  static let mostPages = 64
}
