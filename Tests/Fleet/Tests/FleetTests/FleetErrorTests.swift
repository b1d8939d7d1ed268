import Foundation
import Testing

/// What keeps a fleet from doing what it was asked to, each in a line and with its exit status.
@Suite(.enabled(if: Server.isPostgreSQL))
struct FleetErrorTests {
  /// One thing that is wrong.
  struct Case: CustomStringConvertible {
    /// What the owner does before, in a database with a fleet and a store in it; $ROLE may log in.
    var setup = ""

    /// Who runs the command.
    var user = "admin"

    /// $A is the store that was pushed, $B another one.
    let command: String
    let status: Int32

    /// What the line has behind the name of the fleet.
    let error: String

    var description: String { "\(user): \(setup) \(command)" }
  }

  private static let grant = "have the owner of the tables grant it: digest-query init URL"

  private static let cases = [
    // Usage: another role can do it, or it needs another name.
    Case(
      user: "$ROLE", command: "sources --store URL", status: 64,
      error: ": permission denied for schema digests; \(grant) --reader ROLE"),
    Case(
      user: "$ROLE", command: "push URL --store $A", status: 64,
      error: ": permission denied for schema digests; \(grant) --writer ROLE"),
    Case(
      setup: "GRANT USAGE ON SCHEMA digests TO $ROLE; GRANT SELECT ON digests.fleet TO $ROLE",
      user: "$ROLE", command: "models --store URL", status: 64,
      error: ": permission denied for table source; \(grant) --reader ROLE"),
    Case(
      setup: "GRANT USAGE ON SCHEMA digests TO $ROLE; "
        + "GRANT SELECT ON ALL TABLES IN SCHEMA digests TO $ROLE",
      user: "$ROLE", command: "push URL --store $B", status: 64,
      error: ": permission denied for table source; \(grant) --writer ROLE"),
    // The names are there, and then the counts are not.
    Case(
      setup: "GRANT USAGE ON SCHEMA digests TO $ROLE; "
        + "GRANT SELECT ON ALL TABLES IN SCHEMA digests TO $ROLE; "
        + "REVOKE SELECT ON digests.growth FROM $ROLE",
      user: "$ROLE", command: "top-failures --store URL", status: 64,
      error: ": permission denied for table growth; \(grant) --reader ROLE"),
    Case(
      setup: "GRANT USAGE ON SCHEMA digests TO $ROLE; "
        + "GRANT SELECT ON ALL TABLES IN SCHEMA digests TO $ROLE; "
        + "REVOKE SELECT ON digests.pack FROM $ROLE",
      user: "$ROLE", command: "report --source web-1 --store URL", status: 64,
      error: ": permission denied for table pack; \(grant) --reader ROLE"),
    Case(
      setup: "DROP SCHEMA digests CASCADE", user: "$ROLE", command: "init URL", status: 64,
      error:
        ": permission denied for database $NAME; let the role make schemas there (GRANT CREATE "
        + "ON DATABASE)"),
    Case(
      user: "$ROLE", command: "prune --max-age 1d --store URL", status: 64,
      error:
        ": the schema digests belongs to admin, and only that role may do this: run it as admin"),
    Case(
      setup: "REVOKE CONNECT ON DATABASE $NAME FROM PUBLIC", user: "$ROLE",
      command: "sources --store URL", status: 64,
      error: ": permission denied for database \"$NAME\"; let the role connect (GRANT CONNECT ON "
        + "DATABASE)"),
    Case(
      setup: "ALTER ROLE $ROLE NOLOGIN", user: "$ROLE", command: "sources --store URL", status: 64,
      error:
        ": role \"$ROLE\" is not permitted to log in; log in as a member of it, or let it (ALTER "
        + "ROLE … LOGIN)"),
    Case(
      command: "push URL --name other --store $A", status: 64,
      error:
        " knows this store as web-1: leave --name out, or add --take-name to rename it; a copy of "
        + "its file is no store of its own"),
    // What is named is not there.
    Case(
      setup: "DROP SCHEMA digests CASCADE", command: "models --store URL", status: 66,
      error: " has no tables of a fleet; make them with digest-query init URL"),
    Case(
      command: "models --source none --store URL", status: 66,
      error: " has no store of that name; digest-query sources lists those that there are"),
    Case(
      command: "init URL --reader none_$NAME", status: 66,
      error: " has no role none_$NAME; make it with CREATE ROLE \"none_$NAME\" LOGIN"),
    // What is there is something else.
    Case(
      setup: "UPDATE digests.fleet SET version = 2", command: "push URL --store $A",
      status: 65, error: " has schema 2, and this version knows 1: use a newer version"),
    Case(
      setup: "DROP SCHEMA digests CASCADE; CREATE SCHEMA digests", command: "init URL", status: 65,
      error: " has a schema digests that is no fleet's; take another database"),
    Case(
      setup: "UPDATE digests.growth SET cells = 'x'", command: "top-failures --store URL",
      status: 65,
      error: ": counts of web-1 (role admin) cannot be read; digest-query prune removes them"),
    Case(
      setup: "UPDATE digests.pack SET cells = 'x', mark = 0", command: "push URL --store $A",
      status: 65,
      error: ": the counts of the store, or those that were pushed before, are damaged; run "
        + "digest-query verify on the store, and digest-query prune on the fleet"),
    // The server does not let in, or does not do it now.
    Case(
      setup: "ALTER ROLE $ROLE CONNECTION LIMIT 0", user: "$ROLE", command: "sources --store URL",
      status: 74,
      error:
        ": too many connections for role \"$ROLE\"; run it again later, or let the server take "
        + "more connections"),
    Case(
      setup: "ALTER ROLE $ROLE PASSWORD 'other'", user: "$ROLE", command: "sources --store URL",
      status: 74,
      error:
        ": password authentication failed for user \"$ROLE\"; give the password in ~/.pgpass or "
        + "$PGPASSWORD"),
    Case(
      setup: "ALTER DATABASE $NAME SET default_transaction_read_only = on",
      command: "push URL --store $B --name web-2", status: 74,
      error: " may only be read; name the server that may be written"),
  ]

  @Test(arguments: cases)
  func `an error of a fleet has its status, and a line with the remedy`(of wrong: Case) throws {
    let files = try Files()
    let database = try Database()
    for store in ["a", "b"] { try files.add([.at("2025-10-11T05:20:00Z")], to: "\(store).sqlite") }
    let role = "role_\(database.name)"
    func filled(_ text: String) -> String {
      [
        ("$ROLE", role), ("$NAME", database.name), ("$A", files.path("a.sqlite")),
        ("$B", files.path("b.sqlite")),
      ].reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
    let user = filled(wrong.user)
    try #require(
      Tool.run("push", database.url(), "--name", "web-1", "--store", filled("$A")).status == 0)
    try database.run(
      "CREATE ROLE \(role) LOGIN PASSWORD '\(Server.value("PGPASSWORD"))'; \(filled(wrong.setup))")

    #expect(
      try Tool.run(
        wrong.command.split(separator: " ").map {
          $0 == "URL" ? database.url(user: user) : filled(String($0))
        })
        == Tool.Result(
          status: wrong.status, output: "",
          error:
            "digest-query: postgresql://\(user)@127.0.0.1:\(Server.port)/\(database.name)"
            + "\(filled(wrong.error))\n"))
  }
}
