#if PostgreSQL
  import CPostgreSQL

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Where a fleet is: `postgresql://user@host:5432/database?sslmode=verify-full`.
  package enum FleetURL {
    /// - Throws: ``FleetError`` for a URL that cannot be read, or of which parts of a password would be
    ///   taken for something else, and shown.
    static func check(_ url: String) throws {
      let (_, authority, rest) = parts(url)
      guard authority.count(where: { $0 == "@" }) <= 1, !rest.contains("@"), isReadable(url) else {
        throw FleetError(
          .invalidURL,
          "the URL cannot be read: write @, :, /, ?, #, % and & in a password as %40, %3A, %2F, %3F, %23, "
            + "%25 and %26, or leave the password to ~/.pgpass or $PGPASSWORD")
      }
    }

    /// Whether libpq is to verify the server's certificate and name.
    ///
    /// By itself libpq accepts any certificate, or none and sends everything in clear text. That is
    /// left alone where `sslmode` says what to do, and for a server on this machine.
    static func needsVerification(_ url: String) -> Bool {
      guard let options = options(url) else { return true }
      func value(_ keyword: String, _ variable: String) -> String? {
        options[keyword] ?? ProcessInfo.processInfo.environment[variable]
      }
      if value("sslmode", "PGSSLMODE") != nil { return false }
      // A service may name any host, and libpq asks it before the environment.
      if value("service", "PGSERVICE") != nil { return true }
      // libpq connects to the addresses, and where there are none to the hosts.
      if let addresses = value("hostaddr", "PGHOSTADDR"), !addresses.isEmpty {
        // One that is left out of a list is looked up by its host.
        return !parts(ofList: addresses).allSatisfy { !$0.isEmpty && isLocal($0) }
      }
      return !parts(ofList: value("host", "PGHOST") ?? "").allSatisfy(isLocal)
    }

    private static func parts(ofList text: String) -> [Substring] {
      text.split(separator: ",", omittingEmptySubsequences: false)
    }

    /// Whether a host, as libpq takes it, is on this machine: nothing, a socket, or a loopback address.
    private static func isLocal(_ host: Substring) -> Bool {
      if ["", "localhost"].contains(host) || ["/", "@"].contains(host.first) { return true }
      var v4 = in_addr()
      if inet_pton(AF_INET, String(host), &v4) == 1 {
        return withUnsafeBytes(of: v4) { $0.first == 127 }
      }
      var v6 = in6_addr()
      return inet_pton(AF_INET6, String(host), &v6) == 1
        && withUnsafeBytes(of: v6) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
    }

    private static func isReadable(_ url: String) -> Bool {
      guard let options = options(url) else { return false }
      return options["port"]?.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == 0x2c } ?? true
    }

    /// The settings of the URL by libpq's keywords; nil if libpq cannot read it. The message would say
    /// why, and may hold the password.
    private static func options(_ url: String) -> [String: String]? {
      guard let first = PQconninfoParse(url, nil) else { return nil }
      defer { PQconninfoFree(first) }
      var options: [String: String] = [:]
      var option = first
      while let keyword = option.pointee.keyword {
        if let value = option.pointee.val {
          options[String(cString: keyword)] = String(cString: value)
        }
        option += 1
      }
      return options
    }

    /// The URL split at the beginning of its path. It is read scalar by scalar, as libpq does: a
    /// combining mark behind a separator must not hide it.
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

    /// The URL without its password, for messages: of a name and a password only the name is left, and
    /// nothing of its parameters, one of which may be the password too.
    ///
    /// - Parameter url: one that ``check(_:)`` lets through, or else nothing is shown of it.
    package static func display(_ url: String) -> String {
      let (scheme, authority, rest) = parts(url)
      guard (try? check(url)) != nil, !scheme.isEmpty else { return "the server" }
      let path = Substring(rest.prefix { $0 != "?" && $0 != "#" })
      guard let at = authority.firstIndex(of: "@") else {
        return "\(scheme)\(Substring(authority))\(path)"
      }
      let user = Substring(authority[..<at].prefix { $0 != ":" })
      return "\(scheme)\(user)\(Substring(authority[at...]))\(path)"
    }
  }
#endif
