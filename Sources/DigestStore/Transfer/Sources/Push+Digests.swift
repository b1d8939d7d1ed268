extension Push {
  /// The number of digests to send at once, which bounds the temporary tables.
  private static let maximumDigests = 20_000

  /// Adds the digests that are not there yet, as counted ones.
  ///
  /// - Returns: the number of digests added, and whether others cannot be read.
  func sendDigests(of sent: Sent) throws -> (added: Int, areUnreadable: Bool) {
    let first = sent.known.isPartial ? sent.known.evicted : sent.known.counted
    var (after, count, added) = (first, 0, 0)
    var length = Self.maximumDigests
    while length == Self.maximumDigests {
      length = 0
      try receiver.makeTable(
        "in_digest",
        columns: """
          number bigint, recorded_at bigint, model bigint, context bigint, errors text
          """)
      try receiver.insert(into: "in_digest", columns: 5) { add in
        try store.forEachDigest(of: sent.source, after: after, limit: Self.maximumDigests) { row in
          try progress()
          length += 1
          if case .integer(let number) = row[0] { after = number }
          try add(row)
        }
      }
      if length > 0 { added += try addDigests(of: sent) }
      try receiver.execute("DROP TABLE in_digest")
      count += length
    }
    return (added, try store.countDigests(of: sent.source, after: first) > count)
  }

  /// Adds the digests of the table `in_digest`.
  private func addDigests(of sent: Sent) throws -> Int {
    if sent.known.hasImported {
      // An import may have changed what the source still has.
      try receiver.execute(
        """
        DELETE FROM digest WHERE source = \(sent.ours) AND number > \(sent.known.counted)
          AND number IN (SELECT number FROM in_digest)
        """)
    }
    let last = try receiver.lastNumber
    let isMissing =
      sent.known.hasImported
      ? """
      NOT EXISTS (SELECT 1 FROM digest AS k WHERE k.source = \(sent.ours) AND k.number = n.number)
      """ : "true"
    let added = try receiver.execute(
      """
      INSERT INTO digest (id, recorded_at, model, context, source, number, errors)
      SELECT \(last) + row_number() OVER (ORDER BY n.number), n.recorded_at, m.ours, n.context,
        \(sent.ours), n.number, n.errors
      FROM in_digest AS n JOIN in_model AS m ON m.theirs = n.model
      WHERE n.number > \(sent.known.evicted) AND \(isMissing)
      """)
    guard !receiver.addsUp else { return Int(clamping: added) }
    try receiver.execute(
      """
      INSERT INTO hour (start, first, last)
      SELECT recorded_at / \(Moment.hour), min(id), max(id) FROM digest WHERE id > \(last) GROUP BY 1
      ON CONFLICT (start) DO UPDATE SET
        first = CASE WHEN excluded.first < hour.first THEN excluded.first ELSE hour.first END,
        last = CASE WHEN excluded.last > hour.last THEN excluded.last ELSE hour.last END
      """)
    try receiver.execute(
      "UPDATE store SET folded = \(last + added) WHERE folded < \(last + added)")
    return Int(clamping: added)
  }
}
