package import ResilientPlatform

/// How far a store was uploaded to a collector.
struct UploadCursor: Sendable, Hashable {
  /// The id of the last digest that was sent.
  var digest: Int64 = 0

  /// The hour whose decodes come next, and how many lines of it were sent.
  var hour: Int64 = 0
  var lines: Int64 = 0
}

/// A part of an upload: lines of NDJSON, which a collector imports.
package struct UploadPart: Sendable {
  /// The most bytes of a part, unless it is a single line.
  package static let maximumBytes = 256 << 10

  /// The address of the collector.
  package let url: String

  package let bytes: Data

  /// The number of digests in it.
  package let digests: Int

  /// Whether nothing comes after it.
  package let isLast: Bool

  /// Where the next part begins.
  let end: UploadCursor

  /// The digests before its end that were deleted before they were sent.
  let loss: LossRecord?
}

extension DigestStore {
  /// Reads what comes next in an upload to a collector: digests, oldest first, and then the decodes
  /// without errors.
  ///
  /// The decodes of this hour and of the one before may grow, so each upload ends with them.
  ///
  /// - Returns: nil if there is nothing to send.
  /// - Throws: ``DigestStoreError`` when the file cannot be read.
  package func nextUploadPart(to url: String) throws -> UploadPart? {
    let now = Moment(configuration.clock()).hour
    return try snapshot { connection in
      let begin = try connection.uploadCursor(of: url)
      var end = begin
      let (lines, loss) = try connection.digestLines(behind: begin.digest, now: now)
      var bytes = lines.bytes
      loss?.appendLine(to: &bytes)
      end.digest = lines.last
      var isLast = lines.isLast
      if isLast {
        isLast = try connection.appendDecodes(to: &bytes, &end, until: now)
      }
      guard !bytes.isEmpty else { return nil }
      return UploadPart(
        url: url, bytes: Data(bytes), digests: lines.count, isLast: isLast, end: end, loss: loss)
    }
  }

  /// Remembers that a collector has a part. Has no effect if it was remembered before.
  ///
  /// - Throws: ``DigestStoreError`` when the file cannot be written.
  package func finish(_ part: UploadPart) throws {
    try write { writer in
      try writer.transaction {
        let known = try writer.connection.uploadCursor(of: part.url)
        // Another upload at the same time may have come further. What is sent twice counts once.
        guard part.end.digest >= known.digest else { return }
        try writer.connection.execute(
          "INSERT OR REPLACE INTO upload (url, digest, hour, lines) VALUES (:url, :digest, :hour, :lines)",
          [
            ":url": .text(part.url), ":digest": .integer(part.end.digest),
            ":hour": .integer(part.end.hour), ":lines": .integer(part.end.lines),
          ])
        guard part.end.digest > known.digest, let loss = part.loss else { return }
        try writer.losses.add(
          PendingLosses.LossCount(digests: loss.digests, occurrences: 0),
          to: PendingLosses.LossKey(reason: .notSent, hour: loss.hour))
      }
    }
  }
}

extension Engine {
  fileprivate func uploadCursor(of url: String) throws -> UploadCursor {
    try rows(
      "SELECT digest, hour, lines FROM upload WHERE url = :url", [":url": .text(url)]
    ) { row in
      UploadCursor(
        digest: max(0, row.integer(at: 0)), hour: max(0, row.integer(at: 1)),
        lines: max(0, row.integer(at: 2)))
    }.first ?? UploadCursor()
  }

  /// Reads the lines of digests behind an id, and the number of those that are missing among them.
  fileprivate func digestLines(
    behind id: Int64, now: Int64
  ) throws -> (lines: (bytes: [UInt8], count: Int, last: Int64, isLast: Bool), loss: LossRecord?) {
    let last = try lastNumber
    guard id < last else { return (([], 0, id, true), nil) }
    let cursor = DigestCursor(DigestFilter())
    let (bytes, end) = try cursor.readLines(
      of: id + 1...last, on: self, maximumBytes: UploadPart.maximumBytes - 1_000)
    let through = end.rest.map { $0.lowerBound - 1 } ?? last
    let count = bytes.count { $0 == UInt8(ascii: "\n") }
    // Ids have no gaps, so those that are not there were deleted. Those that cannot be read are lost
    // for the collector, too.
    let missing = Int(clamping: through - id) - count
    guard missing > 0 else { return ((bytes, count, through, end.rest == nil), nil) }
    let next = try integer(
      "SELECT recorded_at FROM digest WHERE id > \(id) ORDER BY id LIMIT 1")
    let hour = next.map { Moment(milliseconds: $0).clampedHour } ?? now
    let identity = try text("SELECT identity FROM store") ?? ""
    let loss = LossRecord(store: identity, through: through, hour: hour, digests: missing)
    return ((bytes, count, through, end.rest == nil), loss)
  }

  /// Appends the lines of decodes from a cursor on, as many as there is room for.
  ///
  /// - Returns: whether these are all.
  fileprivate func appendDecodes(
    to bytes: inout [UInt8], _ cursor: inout UploadCursor, until now: Int64
  ) throws -> Bool {
    // A clock may have been ahead.
    if cursor.hour > now { (cursor.hour, cursor.lines) = (now - 1, 0) }
    var hour: Int64? = cursor.hour
    while let first = hour {
      let (records, next) = try decodes(
        matching: DigestFilter(), from: first, includingEvicted: true)
      let found = (next ?? first) - 1
      if found != cursor.hour { (cursor.hour, cursor.lines) = (found, 0) }
      for record in records.dropFirst(Int(clamping: cursor.lines)) {
        var line: [UInt8] = []
        record.appendLine(to: &line)
        guard bytes.isEmpty || bytes.count + line.count <= UploadPart.maximumBytes else {
          return false
        }
        bytes += line
        cursor.lines += 1
      }
      hour = next
    }
    // Those of this hour may grow, and a decode is written up to three seconds after it.
    (cursor.hour, cursor.lines) = (now - 1, 0)
    return true
  }
}

extension Moment {
  /// The hour, of a time that a file may have.
  fileprivate var clampedHour: Int64 { min(max(0, hour), Moment.latest.hour) }
}
