#if PostgreSQL
  import CPostgreSQL

  /// Where a fleet is: `postgresql://user@host:5432/database?sslmode=verify-full`.
  package enum FleetURL {
    /// - Throws: ``FleetError`` for a URL that cannot be read, or of which parts of a password would be
    ///   taken for something else, and shown.
    static func check(_ url: String) throws {
      let (authority, rest) = parts(url)
      guard authority.count(where: { $0 == "@" }) <= 1, !rest.contains("@"), isReadable(url) else {
        throw FleetError(
          .invalidURL,
          "the URL cannot be read: write @, :, /, ?, #, % and & in a password as %40, %3A, %2F, %3F, %23, "
            + "%25 and %26, or leave the password to ~/.pgpass or $PGPASSWORD")
      }
    }

    /// What libpq thinks of it; what it says of it may hold the password.
    private static func isReadable(_ url: String) -> Bool {
      guard let options = PQconninfoParse(url, nil) else { return false }
      defer { PQconninfoFree(options) }
      var option = options
      while let keyword = option.pointee.keyword {
        if String(cString: keyword) == "port", let value = option.pointee.val,
          !String(cString: value).utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == 0x2c })
        {
          return false
        }
        option += 1
      }
      return true
    }

    /// What stands before the path, and what from there on.
    private static func parts(_ url: String) -> (authority: Substring, rest: Substring) {
      guard let scheme = url.firstRange(of: "://") else { return ("", url[...]) }
      let text = url[scheme.upperBound...]
      let authority = text.prefix { $0 != "/" && $0 != "?" }
      return (authority, text[authority.endIndex...])
    }

    /// The URL without its password, for messages: of a name and a password only the name is left, and
    /// nothing of its parameters, one of which may be the password too.
    ///
    /// - Parameter url: one that ``check(_:)`` lets through, or else nothing is shown of it.
    package static func display(_ url: String) -> String {
      guard (try? check(url)) != nil, let scheme = url.firstRange(of: "://") else {
        return "the server"
      }
      let (authority, rest) = parts(url)
      let path = rest.prefix { $0 != "?" && $0 != "#" }
      guard let at = authority.firstIndex(of: "@") else {
        return "\(url[..<scheme.upperBound])\(authority)\(path)"
      }
      let user = authority[..<at].prefix { $0 != ":" }
      return "\(url[..<scheme.upperBound])\(user)\(authority[at...])\(path)"
    }
  }
#endif
