/// Imports digests of other files.
extension Writer {
  /// Appends the digests and decodes that the file does not have yet, in one transaction.
  ///
  /// - Returns: the number of digests added, and the number already known.
  func appendNew(
    _ digests: [DigestRecord], _ decodes: [DecodeRecord] = []
  ) throws -> (added: Int, known: Int) {
    var added = 0
    let last = try transaction {
      var last = try begin()
      for record in digests where try !isKnown(record) {
        last = try add(record, behind: last)
        added += 1
      }
      for record in decodes { try add(record) }
      return last
    }
    if added > 0 { appended(through: last) }
    return (added, digests.count - added)
  }

  /// Whether the file has, or had, the digest: recorded here or imported.
  private func isKnown(_ record: DigestRecord) throws -> Bool {
    guard let id = record.id else { return false }
    let moment = record.recordedAt.milliseconds
    let parts =
      !id.utf8.starts(with: identity.utf8)
      ? [] : id.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count == 3, let number = Int64(parts[1]), id == "\(identity)-\(number)-\(moment)",
      try findDigest.firstRow(
        [.integer(number), .integer(moment)], { $0.integer(at: 0) != 0 }) == true
    {
      return true
    }
    return try findForeignID.firstRow([.text(id)]) { _ in true } != nil || evictedIDs.has(id)
  }
}
