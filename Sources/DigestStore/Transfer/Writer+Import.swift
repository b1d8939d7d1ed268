/// The digests of an import that were added, and those that were not.
package struct ImportCounts: Sendable, Hashable {
  package var added = 0

  /// Those that the file has, or has had.
  package var known = 0

  /// Those among the known ones that the file has had.
  package var evicted = 0

  /// The number of stores from which nothing was imported before.
  package var newStores = 0

  static func += (sum: inout Self, counts: Self) {
    sum.added += counts.added
    sum.known += counts.known
    sum.evicted += counts.evicted
    sum.newStores += counts.newStores
  }
}

/// Imports digests and decodes of other stores.
extension Writer {
  /// Appends the digests and decodes that the file does not have yet, inside a transaction.
  ///
  /// - Parameters:
  ///   - now: when they were received.
  ///   - newStores: the most stores from which nothing was imported before.
  /// - Throws: ``DigestStoreError`` with code `tooManyStores` if there are more.
  func appendNew(
    _ records: [ImportedRecord], now: Moment, newStores: Int = .max
  ) throws -> ImportCounts {
    var counts = ImportCounts()
    var last = try lastDigest()
    origins.begin(now, mayAdd: newStores)
    for record in records {
      switch record {
      case .digest(let record):
        switch try origins.place(of: record, in: identity, after: last) {
        case .known: counts.known += 1
        case .evicted: (counts.known, counts.evicted) = (counts.known + 1, counts.evicted + 1)
        case .own:
          last = try add(record, after: last)
          counts.added += 1
        case .foreign(let origin, let number):
          last = try add(record, after: last, from: (origin, number))
          counts.added += 1
        }
      case .decodes(let record): try add(record)
      case .loss(let record): try add(record)
      }
    }
    counts.newStores = origins.added
    return counts
  }

  private func add(_ record: LossRecord) throws {
    guard record.store != identity, try origins.lose(through: record.through, of: record.store)
    else { return }
    try losses.add(
      PendingLosses.LossCount(digests: record.digests, occurrences: 0),
      to: PendingLosses.LossKey(reason: .notSent, hour: record.hour))
  }

  /// Raises the clean decodes of an origin's hour to those of a record.
  private func add(_ record: DecodeRecord) throws {
    guard record.store != identity else { return }
    let names = ([record.model] + record.context.members.map(\.name)).joined(separator: "\0")
    let decodes = try origins.raise(
      to: record.decodes, of: record.store, hour: record.hour, names: names)
    guard decodes > 0 else { return }
    try addDecodes(
      decodes, context: self.names.context(record.context), hour: record.hour,
      model: self.names.model(record.model).id)
  }
}
