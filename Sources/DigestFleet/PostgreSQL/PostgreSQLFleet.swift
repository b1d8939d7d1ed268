/// A fleet in a PostgreSQL database.
final class PostgreSQLFleet: Fleet {
  let connection: PostgreSQLConnection

  /// The URL without its password.
  var name: String { connection.name }

  /// Connects to a server.
  ///
  /// - Throws: ``FleetError`` if that fails, or if this build has no libpq.
  init(_ url: String) throws {
    do {
      connection = try PostgreSQLConnection(url)
    } catch let error as PostgreSQLError {
      throw error.error(about: PostgreSQLURL.display(url), needing: nil)
    }
  }

  func initialize(_ options: FleetOptions) throws -> Bool {
    guard options.cluster == nil, !options.isReplicated else {
      throw FleetError(
        .unsuitable,
        "\(name) is PostgreSQL, which has no clusters of this kind: leave --cluster and --replicated out"
      )
    }
    let (writer, reader) = (options.writer, options.reader)
    return try connection.mappingErrors(needing: nil) {
      try checkEncoding()
      do {
        return try connection.transaction { try initializing(writer, reader) }
      } catch let error as PostgreSQLError where ["23505", "42P06"].contains(error.state) {
        // Another session has made the schema at the same time.
        return try connection.transaction { try initializing(writer, reader) }
      }
    }
  }

  private func initializing(_ writer: String?, _ reader: String?) throws -> Bool {
    try checkOwner()
    let isNew = try version() == nil
    // Two sessions cannot migrate or grant at the same time. No role but the owner can take this lock.
    if !isNew { try connection.run("LOCK TABLE digests.fleet IN SHARE ROW EXCLUSIVE MODE") }
    let version = isNew ? 0 : try version() ?? 0
    guard let migration = FleetSchema.migration(from: version) else {
      throw otherVersion(version)
    }
    try connection.run(migration)
    if let writer { try grant(.writer, to: writer) }
    if let reader { try grant(.reader, to: reader) }
    return isNew
  }

  /// - Throws: ``FleetError`` if another role owns the schema: its tables may run functions of that role.
  func checkOwner() throws {
    let row = try connection.run(
      """
      SELECT pg_get_userbyid(nspowner), current_user FROM pg_namespace WHERE nspname = 'digests'
      """
    ).first
    guard let owner = row?.text(0), owner != row?.text(1) else { return }
    throw FleetError(
      .notPermitted,
      "\(name): the schema digests belongs to \(owner), and only that role may do this: run it as "
        + "\(owner)")
  }

  /// A store may contain any character.
  private func checkEncoding() throws {
    let encoding = try connection.run("SHOW server_encoding").first?.text(0) ?? ""
    guard encoding == "UTF8" else {
      throw FleetError(
        .unsuitable,
        "\(name) has the encoding \(encoding), which does not have every character: make a database "
          + "with ENCODING 'UTF8'")
    }
  }

  private func grant(_ role: FleetRole, to name: String) throws {
    do {
      try connection.grant(role, to: name)
    } catch let error as PostgreSQLError where error.state == "42704" {
      throw FleetError(
        .missing,
        "\(self.name) has no role \(name); make it with CREATE ROLE \(name.quotedAsName) LOGIN")
    }
  }

  /// Reads the version of the tables; nil where there are none.
  ///
  /// - Throws: ``FleetError`` for tables of a development build, which have another column for it.
  private func version() throws -> Int64? {
    guard try connection.run("SELECT to_regclass('digests.fleet')").first?.text(0) != nil else {
      return nil
    }
    let row = try connection.run(
      "SELECT to_jsonb(f) ->> 'version', to_jsonb(f) ->> 'schema_version' FROM digests.fleet AS f"
    ).first
    guard row?.text(1) == nil else {
      throw FleetError(
        .otherVersion,
        "\(name) has the tables of a development build: drop the schema digests, run digest-query "
          + "init URL, and push all stores again")
    }
    return row?.text(0).flatMap { Int64($0) } ?? 0
  }

  /// - Throws: ``FleetError`` where the tables are not of the version that this build knows.
  func checkVersion() throws {
    guard let version = try version() else {
      throw FleetError(
        .notAFleet, "\(name) has no tables of a fleet; make them with digest-query init URL")
    }
    guard version == FleetSchema.version else { throw otherVersion(version) }
  }

  private func otherVersion(_ version: Int64) -> FleetError {
    FleetError(
      .otherVersion,
      "\(name) has schema \(version), and this version knows \(FleetSchema.version): "
        + (version > FleetSchema.version
          ? "use a newer version" : "have the owner of the tables run digest-query init URL"))
  }
}
