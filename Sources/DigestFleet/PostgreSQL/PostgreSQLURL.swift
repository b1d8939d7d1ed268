import DigestStore
import ResilientPlatform

/// The URL of a fleet: `postgresql://user@host:5432/database?sslmode=verify-full`.
enum PostgreSQLURL {
  /// - Throws: ``DigestStoreError`` for a URL that libpq cannot read, or in which a part of a
  ///   password could be mistaken for something else, and shown.
  static func check(_ url: String) throws {
    let (_, authority, rest) = parts(url)
    guard authority.count(where: { $0 == "@" }) <= 1, !rest.contains("@"), try isReadable(url)
    else {
      throw DigestStoreError(
        .invalidURL,
        "the URL cannot be read: write @, :, /, ?, #, % and & in a password as %40, %3A, %2F, %3F, %23, "
          + "%25 and %26, or leave the password to ~/.pgpass or $PGPASSWORD")
    }
  }

  /// Whether libpq has to verify the server's certificate and name.
  ///
  /// By default libpq accepts any certificate, or sends everything in clear text. That is left
  /// alone if `sslmode` is set, and for a server on this machine.
  static func needsVerification(_ url: String) throws -> Bool {
    guard let options = try LibPQ.options(of: url) else { return true }
    func value(_ keyword: String, _ variable: String) -> String? {
      options[keyword] ?? ProcessInfo.processInfo.environment[variable]
    }
    if value("sslmode", "PGSSLMODE") != nil { return false }
    // A service may name any host, and libpq asks it before the environment.
    if value("service", "PGSERVICE") != nil { return true }
    // libpq connects to the addresses, and where there are none to the hosts.
    if let addresses = value("hostaddr", "PGHOSTADDR"), !addresses.isEmpty {
      // One that is left out of a list is looked up by its host.
      return !parts(ofList: addresses).allSatisfy { !$0.isEmpty && $0.isHostHere }
    }
    return !parts(ofList: value("host", "PGHOST") ?? "").allSatisfy(\.isHostHere)
  }

  private static func parts(ofList text: String) -> [Substring] {
    text.split(separator: ",", omittingEmptySubsequences: false)
  }

  private static func isReadable(_ url: String) throws -> Bool {
    guard let options = try LibPQ.options(of: url) else { return false }
    return options["port"]?.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == 0x2c } ?? true
  }

  /// The URL split at the beginning of its path, scalar by scalar as in libpq, so that a combining
  /// mark cannot hide a separator.
  private static func parts(
    _ url: String
  ) -> (
    scheme: Substring, authority: Substring.UnicodeScalarView, rest: Substring.UnicodeScalarView
  ) {
    let scalars = Substring(url).unicodeScalars
    guard let end = scalars.firstRange(of: "://".unicodeScalars)?.upperBound else {
      return ("", Substring().unicodeScalars, scalars)
    }
    let authority = scalars[end...].prefix { $0 != "/" && $0 != "?" }
    return (Substring(scalars[..<end]), authority, scalars[authority.endIndex...])
  }

  /// The URL without its password and parameters, for messages; "the server" for a URL that
  /// ``check(_:)`` refuses.
  static func display(_ url: String) -> String {
    let (scheme, authority, rest) = parts(url)
    // The caller reports what is wrong with a refused URL; it may contain a password.
    guard (try? check(url)) != nil, !scheme.isEmpty else { return "the server" }
    let path = Substring(rest.prefix { $0 != "?" && $0 != "#" })
    guard let at = authority.firstIndex(of: "@") else {
      return "\(scheme)\(Substring(authority))\(path)"
    }
    let user = Substring(authority[..<at].prefix { $0 != ":" })
    return "\(scheme)\(user)\(Substring(authority[at...]))\(path)"
  }
}
