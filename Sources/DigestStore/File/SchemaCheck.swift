import CSQLite

/// Checks that the tables, views and indexes of a store are those that this code makes, before any
/// other query.
///
/// The author of a file controls its schema. A view, a virtual table or a generated column in place
/// of a table may never end. So each of these statements must be the one that this code wrote.
///
/// Other programs may add tables and views, which nothing of a store reads. An index or a trigger
/// on a table of the store is refused: it can make a write fail, or do something else.
enum SchemaCheck {
  /// Reads the version of a file's schema and checks the schema, in one transaction. The connection
  /// then remembers the schema.
  ///
  /// - Returns: 0 for a file without a schema.
  /// - Throws: ``DigestStoreError`` as ``Migrator/version(of:path:)``, and with code
  ///   `foreignSchema`; ``SQLiteError`` if the file is damaged.
  static func version(
    of connection: Connection, path: String, _ migrator: Migrator = .current
  ) throws -> Int64 {
    do {
      try connection.execute("BEGIN")
      defer { try? connection.execute("COMMIT") }  // Reads only: a failed COMMIT loses nothing.
      let version = try check(connection, path: path, migrator)
      try connection.rememberSchema()
      return version
    } catch let error as SQLiteError where error.primaryCode == SQLITE_ERROR {
      // The statements are sound, so the file is not.
      throw damage(error.message)
    } catch let error as SQLiteError where error.primaryCode == SQLITE_CORRUPT {
      // SQLite loads no schema with a statement that it cannot read, as one of a newer version.
      // If that fails, too, the first error says more.
      let object = try? unreadableObject(of: connection, error, migrator)
      guard let object else { throw error }
      throw DigestStoreError.foreign([object], isReadable: false, path: path)
    }
  }

  /// Returns the object of another program that keeps SQLite from loading the schema, if that is
  /// all that is wrong with the schema.
  private static func unreadableObject(
    of connection: Connection, _ error: SQLiteError, _ migrator: Migrator
  ) throws -> SchemaObject? {
    let other = try Connection(path: connection.path, mode: connection.mode)
    // Then SQLite ignores what it cannot read (SQLite, "PRAGMA writable_schema").
    try other.execute("PRAGMA writable_schema = ON")
    let expected = try schema(ofVersion: other.schemaVersion(), migrator)
    let objects = try objects(of: other)
    let found = statements(of: objects)
    guard expected.allSatisfy({ found[$0.key] == $0.value }) else { return nil }
    return objects.first {
      expected[$0.name] == nil
        && error.message.hasPrefix("malformed database schema (\($0.name)) - ")
    }
  }

  private static func check(
    _ connection: Connection, path: String, _ migrator: Migrator
  ) throws -> Int64 {
    let version = try migrator.version(of: connection, path: path)
    guard version > 0 else { return version }
    let expected = try schema(ofVersion: version, migrator)
    let objects = try objects(of: connection)
    let found = statements(of: objects)
    // Reports the first name, so that the error for a file is always the same.
    let changed = expected.keys.sorted().filter { expected[$0] != found[$0] }
    if let name = changed.first(where: { expected[$0]?.hasPrefix("index ") == false }) {
      throw damage(
        "\(name) in the schema differs from that of a store; undo the change if someone made it")
    }
    // Without an index, the file has everything.
    if let name = changed.first, let text = expected[name],
      let start = text.firstRange(of: "CREATE ")?.lowerBound
    {
      let statement = text[start...].split(whereSeparator: \.isWhitespace).joined(separator: " ")
      throw DigestStoreError(
        .foreignSchema,
        "\(path): another program has changed the index \(name) of the store; make it anew with "
          + "sqlite3: DROP INDEX IF EXISTS \(name); \(statement)")
    }
    let names = Set(expected.keys.map { $0.lowercased() })
    let others = objects.filter { $0.mayChange(names) }
    guard others.isEmpty else { throw DigestStoreError.foreign(others, path: path) }
    let rows = try connection.integer(
      "SELECT count(*) FROM store WHERE length(identity) = 32 AND folded BETWEEN 0 AND \(Int64.maximumCount)"
    )
    guard rows == 1, try connection.integer("SELECT count(*) FROM store") == 1 else {
      throw damage("the table store has an invalid row")
    }
    return version
  }

  /// The statements of schemas by version and name, as those of a file. Taking a text apart is faster
  /// than running it.
  private static let texts: [Int64: [String: String]] = [
    1: statements(of: Migration.tables + Migration.views)
  ]

  /// The tables of the current schema.
  static let tables = (texts[Migrator.current.version] ?? [:])
    .filter { $0.value.hasPrefix("table ") }.keys.sorted()

  /// The statements of a schema's text by name. SQLite stores each from `CREATE` on.
  ///
  /// The text has no semicolon but at the end of a statement: a test compares the result with what
  /// SQLite stores.
  static func statements(of sql: String) -> [String: String] {
    var statements: [String: String] = [:]
    for text in sql.split(separator: ";") {
      guard let start = text.firstRange(of: "CREATE ")?.lowerBound else { continue }
      let words = text[start...].utf8.prefix(100).split { $0 <= UInt8(ascii: " ") }
        .compactMap { String($0) }.filter { $0 != "UNIQUE" }
      let (type, name) = (words[1].lowercased(), words[2])
      let table = type == "index" ? words[4] : name
      statements[name] = "\(type) \(table) \(type == "view" ? 0 : 1) \(text[start...])"
    }
    return statements
  }

  private static func schema(
    ofVersion version: Int64, _ migrator: Migrator
  ) throws -> [String: String] {
    if let text = texts[version] { return text }
    return statements(
      of: try objects(of: migrator.upTo(version).makeStoreInMemory(named: "reference")))
  }

  /// Reads the tables, views, indexes and triggers of a file, without the indexes of constraints.
  private static func objects(of connection: Connection) throws -> [SchemaObject] {
    try connection.rows(
      """
      SELECT type, name, tbl_name, type || ' ' || tbl_name || ' ' || (rootpage > 0) || ' ' || sql
      FROM sqlite_schema WHERE sql IS NOT NULL
      """
    ) { row in
      SchemaObject(
        type: row.text(at: 0) ?? "", name: row.text(at: 1) ?? "", table: row.text(at: 2) ?? "",
        statement: row.text(at: 3) ?? "")
    }
  }

  /// The statements of all objects but triggers, whose names may be those of tables.
  private static func statements(of objects: [SchemaObject]) -> [String: String] {
    Dictionary(objects.filter { $0.type != "trigger" }.map { ($0.name, $0.statement) }) {
      first, _ in first + " twice"
    }
  }

  private static func damage(_ message: String) -> SQLiteError {
    SQLiteError(code: SQLITE_CORRUPT, message: message, sql: nil)
  }
}

/// A table, a view, an index or a trigger of a file.
private struct SchemaObject {
  let type: String
  let name: String

  /// The table of an index or a trigger. SQLite checks it against the statement.
  let table: String

  /// The statement, and how SQLite stores the object.
  let statement: String

  /// Whether the object changes what statements on a store do.
  ///
  /// - Parameter names: the names of the store's tables, views and indexes, in lowercase.
  func mayChange(_ names: Set<String>) -> Bool {
    switch type {
    case "index": names.contains(table.lowercased()) && !names.contains(name.lowercased())
    case "trigger": names.contains(table.lowercased())
    // A table hides the function of the same name.
    default: ["json_each", "pragma_foreign_key_check"].contains(name.lowercased())
    }
  }
}

extension DigestStoreError {
  /// The most objects of other programs that an error names.
  private static let maximumNames = 10

  /// The error for objects of other programs, with the statements that remove them.
  ///
  /// - Parameter isReadable: whether this version of SQLite understands their statements.
  fileprivate static func foreign(
    _ objects: [SchemaObject], isReadable: Bool = true, path: String
  ) -> Self {
    let some = objects.prefix(maximumNames)
    let places = some.map(\.place).joined(separator: ", ")
    let problem =
      "\(path): another program has added \(places)"
      + (objects.count > some.count ? " and \(objects.count - some.count) more" : "")
      + (isReadable ? "" : ", which SQLite \(SQLiteLibrary.version) cannot read")
    let shell = isReadable ? "sqlite3" : "a newer sqlite3"
    let them = some.count == 1 ? "it" : "them"
    guard some.allSatisfy(\.isPrintable) else {
      return Self(
        .foreignSchema,
        "\(problem), with a name that cannot be printed; remove \(them) with \(shell), whose .schema "
          + "shows the names")
    }
    let drops = some.map(\.drop).joined(separator: "; ")
    return Self(.foreignSchema, "\(problem); remove \(them) with \(shell): \(drops)")
  }
}

extension SchemaObject {
  /// The type with its article, and the table.
  fileprivate var place: String {
    switch type {
    case "index": "an index on \(table)"
    case "trigger": "a trigger on \(table)"
    default: "a \(type)"
    }
  }

  /// The statement that removes the object.
  fileprivate var drop: String {
    "DROP \(type.uppercased()) \"\(name.replacingScalars("\"", with: "\"\""))\""
  }

  /// Whether a line with the name can be pasted: it has letters and digits without marks, and what
  /// ASCII has. The tool escapes others.
  fileprivate var isPrintable: Bool {
    name.unicodeScalars.allSatisfy {
      switch $0.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .decimalNumber:
        true
      case .otherLetter:
        !(0x1160...0x11FF ~= $0.value) && !$0.properties.isDefaultIgnorableCodePoint
      default: 0x20..<0x7F ~= $0.value
      }
    }
  }
}

extension Connection {
  /// A check of SQLite on the structure of a file.
  enum IntegrityCheck: String {
    /// Also checks that the indexes agree with their tables.
    case full = "integrity_check"
    case quick = "quick_check"
  }

  /// The problems that SQLite finds in the pages of the file and in the rows of the store, a line
  /// each.
  ///
  /// Ignores the rows of other programs' tables, and tables that only those programs can read.
  func problems(_ check: IntegrityCheck) throws -> [String] {
    var all: [String] = []
    do {
      all = try rows("PRAGMA \(check.rawValue)") { $0.text(at: 0) ?? "" }
    } catch let error as SQLiteError where error.primaryCode == SQLITE_ERROR {
      // A table of another program uses a module, a collation or a function that this one lacks.
    }
    if all == ["ok"] { return [] }
    let own = try SchemaCheck.tables.flatMap { table in
      try rows("PRAGMA \(check.rawValue)(\(table))") { $0.text(at: 0) ?? "" }
    }
    // Begins a list of damaged pages, which a check of one table repeats.
    let pages = "*** in database main ***"
    let damaged = (all.isEmpty ? own : all).filter { $0.hasPrefix(pages) }
    let ofRows = own.filter { $0 != "ok" && !$0.hasPrefix(pages) }
    return (damaged + ofRows).flatMap { $0.split(separator: "\n").map(String.init) }
      .filter { $0 != pages }
  }

  /// Reads all of the file.
  ///
  /// - Throws: ``SQLiteError`` with code `SQLITE_CORRUPT` if it is damaged.
  func checkIntegrity() throws {
    guard let problem = try problems(.full).first else { return }
    throw SQLiteError(code: SQLITE_CORRUPT, message: problem, sql: nil)
  }
}
