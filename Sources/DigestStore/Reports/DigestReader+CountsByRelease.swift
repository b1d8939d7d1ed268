/// A number of errors of one model, kind and release, or of decodes of one model and release.
package struct CountByRelease: Sendable, Hashable {
  /// The model, module-qualified, as in `App.Listing`.
  package let model: String
  /// The raw value of an `ErrorDigest.Kind`; nil for decodes.
  package let kind: String?
  /// The release; nil for digests without one.
  package let release: String?
  package let count: Int
}

extension DigestReader {
  /// Counts errors by model, kind and release, in no particular order.
  ///
  /// - Parameter filter: the errors to count.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func errorsByRelease(
    matching filter: DigestFilter = DigestFilter()
  ) throws -> [CountByRelease] {
    try snapshot { connection in
      try GroupedCounts(
        connection, filter, in: connection.widened(filter.window), by: [.model, .kind, .release]
      ).rows().map {
        CountByRelease(
          model: $0.names[0].text, kind: $0.names[1].text, release: $0[2],
          count: Int(clamping: $0.occurrences))
      }
    }
  }

  /// Counts decodes by model and release, in no particular order.
  ///
  /// The counts add up to those of ``decodeCounts(matching:)``, and have the same window.
  ///
  /// - Parameter filter: paths, kinds and novel values do not limit the decodes.
  /// - Returns: nil if no decode without errors was counted.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func decodesByRelease(
    matching filter: DigestFilter = DigestFilter()
  ) throws -> [CountByRelease]? {
    try snapshot { connection in
      guard let window = try connection.decodeWindow(filter) else { return nil }
      return try GroupedCounts(
        connection, of: .decodes, filter, in: window, by: [.model, .release]
      ).rows().map {
        CountByRelease(
          model: $0.names[0].text, kind: nil, release: $0[1], count: Int(clamping: $0.decodes))
      }
    }
  }
}
