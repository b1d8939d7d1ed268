import Foundation
import Testing

/// Where others may create functions and operators, the tool runs none of theirs.
@Suite(.enabled(if: Server.isPostgreSQL))
struct SearchPathTests {
  /// What fits the tool's statements better than the server's own functions and operators do.
  private static let functions = [
    "pg_advisory_xact_lock(integer)", "sha256(text)", "convert_to(text, text)",
    "json_build_array(bigint, text, text, text, text, text)",
    "json_build_array(bigint, text, text, text)", "to_timestamp(bigint)", "to_timestamp(numeric)",
    "to_regclass(text)", "starts_with(text, varchar)", "floor(double precision, integer)",
    "array_agg(bigint[])", "has_table_privilege(text, text, text)", "cardinality(bigint[])",
  ]
  private static let operators = [
    ("/", "bigint", "numeric"), ("*", "numeric", "integer"), ("*", "bigint", "numeric"),
    ("&&", "bigint[]", "bigint[]"), ("=", "text", "varchar"), ("~~", "varchar", "text"),
    ("=", "name", "varchar"), (">=", "bigint", "numeric"), ("+", "bigint", "numeric"),
    ("||", "varchar", "text"), ("<>", "smallint", "numeric"),
  ]

  /// Lets a role create functions by which everyone who runs one makes it superuser, or fails.
  private func lay(_ attacker: String, in database: Database) throws {
    let body = """
      LANGUAGE plpgsql AS $$ BEGIN
        EXECUTE 'ALTER ROLE \(attacker) SUPERUSER';
        RETURN NULL;
      END $$;
      """
    let functions = Self.functions.map {
      "CREATE FUNCTION public.\($0) RETURNS text \(body)"
    }
    let operators = Self.operators.enumerated().map { number, operation in
      """
      CREATE FUNCTION public.operator_\(number)(\(operation.1), \(operation.2)) RETURNS bigint \(body)
      CREATE OPERATOR public.\(operation.0) (LEFTARG = \(operation.1), RIGHTARG = \(operation.2),
        FUNCTION = public.operator_\(number));
      """
    }
    try database.run(
      """
      CREATE ROLE \(attacker) LOGIN PASSWORD '\(Server.value("PGPASSWORD"))';
      GRANT CREATE ON SCHEMA public TO \(attacker);
      SET ROLE \(attacker);
      \((functions + operators).joined(separator: "\n"))
      """)
  }

  @Test func `functions and operators of others are not run`() throws {
    let files = try Files()
    let database = try Database(isEmpty: true)
    let attacker = "attacker_\(database.name)"
    try lay(attacker, in: database)
    // They are found where nothing is done about it.
    let caught = try Tool.shell(
      "psql -qtA '\(database.url(user: attacker))' -c 'SELECT to_timestamp(1::bigint)'")
    #expect(caught.error.contains("ALTER ROLE"), "\(caught)")
    var random = SeededGenerator(41)
    try files.add((0..<300).map { .random($0, of: 0, using: &random) }, to: "a.sqlite")
    let age = "1d"

    for command in [
      ["init", database.url(), "--writer", attacker, "--reader", attacker],
      ["init", database.url()],
      ["push", database.url(), "--digests", "--store", files.path("a.sqlite")],
      ["push", database.url(), "--digests", "--store", files.path("a.sqlite")],
    ] {
      let result = try Tool.run(command)
      #expect(result.status == 0, "\(command) \(result.error)")
    }
    for report in ReportTests.reports + [
      ["sources"], ["sources", "--source", "*"], ["models", "--source", "*"], ["digests"],
      ["digests", "0-77"], ["export"], ["export", "--value", "villa"], ["prune", "--max-age", age],
    ] {
      let result = try Tool.run(report + ["--store", database.url()])
      // A check may find too much.
      #expect(
        result.status == 0 || report.first == "check" && result.status == 1,
        "\(report) \(result.error)")
    }
    // What the views do does not depend on who asks them.
    for view in ["failures", "novel_values", "hours", "sources"] {
      try database.run("SET search_path = public, pg_catalog; SELECT * FROM digests.\(view)")
    }

    #expect(
      try database.run("SELECT rolsuper FROM pg_roles WHERE rolname = '\(attacker)'") == "f")
  }
}
