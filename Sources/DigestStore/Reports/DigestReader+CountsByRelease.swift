/// The number of errors of one model, kind and release.
package struct ErrorsOfRelease: Sendable, Hashable {
  /// The model, module-qualified, as in `App.Listing`.
  package let model: String
  /// The raw value of an `ErrorDigest.Kind`.
  package let kind: String
  /// The release; nil for digests without one.
  package let release: String?
  /// The number of errors.
  package let occurrences: Int
}

/// The number of decodes of one model and release.
package struct DecodesOfRelease: Sendable, Hashable {
  /// The model, module-qualified, as in `App.Listing`.
  package let model: String
  /// The release; nil for decodes without one.
  package let release: String?
  /// The number of decodes, with and without errors.
  package let decodes: Int
}

extension DigestReader {
  /// Counts errors by model, kind and release, in no particular order.
  ///
  /// - Parameter filter: the errors to count.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func errorsByRelease(
    matching filter: DigestFilter = DigestFilter()
  ) throws -> [ErrorsOfRelease] {
    try snapshot { connection in
      let counts = try Counts(
        connection, filter, in: connection.widened(filter.window), by: [.context])
      return try connection.rows(
        """
        SELECT m.name, f.kind, x.release, sum(c.occurrences)
        FROM (\(counts.sql)) AS c
        CROSS JOIN failure AS f ON f.id = c.failure CROSS JOIN model AS m ON m.id = f.model
        CROSS JOIN context AS x ON x.id = c.context
        WHERE \(filter.errorCondition())
        GROUP BY 1, 2, 3
        """, counts.values
      ) { row in
        ErrorsOfRelease(
          model: row.text(at: 0) ?? "", kind: row.text(at: 1) ?? "",
          release: row.text(at: 2).flatMap { $0.isEmpty ? nil : $0 },
          occurrences: Int(clamping: row.count(at: 3)))
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
  ) throws -> [DecodesOfRelease]? {
    try snapshot { connection in
      guard let window = try connection.decodeWindow(filter) else { return nil }
      let decodes = DecodeRows(connection, filter, in: window, by: [.context])
      return try connection.rows(
        """
        SELECT m.name, x.release, sum(d.decodes)
        FROM (\(try decodes.sql())) AS d
        CROSS JOIN model AS m ON m.id = d.model CROSS JOIN context AS x ON x.id = d.context
        WHERE \(filter.modelCondition())
        GROUP BY 1, 2
        """, decodes.values
      ) { row in
        DecodesOfRelease(
          model: row.text(at: 0) ?? "", release: row.text(at: 1).flatMap { $0.isEmpty ? nil : $0 },
          decodes: Int(clamping: row.count(at: 2)))
      }
    }
  }
}
