import DigestStore
import ResilientPlatform

/// The URL of a fleet in ClickHouse: `clickhouse://user@host:8443/database`.
struct ClickHouseURL {
  /// The URL without its password and parameters, for messages.
  let name: String

  /// The server's address for HTTP.
  let address: String
  let user: String
  let password: String
  let database: String

  /// - Throws: ``DigestStoreError`` for a URL that cannot be used. The message does not contain it,
  ///   because it may contain a password.
  init(_ text: String) throws {
    guard let parts = URLComponents(string: text), parts.scheme == "clickhouse",
      let host = parts.host, !host.isEmpty, parts.fragment == nil,
      text.unicodeScalars.count(where: { $0 == "@" }) <= 1,
      text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7f })
    else {
      throw Self.invalid(
        "the URL cannot be read: write clickhouse://user@host:8443/database, and @, :, /, ?, # and % in a "
          + "user or password as %40, %3A, %2F, %3F, %23 and %25")
    }
    let database = String(parts.path.dropFirst())
    guard !database.isEmpty, database.utf8.allSatisfy(\.isPartOfWord) else {
      throw Self.invalid(
        "name a database of letters, digits and _ in the URL: clickhouse://user@host:8443/drift")
    }
    let usesTLS = try Self.usesTLS(parts.queryItems ?? [], host)
    let user = parts.user ?? "default"
    let password = try parts.password ?? Self.password()
    guard (user + password).unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f })
    else { throw Self.invalid("the user or password has a control character; leave it out") }
    let port = parts.port ?? (usesTLS ? 8_443 : 8_123)
    self.user = user
    self.password = password
    self.database = database
    address = "\(usesTLS ? "https" : "http")://\(parts.percentEncodedHost ?? ""):\(port)/"
    name = Self.display(parts, database)
  }

  /// The URL without its password and parameters; "the server" for one that cannot be used.
  static func display(_ text: String) -> String {
    // The caller reports what is wrong with the URL.
    (try? ClickHouseURL(text))?.name ?? "the server"
  }

  private static func display(_ parts: URLComponents, _ database: String) -> String {
    let user = parts.percentEncodedUser.map { "\($0)@" } ?? ""
    let port = parts.port.map { ":\($0)" } ?? ""
    return "clickhouse://\(user)\(parts.percentEncodedHost ?? "")\(port)/\(database)"
  }

  /// Whether to encrypt: unless the server is on this machine, or the URL says otherwise.
  private static func usesTLS(_ parameters: [URLQueryItem], _ host: String) throws -> Bool {
    var usesTLS = !host[...].isHostHere
    for parameter in parameters {
      switch (parameter.name, parameter.value) {
      case ("tls", "on"): usesTLS = true
      case ("tls", "off"): usesTLS = false
      default: throw invalid("the URL has a parameter other than tls=on or tls=off; leave it out")
      }
    }
    return usesTLS
  }

  /// The password of `$CLICKHOUSE_PASSWORD`, or the first line of the file that
  /// `$CLICKHOUSE_PASSWORD_FILE` names; empty if neither is set.
  private static func password() throws -> String {
    let environment = ProcessInfo.processInfo.environment
    if let password = environment["CLICKHOUSE_PASSWORD"], !password.isEmpty { return password }
    guard let path = environment["CLICKHOUSE_PASSWORD_FILE"], !path.isEmpty else { return "" }
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw invalid("\(path), which $CLICKHOUSE_PASSWORD_FILE names, cannot be read")
    }
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != 13 }, as: UTF8.self)
  }

  private static func invalid(_ message: String) -> DigestStoreError {
    DigestStoreError(.invalidURL, message)
  }
}
