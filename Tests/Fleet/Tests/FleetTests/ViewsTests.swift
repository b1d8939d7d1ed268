import Testing

/// What the article says of the views is so.
@Suite(.enabled(if: Server.isPostgreSQL))
struct ViewsTests {
  @Test func `the article has the columns of each view, in their order, with their types`() throws {
    let views = try Database().run(
      """
      SELECT '| `' || c.oid::regclass || '` | ' || string_agg('`' || attname || '` '
        || replace(format_type(atttypid, NULL), 'timestamp with time zone', 'timestamptz'), ', '
        ORDER BY attnum) || ' |'
      FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
      WHERE relnamespace = 'digests'::regnamespace AND relkind = 'v' AND attnum > 0
      GROUP BY c.oid ORDER BY relname
      """)
    let lines = try Article("Fleet").text.split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("| `digests.") } == views.split(separator: "\n"))
  }
}
