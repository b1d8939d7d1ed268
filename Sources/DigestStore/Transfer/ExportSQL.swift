/// The SQL that reads digests as they were recorded.
enum ExportSQL {
  private static let digestID =
    "ifnull(x.external_id, s.identity || '-' || d.id || '-' || d.recorded_at)"

  /// The exact path of an entry, put together of its pattern and what stands in its places.
  private static let exactPath: String = {
    let arguments = (1...PathFormat.maximumArguments).map { "json_extract(e.value, '$[\($0)]')" }
    // Of an empty format, the whole document's, `printf` makes null.
    return "ifnull(printf(f.path_format, \(arguments.joined(separator: ", "))), '')"
  }()

  /// The message of an entry: its own, or that of its failure.
  private static let message = """
    iif(\(ownType("m", of: "e.value", in: "d.entries")) IS NULL,
      f.message, json_extract(e.value, '$[#-1].m'))
    """

  /// The type of a member of the object that is the end of an element of a list, if it has one: most
  /// lists have none, and are not searched for it.
  private static func ownType(_ member: String, of element: String, in list: String) -> String {
    "iif(instr(\(list), '}'), json_type(\(element), '$[#-1].\(member)'), NULL)"
  }

  /// What was found by an entry or an omission, in SQL: a type and a value.
  private struct Found {
    let type: String
    let value: String

    /// - Parameters:
    ///   - element: the JSON of the entry or omission, whose object comes last if it has one.
    ///   - list: the JSON that has it.
    ///   - isInherited: whether one that says nothing has what its failure has.
    init(_ element: String, in list: String, isInherited: String) {
      let ownType = ExportSQL.ownType("t", of: element, in: list)
      let ownValue = ExportSQL.ownType("f", of: element, in: list)
      type = """
        CASE WHEN \(ownType) IS NOT NULL THEN json_extract(\(element), '$[#-1].t')
          WHEN \(ownValue) IS NOT NULL OR \(isInherited) THEN f.found_type END
        """
      value = """
        CASE WHEN \(ownValue) = 'integer' THEN f.novel_value
          WHEN \(ownType) IS NOT NULL OR \(ownValue) IS NOT NULL
          THEN json_extract(\(element), '$[#-1].f')
          WHEN \(isInherited) THEN \(CountSQL.foundValue) END
        """
    }

    static let ofEntry = Self(
      "e.value", in: "d.entries", isInherited: "(d.says_found AND f.found_default)")
    static let ofOmission = Self("o.value", in: "d.omissions", isInherited: "false")
  }

  /// The tables of a digest, and the condition on one of a page and a window.
  private static func digests(_ filter: DigestFilter) -> (tables: String, condition: String) {
    (
      """
      digest AS d
      JOIN model AS m ON m.id = d.model_id
      JOIN release AS r ON r.id = d.release_id
      CROSS JOIN store AS s
      LEFT JOIN foreign_digest AS x ON x.digest_id = d.id
      """,
      """
      d.id BETWEEN :first AND :last
        AND d.recorded_at >= :since AND d.recorded_at < :until
        AND \(filter.releaseCondition)
      """
    )
  }

  /// A row for each digest: its line of NDJSON.
  ///
  /// Merging with an empty object takes the nulls out (RFC 7396).
  static func digests(_ filter: DigestFilter) -> String {
    let (tables, condition) = digests(filter)
    return """
      SELECT json_patch('{}', json_object(
        'id', \(digestID),
        'recordedAt', strftime('%Y-%m-%dT%H:%M:%fZ', d.recorded_at / 1000.0, 'unixepoch'),
        'model', m.name,
        'release', r.name,
        'failures', json((
          SELECT json_group_array(json(failure)) FROM (
            SELECT 0 AS part, e.key AS position,
              \(failure(path: exactPath, message: message, found: .ofEntry, count: "NULL"))
              AS failure
            FROM json_each(d.entries) AS e
            CROSS JOIN failure AS f ON f.id = json_extract(e.value, '$[0]')
            UNION ALL
            SELECT 1, o.key,
              \(failure(
                path: "f.coding_path", message: "f.message", found: .ofOmission,
                count: "json_extract(o.value, '$[1]')"))
            FROM json_each(d.omissions) AS o
            CROSS JOIN failure AS f ON f.id = json_extract(o.value, '$[0]')
            ORDER BY part, position
          )
        ))
      ))
      FROM \(tables)
      WHERE \(condition) AND \(filter.modelCondition) AND \(hasFailure(filter))
      ORDER BY d.id
      """
  }

  /// Whether a digest has a failure that the filter lets through.
  private static func hasFailure(_ filter: DigestFilter) -> String {
    guard filter.codingPath != nil else { return "true" }
    return """
      EXISTS (
        SELECT 1 FROM (
          SELECT value FROM json_each(d.entries) UNION ALL SELECT value FROM json_each(d.omissions)
        ) AS h
        JOIN failure AS f ON f.id = json_extract(h.value, '$[0]')
        WHERE \(filter.codingPathCondition)
      )
      """
  }

  /// A failure as JSON; with its pattern where a key's being a dictionary's cannot be read off.
  private static func failure(
    path: String,
    message: String,
    found: Found,
    count: String
  ) -> String {
    """
    json_patch('{}', json_object(
      'path', \(path),
      'pattern', iif(instr(f.coding_path, '*'), f.coding_path, NULL),
      'kind', f.kind,
      'novelValue', f.novel_value,
      'novelValueType', f.value_type,
      'expectedType', f.expected_type,
      'message', \(message),
      'foundType', \(found.type),
      'foundValue', \(found.value),
      'count', \(count)))
    """
  }

  /// A row for each entry and omission.
  static func occurrences(_ filter: DigestFilter) -> String {
    let (tables, condition) = digests(filter)
    return """
      SELECT h.digest, h.recorded_at, h.release, h.model, h.coding_path, f.kind, f.expected_type,
        f.novel_value, f.value_type, h.message, h.occurrences, h.found_type, h.found_value
      FROM (
        SELECT d.id, 0 AS part, e.key AS position, \(digestID) AS digest, d.recorded_at,
          r.name AS release, m.name AS model, f.id AS failure_id, 1 AS occurrences,
          \(exactPath) AS coding_path, \(message) AS message,
          \(Found.ofEntry.type) AS found_type, \(Found.ofEntry.value) AS found_value
        FROM \(tables)
        CROSS JOIN json_each(d.entries) AS e
        CROSS JOIN failure AS f ON f.id = json_extract(e.value, '$[0]')
        WHERE \(condition) AND \(filter.failureCondition)
        UNION ALL
        SELECT d.id, 1, o.key, \(digestID), d.recorded_at, r.name, m.name, f.id,
          json_extract(o.value, '$[1]'), f.coding_path, f.message,
          \(Found.ofOmission.type), \(Found.ofOmission.value)
        FROM \(tables)
        CROSS JOIN json_each(d.omissions) AS o
        CROSS JOIN failure AS f ON f.id = json_extract(o.value, '$[0]')
        WHERE \(condition) AND \(filter.failureCondition)
      ) AS h
      JOIN failure AS f ON f.id = h.failure_id
      ORDER BY h.id, h.part, h.position
      """
  }
}
