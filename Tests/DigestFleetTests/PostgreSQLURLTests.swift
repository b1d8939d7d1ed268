#if PostgreSQL
  import DigestStore
  import Testing

  @testable import DigestFleet

  struct PostgreSQLURLTests {
    @Test(arguments: [
      "postgresql://admin:secret/xx@127.0.0.1/drift", "postgresql://admin:12/secret@db/drift",
      "postgresql://admin:secr?et@db/drift", "postgresql://admin:very:secret@x@db/drift",
      "postgresql://admin:secr%et@db/drift", "postgresql://admin:secret%00x@db/drift",
      "postgresql://admin@db/drift?password=se%cret",
      "postgresql://admin@db/drift?password=secret&im",
      "postgresql://admin@db/drift?password=se@cret", "postgresql://admin:secret",
    ])
    func `a URL that cannot be read is not shown, as its password may be anywhere`(url: String) {
      let error = #expect(throws: DigestStoreError.self) { try PostgreSQLURL.check(url) }
      #expect(error?.code == .invalidURL)
      #expect(error?.description.contains("secret") == false)
      #expect(PostgreSQLURL.display(url) == "the server")
    }

    @Test(arguments: [
      ("postgresql://admin:very%3Ase%40cret@db/drift", "postgresql://admin@db/drift"),
      ("postgresql://admin:secret#1@db/drift", "postgresql://admin@db/drift"),
      ("postgresql://admin@db:5433/drift?password=secret", "postgresql://admin@db:5433/drift"),
      ("postgresql://admin:\u{301}secret@db/drift", "postgresql://admin@db/drift"),
      ("postgresql://admin:secret@\u{301}db/drift", "postgresql://admin@\u{301}db/drift"),
      ("postgres://db", "postgres://db"),
    ])
    func `a password is not shown`(url: String, display: String) throws {
      try PostgreSQLURL.check(url)
      #expect(PostgreSQLURL.display(url) == display)
    }

    @Test(arguments: [
      "127.0.0.1", "localhost", "127.0.0.1,localhost", "127.255.0.1,[::1]", "%2Frun%2Fpostgresql",
    ])
    func `the certificate of a server on this machine need not be known`(host: String) throws {
      #expect(try !PostgreSQLURL.needsVerification("postgresql://admin@\(host)/drift"))
      #expect(
        try !PostgreSQLURL.needsVerification("postgresql://db.example/drift?hostaddr=127.0.0.1"))
    }

    @Test(arguments: [
      "127.1/drift", "db.example/drift", "127.1,127.0.0.1/drift", "127.0.0.1,127.1/drift",
      "localhost.example/drift", "localhost/drift?hostaddr=10.0.0.1",
      "127.1,127.1/drift?hostaddr=,127.0.0.1", "/drift?host=127.1", "/drift?service=fleet",
    ])
    func `the certificate of any other server is verified, unless the URL says otherwise`(
      rest: String
    ) throws {
      let url = "postgresql://admin@\(rest)"
      #expect(try PostgreSQLURL.needsVerification(url))
      let mode = url.contains("?") ? "&sslmode=require" : "?sslmode=require"
      #expect(try !PostgreSQLURL.needsVerification(url + mode))
    }
  }
#endif
