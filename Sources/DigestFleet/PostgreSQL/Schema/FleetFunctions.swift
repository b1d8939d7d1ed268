/// Functions for roles that push. They run with the rights of the tables' owner.
///
/// `enter_models`, `enter_releases` and `enter_failures` enter names and return the fleet's ids in the order
/// of the names. A role can thus neither read the names of others, which may be texts of payloads, nor
/// enter a name under the hash of another one. `remove_packs` deletes packs of the caller's own stores:
/// a role with DELETE on a table could lock it.
enum FleetFunctions {
  static let sql = """
    CREATE FUNCTION digests.enter_models(names text[]) RETURNS SETOF bigint \(header) $$
      INSERT INTO digests.model (identity, name)
      SELECT DISTINCT \(hash("t.name")), t.name
      FROM unnest(names) AS t (name)
      WHERE \(isNew("model", hash("t.name")))
      ORDER BY 1
      ON CONFLICT (identity) DO NOTHING;

      SELECT m.id FROM unnest(names) WITH ORDINALITY AS t (name, place)
      JOIN digests.model AS m ON m.identity = \(hash("t.name"))
      ORDER BY t.place;
    $$;

    CREATE FUNCTION digests.enter_releases(names text[]) RETURNS SETOF bigint \(header) $$
      INSERT INTO digests.release (identity, name)
      SELECT DISTINCT \(hash("t.name")), t.name
      FROM unnest(names) AS t (name)
      WHERE \(isNew("release", hash("t.name")))
      ORDER BY 1
      ON CONFLICT (identity) DO NOTHING;

      SELECT r.id FROM unnest(names) WITH ORDINALITY AS t (name, place)
      JOIN digests.release AS r ON r.identity = \(hash("t.name"))
      ORDER BY t.place;
    $$;

    CREATE FUNCTION digests.enter_failures(model_ids bigint[], paths text[], kinds text[],
      expected_types text[], novel_values text[], value_types text[], path_formats text[],
      messages text[], found_types text[], found_values text[]) RETURNS SETOF bigint \(header) $$
      INSERT INTO digests.failure (identity, value_identity, model_id, coding_path, path_format,
        kind, expected_type, novel_value, value_type, message, found_type, found_value)
      SELECT DISTINCT ON (identity) identity,
        CASE WHEN value IS NOT NULL THEN
          \(hash("json_build_array(model_id, path, value, type)::text")) END,
        model_id, path, format, kind, expected, value, type, message, found_type, found_value
      FROM (SELECT t.*, \(failureHash) AS identity
        FROM unnest(model_ids, paths, kinds, expected_types, novel_values, value_types,
            path_formats, messages, found_types, found_values) WITH ORDINALITY
          AS t (model_id, path, kind, expected, value, type, format, message, found_type,
            found_value, place)) AS n
      WHERE \(isNew("failure", "n.identity"))
      ORDER BY identity, place
      ON CONFLICT (identity) DO NOTHING;

      SELECT f.id
      FROM unnest(model_ids, paths, kinds, expected_types, novel_values, value_types)
        WITH ORDINALITY AS t (model_id, path, kind, expected, value, type, place)
      JOIN digests.failure AS f ON f.identity = \(failureHash)
      ORDER BY t.place;
    $$;

    CREATE FUNCTION digests.remove_packs(store bigint, tables bigint[], spans bigint[],
      starts bigint[], release_ids bigint[]) RETURNS void \(header) $$
      DELETE FROM digests.pack AS p
      USING unnest(tables, spans, starts, release_ids) AS k (counted, span, start, release_id)
      WHERE p.source_id = (SELECT id FROM digests.source WHERE id = store AND role = \(caller))
        AND p.counted = k.counted AND p.span = k.span AND p.start = k.start
        AND p.release_id = k.release_id;
    $$;

    REVOKE ALL ON ALL FUNCTIONS IN SCHEMA digests FROM PUBLIC;

    """

  private static let header =
    "LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS"

  /// The role that calls a function. Inside the function, `current_user` is the owner.
  private static let caller =
    "coalesce(nullif(current_setting('role'), 'none'), session_user::text)::name"

  /// The identity of a failure in all stores. Each store has its own number for it.
  private static let failureHash = hash(
    "json_build_array(t.model_id, t.path, t.kind, t.expected, t.value, t.type)::text")

  /// Checked first, because a row that ON CONFLICT refuses uses up an id.
  private static func isNew(_ table: String, _ identity: String) -> String {
    "NOT EXISTS (SELECT 1 FROM digests.\(table) AS known WHERE known.identity = \(identity))"
  }

  private static func hash(_ text: String) -> String { "sha256(convert_to(\(text), 'UTF8'))" }
}
