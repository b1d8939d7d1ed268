import Testing

@testable import DigestFleet

struct ClickHouseURLTests {
  @Test(arguments: [
    ("clickhouse://web_1@ch.example:9443/drift", "https://ch.example:9443/"),
    ("clickhouse://ch.example/drift", "https://ch.example:8443/"),
    ("clickhouse://ch.example/drift?tls=off", "http://ch.example:8123/"),
    ("clickhouse://localhost/drift", "http://localhost:8123/"),
    ("clickhouse://127.1.2.3/drift", "http://127.1.2.3:8123/"),
    ("clickhouse://[::1]/drift", "http://[::1]:8123/"),
    ("clickhouse://127.0.0.1:8443/drift?tls=on", "https://127.0.0.1:8443/"),
    ("clickhouse://127.0.0.1.example/drift", "https://127.0.0.1.example:8443/"),
    ("clickhouse://localhost.example/drift", "https://localhost.example:8443/"),
  ])
  func `only a server on this machine is asked without encryption`(url: String, address: String)
    throws
  {
    #expect(try ClickHouseURL(url).address == address)
  }

  @Test func `a password is read, and not shown`() throws {
    let url = try ClickHouseURL("clickhouse://web%401:s%3Acret@ch.example/drift?tls=on")
    #expect(url.user == "web@1")
    #expect(url.password == "s:cret")
    #expect(url.database == "drift")
    #expect(url.name == "clickhouse://web%401@ch.example/drift")
    #expect(ClickHouseURL.display("clickhouse://a:secret@b/c/d") == "the server")
  }

  @Test(arguments: [
    (
      "Code: 60, e.displayText() = DB::Exception: Table a.b doesn't exist., e.what() = DB::Exception\n",
      60, "Table a.b doesn't exist"
    ),
    (
      "Code: 60. DB::Exception: Table a.b does not exist. (UNKNOWN_TABLE) (version 26.9.2.1)", 60,
      "Table a.b does not exist. (UNKNOWN_TABLE)"
    ),
    (
      "Code: 279. DB::Exception: Received from 10.0.0.1:9000. DB::Exception: All tries failed. ",
      279,
      "All tries failed"
    ),
    ("<html>\nNo", 0, "the server answered with HTTP status 500: <html>"),
    ("", 0, "the server answered with HTTP status 500"),
  ])
  func `the message of a server becomes a line`(answer: String, code: Int, message: String) {
    let error = ClickHouseError(HTTPAnswer(status: 500, body: Array(answer.utf8)))
    #expect(error.code == code)
    #expect(error.message == message)
  }
}
