/// The number of digests that a store deleted before it uploaded them.
struct LossRecord {
  /// The identity of the store.
  let store: String

  /// The number of the last of them. A record with the same or a smaller one is known.
  let through: Int64

  /// The hour of the first digest after them.
  let hour: Int64
  let digests: Int

  /// Appends the line of an upload, with its line break.
  func appendLine(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: #"{"id":"#.utf8)
    bytes.append(json: store)
    bytes.append(contentsOf: #","through":\#(through),"hour":""#.utf8)
    Moment(milliseconds: hour * Moment.hour).append(to: &bytes)
    bytes.append(contentsOf: "\",\"lost\":\(digests)}\n".utf8)
  }
}

extension LossRecord {
  /// Reads a line with a loss.
  ///
  /// - Throws: a ``LineProblem``.
  init(_ object: LineObject) throws {
    let id = try object.text("id")
    let hour = try object.text("hour")
    let through = try object.optionalInteger("through") ?? 0
    let lost = try object.optionalInteger("lost") ?? 0
    try DecodeRecord.check(identity: id, in: object)
    guard 1...Int64.maximumCount ~= Int64(through) else {
      throw object.problem("through", "is not between 1 and 2^53")
    }
    guard 1...through ~= lost else {
      throw object.problem("lost", "is not between 1 and the number in through")
    }
    self.init(
      store: id, through: Int64(through), hour: try DecodeRecord.hour(hour, in: object),
      digests: lost)
  }
}
