#if PostgreSQL
  import DigestStore

  extension Push {
    /// How many names one statement enters: texts of values may be long.
    private static let page = 1_000

    /// Enters the models, failures and releases that the fleet does not know of this store.
    func enterNames() throws {
      var numbers: [(number: Int64, id: Int64)] = []
      for models in tallies.models.pages(of: Self.page) { numbers += try enter(models) }
      try enter(numbers, .models)
      numbers = []
      for failures in tallies.failures.pages(of: Self.page) { numbers += try enter(failures) }
      try enter(numbers, .failures)
      for names in releaseNames.pages(of: Self.page) {
        try enterReleases(names)
      }
    }

    /// The releases of what is sent, and of those that are counted together.
    var releaseNames: [String] {
      Set(tallies.packs.compactMap(\.key.release))
        .union(tallies.releases.values.lazy.map(ExactText.init)).map(\.text)
    }

    /// Enters what new numbers of the store mean.
    private func enter(_ numbers: [(number: Int64, id: Int64)], _ table: TallyPack.Table) throws {
      guard !numbers.isEmpty else { return }
      try entering { try SourceNumbers.insert(numbers, of: source.id, table, on: connection) }
    }

    private func enter(
      _ models: ArraySlice<StoreTallies.Model>
    ) throws -> [(number: Int64, id: Int64)] {
      let names = PostgreSQLValue.texts(models.lazy.map { FleetText.encode($0.name) })
      try connection.repeating {
        try connection.run(
          """
          INSERT INTO digests.model (identity, name)
          SELECT DISTINCT \(Self.hash("t.name")), t.name
          FROM unnest($1::text[]) AS t (name)
          WHERE \(Self.isNew("model", Self.hash("t.name")))
          ORDER BY 1
          ON CONFLICT (identity) DO NOTHING
          """, [names])
      }
      return try connection.run(
        """
        SELECT t.number, m.id
        FROM unnest($1::bigint[], $2::text[]) AS t (number, name)
        JOIN digests.model AS m ON m.identity = \(Self.hash("t.name"))
        ORDER BY t.number
        """, [.integers(models.lazy.map(\.number)), names]
      ).map { ($0.integer(0), $0.integer(1)) }
    }

    private func enter(
      _ failures: ArraySlice<StoreTallies.Failure>
    ) throws -> [(number: Int64, id: Int64)] {
      let ids = try ids(of: .models)
      func texts(_ text: @escaping (StoreTallies.Failure) -> String?) -> PostgreSQLValue {
        .texts(failures.lazy.map { text($0).map(FleetText.encode) })
      }
      let values: [PostgreSQLValue] = [
        .integers(failures.lazy.map(\.number)),
        .integers(failures.map { ids[$0.model] ?? 0 }), texts(\.codingPath), texts(\.kind),
        texts(\.expectedType), texts(\.novelValue), texts(\.valueType), texts(\.pathFormat),
        texts(\.message), texts(\.foundType), texts(\.foundValue),
      ]
      // Which failure it is, by what it is and not by a store's number of it.
      let named = """
        SELECT t.number, t.model_id, t.path, t.kind, t.expected, t.value, t.type, t.format,
          t.message, t.found_type, t.found_value,
          \(Self.hash("json_build_array(t.model_id, t.path, t.kind, t.expected, t.value, t.type)::text"))
            AS identity,
          CASE WHEN t.value IS NOT NULL THEN
            \(Self.hash("json_build_array(t.model_id, t.path, t.value, t.type)::text")) END
            AS value_identity
        FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[],
            $7::text[], $8::text[], $9::text[], $10::text[], $11::text[])
          AS t (number, model_id, path, kind, expected, value, type, format, message, found_type,
            found_value)
        """
      try connection.repeating {
        try connection.run(
          """
          INSERT INTO digests.failure (identity, value_identity, model_id, coding_path, path_format,
            kind, expected_type, novel_value, value_type, message, found_type, found_value)
          SELECT DISTINCT ON (identity) identity, value_identity, model_id, path, format, kind,
            expected, value, type, message, found_type, found_value
          FROM (\(named)) AS n
          WHERE \(Self.isNew("failure", "n.identity"))
          ORDER BY identity, number
          ON CONFLICT (identity) DO NOTHING
          """, values)
      }
      return try connection.run(
        """
        SELECT n.number, f.id FROM (\(named)) AS n
        JOIN digests.failure AS f ON f.identity = n.identity
        ORDER BY n.number
        """, values
      ).map { ($0.integer(0), $0.integer(1)) }
    }

    private func enterReleases(_ names: ArraySlice<String>) throws {
      let values = PostgreSQLValue.texts(names.lazy.map(FleetText.encode))
      try connection.repeating {
        try connection.run(
          """
          INSERT INTO digests.release (identity, name)
          SELECT \(Self.hash("t.name")), t.name
          FROM unnest($1::text[]) AS t (name)
          WHERE \(Self.isNew("release", Self.hash("t.name")))
          ORDER BY 1
          ON CONFLICT (identity) DO NOTHING
          """, [values])
      }
      try readReleases(names)
    }

    /// Reads the ids of releases, as far as the fleet has them.
    func readReleases(_ names: ArraySlice<String>) throws {
      let rows = try connection.run(
        """
        SELECT r.name, r.id FROM unnest($1::text[]) AS t (name)
        JOIN digests.release AS r ON r.identity = \(Self.hash("t.name"))
        """, [.texts(names.lazy.map(FleetText.encode))])
      for row in rows { releases[ExactText(FleetText.decode(row.text(0) ?? ""))] = row.integer(1) }
    }

    /// Whether the fleet does not know it yet: what is refused by ON CONFLICT uses up an id.
    private static func isNew(_ table: String, _ identity: String) -> String {
      "NOT EXISTS (SELECT 1 FROM digests.\(table) AS known WHERE known.identity = \(identity))"
    }

    /// The hash by which a text is known.
    private static func hash(_ text: String) -> String { "sha256(convert_to(\(text), 'UTF8'))" }
  }

  extension RandomAccessCollection where Index == Int {
    fileprivate func pages(of size: Int) -> [SubSequence] {
      stride(from: startIndex, to: endIndex, by: size).map {
        self[$0..<Swift.min($0 + size, endIndex)]
      }
    }
  }
#endif
