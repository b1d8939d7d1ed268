import Foundation
import Testing

/// What the roles of a fleet may do, and what a stolen password of one of them is good for.
@Suite(.enabled(if: Server.isPostgreSQL))
struct FleetRoleTests {
  /// A fleet with a store of one role, and a second role that may push.
  private final class Fleet {
    let files = try? Files()
    let database: Database
    let (web, thief, reader): (String, String, String)

    init() throws {
      database = try Database()
      let name = database.name
      (web, thief, reader) = ("web_\(name)", "thief_\(name)", "reader_\(name)")
      let group = "group_\(name)"
      try database.run(
        """
        CREATE ROLE \(group);
        CREATE ROLE \(web) LOGIN PASSWORD '\(Server.value("PGPASSWORD"))' IN ROLE \(group);
        CREATE ROLE \(thief) LOGIN PASSWORD '\(Server.value("PGPASSWORD"))' IN ROLE \(group);
        GRANT CREATE ON SCHEMA public TO \(thief);
        CREATE ROLE \(reader) LOGIN PASSWORD '\(Server.value("PGPASSWORD"))';
        """)
      try #require(
        Tool.run("init", database.url(), "--writer", group, "--reader", reader).status == 0)
      try add("secret", to: "web")
      try #require(push("web", as: web).status == 0)
      try add("own", to: "thief")
      try #require(push("thief", as: thief).status == 0)
    }

    func path(_ name: String) -> String { files?.path("\(name).sqlite") ?? "" }

    func add(_ value: String, to store: String) throws {
      let digest = Digest([
        "recordedAt": "2025-10-11T05:20:00Z", "model": "App.\(value)", "release": "4.2.0",
        "failures": [
          [
            "path": "\(value).kind", "kind": "unknownNovelValue", "novelValue": value,
            "novelValueType": "String", "message": "\(value) message",
          ]
        ],
      ])
      try files?.add([digest], to: "\(store).sqlite")
      try files?.add([digest], to: "all.sqlite")
    }

    func push(_ store: String, as role: String) throws -> Tool.Result {
      try Tool.run(
        "push", database.url(user: role), "--digests", "--store", path(store), "--name", store)
    }

    /// Runs a statement as a role, whatever comes of it.
    func run(_ sql: String, as role: String) throws -> Tool.Result {
      try Tool.shell("psql -XqAt '\(database.url(user: role))'", input: sql)
    }

    /// All that is not the thief's, but the sums.
    func others() throws -> String {
      let isOther = "source_id NOT IN (SELECT id FROM digests.source WHERE role = '\(thief)')"
      var sql = ["SELECT * FROM digests.source WHERE role <> '\(thief)'"]
      for table in FleetRoleTests.sent {
        sql.append("SELECT * FROM digests.\(table) AS t WHERE \(isOther) ORDER BY t::text")
      }
      for table in ["fleet", "model", "release", "failure"] {
        sql.append("SELECT * FROM digests.\(table) ORDER BY id")
      }
      sql.append(
        """
        SELECT c.oid, relname, relowner, relacl, relrowsecurity, relhastriggers, relhasrules
        FROM pg_class AS c WHERE relnamespace = 'digests'::regnamespace ORDER BY 1;
        SELECT oid, proname, proowner, prosrc, prosecdef FROM pg_proc
        WHERE pronamespace = 'digests'::regnamespace ORDER BY 1;
        SELECT last_value FROM digests.failure_id_seq
        """)
      return try database.run(sql.joined(separator: ";\n"))
    }

    /// Expects that reports are those on one store with the digests of all.
    func expectEqualReports(as role: String) throws {
      for report in [["top-failures"], ["models"], ["trend", "--by", "hour", "--group", "value"]] {
        let file = try Tool.run(report + ["--format", "csv", "--store", path("all")])
        let fleet = try Tool.run(
          report + ["--format", "csv", "--store", database.url(user: role)])
        #expect(fleet == file, "\(report)")
      }
    }
  }

  fileprivate static let sent = [
    "push", "source_numbers", "pack", "growth", "failure_tally", "model_tally", "loss",
    "digest_page",
  ]
  private static let tables = ["fleet", "source", "model", "release", "failure"] + sent

  /// What someone tries who has a pusher's password: TABLE is each table, SENT each with what stores
  /// have sent, OTHER the id of another role's store, and WEB that role.
  private static let attempts = #"""
    SELECT * FROM digests.TABLE
    COPY digests.TABLE TO STDOUT
    SELECT * FROM digests.TABLE FOR UPDATE
    SET row_security = off; SELECT * FROM digests.TABLE
    SELECT row_to_json(t) FROM digests.TABLE AS t
    EXPLAIN ANALYZE SELECT * FROM digests.TABLE
    COPY digests.TABLE FROM '/dev/null'
    SELECT * FROM pg_stats WHERE schemaname = 'digests' AND tablename = 'TABLE'
    DELETE FROM digests.TABLE
    TRUNCATE digests.TABLE CASCADE
    DROP TABLE digests.TABLE CASCADE
    LOCK TABLE digests.TABLE IN ACCESS EXCLUSIVE MODE
    ALTER TABLE digests.TABLE DISABLE ROW LEVEL SECURITY
    CREATE POLICY mine ON digests.TABLE USING (true)
    GRANT ALL ON digests.TABLE TO PUBLIC
    CREATE RULE mine AS ON INSERT TO digests.TABLE DO INSTEAD NOTHING
    CREATE INDEX ON digests.TABLE ((1))
    CREATE FUNCTION pg_temp.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; CREATE TRIGGER mine BEFORE INSERT ON digests.TABLE FOR EACH ROW EXECUTE FUNCTION pg_temp.f()
    UPDATE digests.SENT SET source_id = OTHER WHERE source_id = (SELECT id FROM digests.source)
    UPDATE digests.SENT SET source_id = 0
    DELETE FROM digests.SENT WHERE source_id IN (0, OTHER)
    SELECT * FROM digests.SENT WHERE source_id IN (0, OTHER)
    INSERT INTO digests.SENT (source_id) VALUES (OTHER) RETURNING *
    SELECT * FROM digests.failures
    SELECT * FROM digests.novel_values
    SELECT * FROM digests.hours
    SELECT * FROM digests.sources
    UPDATE digests.source SET name = 'mine', revision = 9 WHERE id = OTHER
    UPDATE digests.source SET role = 'WEB'
    UPDATE digests.source SET id = OTHER
    UPDATE digests.source SET identity = repeat('a', 32)
    INSERT INTO digests.source (id, identity, name) OVERRIDING SYSTEM VALUE VALUES (99, repeat('a', 32), '')
    INSERT INTO digests.source (identity, name, role) VALUES (repeat('a', 32), '', 'WEB')
    INSERT INTO digests.growth VALUES (OTHER, 0, 0, 0, '') ON CONFLICT (span, start, release_id, source_id) DO UPDATE SET cells = ''
    INSERT INTO digests.growth VALUES (0, 0, 0, 0, '')
    INSERT INTO digests.pack VALUES (OTHER, 0, 0, 0, 0, 0, '') ON CONFLICT DO NOTHING
    INSERT INTO digests.failure_tally VALUES (OTHER, 1, 1, 1, 0, 0, 0)
    INSERT INTO digests.failure_tally VALUES (0, 1, 1, 1, 0, 0, 0) ON CONFLICT (failure_id, source_id) DO UPDATE SET occurrences = 0
    INSERT INTO digests.model_tally VALUES (OTHER, 0, 0, 1, 0, 1, 1, 0, 0)
    INSERT INTO digests.loss VALUES (OTHER, 'evicted', 0, 1, 1)
    INSERT INTO digests.digest_page VALUES (OTHER, 1, 9, 0, 0, 1, '{1}', '{}')
    INSERT INTO digests.push VALUES (OTHER, 50, 50)
    INSERT INTO digests.source_numbers VALUES (OTHER, 0, 50, 50, '{1}')
    MERGE INTO digests.growth AS g USING (VALUES (1)) AS v ON g.source_id = OTHER WHEN MATCHED THEN UPDATE SET cells = '' WHEN NOT MATCHED THEN DO NOTHING
    SELECT digests.remove_packs(OTHER, array_agg(counted), array_agg(span), array_agg(start), array_agg(release_id)) FROM (SELECT c AS counted, s AS span, h AS start, r AS release_id FROM generate_series(0, 2) AS c, unnest('{-1,0,1,24}'::bigint[]) AS s, unnest('{0,488933,488928}'::bigint[]) AS h, generate_series(0, 9) AS r) AS k
    SET ROLE GROUP; SELECT digests.remove_packs(OTHER, array_agg(c), array_agg(0::bigint), array_agg(0::bigint), array_agg(r)) FROM generate_series(0, 2) AS c, generate_series(0, 9) AS r
    INSERT INTO digests.model (identity, name) VALUES ('x', 'App.x')
    INSERT INTO digests.release (identity, name) VALUES ('x', 'x')
    INSERT INTO digests.failure (identity, model_id, coding_path, path_format, kind) VALUES ('x', 1, '', '', '')
    UPDATE digests.failure SET novel_value = 'x'
    UPDATE digests.fleet SET first_hour = 99999999
    SELECT digests.enter_failures('{1}', '{secret.kind}', '{unknownNovelValue}', '{NULL}', '{secret}', '{String}', '{x}', '{false}', '{false}', '{false}')
    SELECT digests.enter_models('{App.secret}'), digests.enter_releases('{4.2.0}')
    CREATE TEMP TABLE model (id bigint, identity bytea, name text); SET search_path = pg_temp, digests; SELECT digests.enter_models('{App.secret}')
    CREATE FUNCTION public.sha256(bytea) RETURNS bytea LANGUAGE plpgsql AS $$ BEGIN DELETE FROM digests.pack; RETURN 'x'; END $$; SET search_path = public, pg_catalog; SELECT digests.enter_models('{App.secret}')
    CREATE FUNCTION pg_temp.leak(text) RETURNS boolean COST 0.000001 LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE '%', $1; RETURN true; END $$; SELECT * FROM digests.source WHERE pg_temp.leak(name || role)
    CREATE VIEW pg_temp.v AS SELECT * FROM digests.failure; SELECT * FROM pg_temp.v
    CREATE TABLE digests.mine ()
    CREATE FUNCTION digests.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'
    CREATE OR REPLACE FUNCTION digests.enter_models(names text[]) RETURNS SETOF bigint LANGUAGE sql AS 'SELECT 1::bigint'
    ALTER FUNCTION digests.enter_models(text[]) SECURITY INVOKER
    ALTER SCHEMA digests OWNER TO CURRENT_USER
    DROP SCHEMA digests CASCADE
    SET ROLE admin; DELETE FROM digests.pack
    SET ROLE WEB; DELETE FROM digests.pack
    SET ROLE GROUP; DELETE FROM digests.pack; UPDATE digests.source SET name = 'mine'; SELECT * FROM digests.source, digests.pack
    SET SESSION AUTHORIZATION WEB; DELETE FROM digests.pack
    SELECT set_config('role', 'WEB', false); DELETE FROM digests.pack WHERE source_id = OTHER
    SELECT nextval('digests.source_id_seq')
    SELECT setval('digests.failure_id_seq', 1)
    SELECT last_value FROM digests.failure_id_seq
    """#
    .split(separator: "\n").map(String.init).map { line in
      for (word, names) in [("TABLE", tables), ("SENT", sent)] {
        guard line.contains("digests.\(word)") || line.contains("'\(word)'") else { continue }
        return names.map { name in
          line.replacing("digests.\(word)", with: "digests.\(name)")
            .replacing("'\(word)'", with: "'\(name)'")
        }.joined(separator: ";\n")
      }
      return line
    }

  @Test func `a stolen password neither reads nor changes what other roles have pushed`() throws {
    let fleet = try Fleet()
    let other = try fleet.database.run(
      "SELECT id FROM digests.source WHERE role = '\(fleet.web)'")
    let before = try fleet.others()

    // Among the attempts to delete packs is each pack that there is.
    #expect(
      try fleet.database.run(
        """
        SELECT count(*) > 0, count(*) FILTER (WHERE start NOT IN (0, 488933, 488928)) FROM digests.pack
        WHERE source_id = \(other)
        """) == "t|0")
    for attempt in Self.attempts {
      let sql = attempt.replacing("OTHER", with: other).replacing("WEB", with: fleet.web)
        .replacing("SET ROLE GROUP", with: "SET ROLE group_\(fleet.database.name)")
      let result = try fleet.run(sql, as: fleet.thief)
      #expect(!(result.output + result.error).contains("secret message"), "\(sql)")
      #expect(!result.output.contains("secret"), "\(sql)")
      #expect(!result.output.contains(fleet.web), "\(sql)")
      #expect(try fleet.others() == before, "\(sql)")
    }
  }

  @Test func `a role removes packs of its own stores`() throws {
    let fleet = try Fleet()
    let packs = "(SELECT * FROM digests.pack WHERE span = 1) AS p"
    let result = try fleet.run(
      """
      SELECT digests.remove_packs(min(source_id), array_agg(counted::bigint), array_agg(span::bigint),
        array_agg(start::bigint), array_agg(release_id)) FROM \(packs)
      """, as: fleet.thief)
    #expect(result.status == 0, "\(result.error)")
    #expect(try fleet.run("SELECT count(*) FROM \(packs)", as: fleet.thief).output == "0\n")
    #expect(try fleet.run("SELECT count(*) FROM \(packs)", as: fleet.web).output != "0\n")
    #expect(try fleet.run("SELECT count(*) FROM digests.pack", as: fleet.thief).output != "0\n")
  }

  @Test func `a stolen password is no store of another role's, and does not stop its pushes`()
    throws
  {
    let fleet = try Fleet()
    // The file is stolen as well.
    let refused = try fleet.push("web", as: fleet.thief)
    #expect(refused.status == 64)
    #expect(
      refused.error.contains(
        ": another role than \(fleet.thief) has pushed this store: push it as that one, or have the owner "
          + "of the tables change the role in digests.source, for identity "), "\(refused.error)")
    #expect(try fleet.database.run("SELECT count(*) FROM digests.source") == "2")

    for round in 0..<2 {
      try fleet.add("value\(round)", to: "web")
      try fleet.add("other\(round)", to: "thief")
      for (store, role) in [("web", fleet.web), ("thief", fleet.thief)] {
        let result = try fleet.push(store, as: role)
        #expect(result.status == 0, "\(result.error)")
      }
      try fleet.expectEqualReports(as: fleet.reader)
      #expect(
        try Tool.run("prune", "--max-age", "9000w", "--store", fleet.database.url()).status == 0)
      try fleet.expectEqualReports(as: fleet.reader)
    }

    // Its owner says so.
    try fleet.database.run(
      "UPDATE digests.source SET role = '\(fleet.thief)' WHERE role = '\(fleet.web)'")
    #expect(try fleet.push("web", as: fleet.thief).status == 0)
  }

  @Test func `a reader changes nothing`() throws {
    let fleet = try Fleet()
    let before = try fleet.others()
    let attempts = Self.attempts.joined(separator: ";\n").replacing("OTHER", with: "1")
    _ = try fleet.run(attempts, as: fleet.reader)
    #expect(try fleet.others() == before)
    for function in ["enter_models('{x}')", "enter_releases('{x}')"] {
      #expect(
        try fleet.run("SELECT digests.\(function)", as: fleet.reader).error
          .contains("permission denied for function"))
    }
    #expect(try fleet.push("web", as: fleet.reader).status == 64)
    try fleet.expectEqualReports(as: fleet.reader)
  }

  @Test func `a role that may push and ask pushes its own stores alone`() throws {
    let fleet = try Fleet()
    try #require(
      Tool.run("init", fleet.database.url(), "--reader", fleet.thief).status == 0)
    try fleet.expectEqualReports(as: fleet.thief)
    let before = try fleet.others()
    for table in ["pack", "growth", "failure_tally", "model_tally", "loss"] {
      _ = try fleet.run("DELETE FROM digests.\(table)", as: fleet.thief)
      _ = try fleet.run("UPDATE digests.\(table) SET source_id = source_id", as: fleet.thief)
    }
    _ = try fleet.run("UPDATE digests.source SET name = 'mine'", as: fleet.thief)
    #expect(try fleet.others() == before)
  }

  @Test func `locks that a role holds block no one`() throws {
    let fleet = try Fleet()
    let files = try Files()
    for fifo in ["ready", "done"] { try #require(mkfifo(files.path(fifo), 0o600) == 0) }
    let modes = [
      "ACCESS EXCLUSIVE", "EXCLUSIVE", "SHARE ROW EXCLUSIVE", "SHARE", "SHARE UPDATE EXCLUSIVE",
      "ROW EXCLUSIVE", "ROW SHARE", "ACCESS SHARE",
    ]
    let locks = Self.tables.flatMap { table in
      modes.map { "LOCK TABLE digests.\(table) IN \($0) MODE;" }
    }
    // As much as the role may lock, and for as long as it likes: what it may not ends nothing.
    let session = try Tool.start(
      "/bin/sh", ["-c", "psql -XqAt '\(fleet.database.url(user: fleet.thief))'"], [:],
      Data(
        """
        \\set ON_ERROR_ROLLBACK on
        BEGIN;
        \(locks.joined(separator: "\n"))
        SELECT pg_advisory_lock(1145525076);
        SELECT * FROM digests.source FOR UPDATE;
        SELECT * FROM digests.pack FOR UPDATE;
        SELECT * FROM digests.growth FOR UPDATE;
        SELECT * FROM digests.failure_tally FOR UPDATE;
        SELECT * FROM digests.model_tally FOR UPDATE;
        SELECT * FROM digests.fleet;
        \\! echo > '\(files.path("ready"))'
        \\! cat '\(files.path("done"))'
        """.utf8))
    _ = try Tool.shell("cat '\(files.path("ready"))'")

    try fleet.add("yurt", to: "web")
    let results = try [
      fleet.push("web", as: fleet.web),
      Tool.run("init", fleet.database.url(), "--reader", fleet.reader),
      Tool.run("prune", "--max-age", "9000w", "--store", fleet.database.url()),
      Tool.run("report", "--store", fleet.database.url(user: fleet.reader)),
    ]

    for result in results { #expect(result.status == 0, "\(result.error)") }
    try fleet.expectEqualReports(as: fleet.reader)
    // What was locked is still there for the next time.
    #expect(
      try fleet.database.run("SELECT DISTINCT source_id FROM digests.growth ORDER BY 1")
        == "0\n2")
    // Nor do locked hours that are to be deleted.
    let prune = try Tool.run("prune", "--max-age", "1h", "--store", fleet.database.url())
    #expect(prune.status == 0, "\(prune.error)")
    _ = try Tool.shell("echo > '\(files.path("done"))'")
    _ = try Tool.finish(session)
  }

  @Test(arguments: ["a\"\u{301}b", "\"\u{301}", "x\"\u{20DD}; DROP SCHEMA digests; --", "ё \\ '"])
  func `a role may have any name`(name: String) throws {
    let database = try Database()
    // By another name than those of other tests have.
    let role = "\(database.name.prefix(20))\(name)"
    var quoted = "\"".unicodeScalars
    for scalar in role.unicodeScalars {
      quoted += scalar == "\"" ? ["\"", "\""] : [scalar]
    }
    for option in ["--writer", "--reader"] {
      let missing = try Tool.run("init", database.url(), option, role)
      #expect(missing.status == 66)
      #expect(
        missing.error.unicodeScalars.elementsEqual(
          ("digest-query: \(database.display) has no role \(role); make it with CREATE ROLE "
            + String(quoted) + "\" LOGIN\n").unicodeScalars), "\(missing.error)")
    }
    try database.run("CREATE ROLE \(String(quoted))\"")
    for option in ["--writer", "--reader"] {
      #expect(try Tool.run("init", database.url(), option, role).status == 0)
    }
    #expect(
      try database.run(
        "SELECT count(*) FROM pg_class AS c, aclexplode(c.relacl) AS a WHERE c.relname = 'digest_page' "
          + "AND a.privilege_type = 'INSERT' AND a.grantee <> c.relowner") == "1")
  }

  @Test func `the tables are made once, however many make them at the same time`() throws {
    let database = try Database(isEmpty: true)
    let role = "many_\(database.name)"
    try database.run("CREATE ROLE \(role)")
    let runs = try (0..<8).map { _ in
      try Tool.start(Tool.path, ["init", database.url(), "--writer", role])
    }
    let outputs = try runs.map { run in
      let result = try Tool.finish(run)
      #expect(result.error == "")
      return result.output
    }
    #expect(outputs.count { $0 == "\(database.display): made the tables\n" } == 1)
    #expect(
      outputs.count { $0 == "\(database.display): the tables are there already\n" } == 7)
  }
}
