#if PostgreSQL
  /// Where a fleet is: `postgresql://user@host:5432/database?sslmode=verify-full`.
  package enum FleetURL {
    /// - Throws: ``FleetError`` for a password of which parts would be taken for a host, and shown.
    static func check(_ url: String) throws {
      guard authority(url).count(where: { $0 == "@" }) > 1 else { return }
      throw FleetError(
        .invalidURL,
        "the URL has more than one @: write one in a password as %40, or leave the password to "
          + "~/.pgpass or $PGPASSWORD")
    }

    private static func authority(_ url: String) -> Substring {
      let text = url.prefix { $0 != "?" && $0 != "#" }
      return text.firstRange(of: "://").map { text[$0.upperBound...].prefix { $0 != "/" } } ?? ""
    }

    /// The URL without its password, for messages: of a name and a password only the name is left, and
    /// nothing of its parameters, one of which may be the password too.
    package static func display(_ url: String) -> String {
      let text = url.prefix { $0 != "?" && $0 != "#" }
      guard let scheme = text.firstRange(of: "://") else { return "the server" }
      let rest = text[scheme.upperBound...]
      let authority = rest.prefix { $0 != "/" }
      // A password may have an @ that no one has encoded: what is behind the last one is the host.
      guard let at = authority.lastIndex(of: "@") else { return String(text) }
      let user = authority[..<at].prefix { $0 != ":" }
      return "\(text[..<scheme.upperBound])\(user)\(rest[at...])"
    }
  }
#endif
