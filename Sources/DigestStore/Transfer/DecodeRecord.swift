import ResilientPlatform

/// The number of clean decodes that a store has counted in an hour.
///
/// The number is absolute: a later export of the same hour has a larger one, which replaces it.
struct DecodeRecord {
  /// The identity of the store.
  let store: String
  let hour: Int64
  let model: String
  let context: DigestContext
  let decodes: Int64

  /// Appends the line of an export, with its line break.
  func appendLine(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: #"{"id":"#.utf8)
    bytes.append(json: store)
    bytes.append(contentsOf: #","hour":""#.utf8)
    Moment(milliseconds: hour * Moment.hour).append(to: &bytes)
    bytes.append(contentsOf: #"","model":"#.utf8)
    bytes.append(json: model)
    for member in context.members where !member.name.isEmpty {
      bytes.append(contentsOf: #","\#(member.column)":"#.utf8)
      bytes.append(json: member.name)
    }
    bytes.append(contentsOf: #","decodes":\#(decodes)}\#n"#.utf8)
  }
}

extension DecodeRecord {
  /// Reads a line with a number of clean decodes.
  ///
  /// - Throws: a ``LineProblem``.
  init(_ object: LineObject) throws {
    guard object["errors"] == nil else {
      throw LineProblem(description: "decodes and errors must be on separate lines")
    }
    let id = try object.text("id")
    let hour = try object.text("hour")
    let model = try object.text("model")
    let context = try DigestContext(object)
    let decodes = try object.optionalInteger("decodes") ?? 0
    guard !model.isEmpty else { throw object.problem("model", "is empty") }
    try Self.check(identity: id, in: object)
    guard 1...Int64.maximumCount ~= Int64(decodes) else {
      throw object.problem("decodes", "is not between 1 and 2^53")
    }
    self.init(
      store: id, hour: try Self.hour(hour, in: object), model: model, context: context,
      decodes: Int64(decodes))
  }
}

extension DecodeRecord {
  static func check(identity: String, in object: LineObject) throws {
    guard 16...32 ~= identity.utf8.count, identity.allSatisfy(\.isHexDigit) else {
      throw object.problem("id", "is not the identity of a store: 16 to 32 hexadecimal digits")
    }
  }

  /// Reads an hour, in hours since 1970.
  static func hour(_ text: String, in object: LineObject) throws -> Int64 {
    guard let moment = ISO8601.milliseconds(ofTime: text), moment >= 0,
      moment <= Moment.latest.milliseconds, moment % Moment.hour == 0
    else { throw object.problem("hour", "isn't a full hour such as 2026-11-20T10:00:00Z") }
    return moment / Moment.hour
  }
}

extension Engine {
  /// Reads the clean decodes of an hour that can be copied to other stores.
  ///
  /// Hours with evicted digests are left out: without these, their clean decodes would lower the
  /// rates of the other store.
  ///
  /// - Parameters:
  ///   - first: the hour to begin at.
  ///   - includingEvicted: whether to include such hours, because the other store has their digests.
  /// - Returns: the records of the first hour that has any, and the next hour; nil at the end.
  func decodes(
    matching filter: DigestFilter, from first: Int64, includingEvicted: Bool = false
  ) throws -> ([DecodeRecord], next: Int64?) {
    let hours = filter.window.range
    let values: [String: SQLValue] = [
      ":first": .integer(max(first, hours.lowerBound.hour)),
      ":last": .integer((hours.upperBound.milliseconds - 1) / Moment.hour),
    ]
    let found = try integer(
      """
      SELECT min(start) FROM decodes
      WHERE span = 1 AND context = 0 AND start BETWEEN :first AND :last AND decodes > digests
      """, values)
    guard let hour = found else { return ([], nil) }
    guard try includingEvicted || hasDigests(hour: hour) else { return ([], hour + 1) }
    let records = try rows(
      """
      SELECT s.identity, m.name, x.release, x.environment, x.operation, c.decodes - c.digests
      FROM decodes AS c
      CROSS JOIN context AS x ON x.id = c.context CROSS JOIN source AS s ON s.id = x.source
      CROSS JOIN model AS m ON m.id = c.model
      WHERE c.span = 1 AND c.start = :hour AND \(filter.eachContext("c.context"))
        AND c.decodes > c.digests AND m.name <> '' AND \(filter.modelCondition())
      ORDER BY 1, 2, 3, 4, 5
      """, filter.values().merging([":hour": .integer(hour)]) { first, _ in first }
    ) { row in
      DecodeRecord(
        store: row.text(at: 0) ?? "", hour: hour, model: row.text(at: 1) ?? "",
        context: DigestContext(
          release: row.text(at: 2), environment: row.text(at: 3), operation: row.text(at: 4)),
        decodes: row.count(at: 5))
    }
    return (records, hour + 1)
  }
}
