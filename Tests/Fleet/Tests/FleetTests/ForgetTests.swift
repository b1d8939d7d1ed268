import Foundation
import Testing

/// Stores that are gone.
struct ForgetTests {
  private let files: Files
  private let database: Database

  init() throws {
    files = try Files()
    database = try Database()
    try files.add(
      [.at("2025-10-11T05:20:00Z"), .at("2025-10-11T06:20:00Z"), .at("2025-10-13T05:20:00Z")],
      to: "a.sqlite")
  }

  private func error(_ text: String, status: Int32) -> Tool.Result {
    Tool.Result(status: status, output: "", error: "digest-query: \(text)\n")
  }

  private func forget(_ name: String) throws -> Tool.Result {
    try Tool.run("forget", name, "--store", database.url())
  }

  @Test func `a store that is forgotten is not counted, and can be pushed again`() throws {
    try files.add([.at("2025-10-12T05:20:00Z", value: "yurt")], to: "b.sqlite")
    for (store, name) in [("a", "web-1"), ("b", "web-2"), ("c", "web-2")] {
      try files.add([.at("2025-10-13T05:20:00Z")], to: "c.sqlite")
      let pushed = try Tool.run(
        "push", database.url(), "--name", name, "--take-name", "--digests", "--store",
        files.path("\(store).sqlite"))
      try #require(pushed.status == 0, "\(pushed)")
    }
    #expect(
      try forget("web-3")
        == error(
          "\(database.display) has no store of that name; digest-query sources lists those that "
            + "there are", status: 66))
    #expect(
      try forget("web-2")
        == error(
          "\(database.display) has 2 stores of the name web-2: give the identity of one, which "
            + "digest-query sources lists", status: 64))
    let identity = try Tool.shell(
      "sqlite3 '\(files.path("c.sqlite"))' 'SELECT identity FROM store'"
    ).output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(try forget(identity).output.hasPrefix("web-2: forgot "))
    #expect(try forget("web-2").output == "web-2: forgot 1 error\n")
    for report in [["top-failures"], ["digests"], ["models"]] {
      #expect(
        try Tool.run(report + ["--store", database.url()]).output
          == Tool.run(report + ["--store", files.path("a.sqlite")]).output)
    }
    // Equal rows come again.
    #expect(
      try Tool.run(
        "push", database.url(), "--name", "web-2", "--digests", "--store", files.path("b.sqlite")
      ).output
        == "web-2: pushed 6 counts and 1 failure that were new; the fleet has 1 error of 1 digest; sent 1 "
        + "digest\n")
    #expect(
      try Tool.run("models", "--store", database.url(), "--source", "web-2")
        == Tool.run("models", "--store", files.path("b.sqlite")))
  }

  @Test func `what a prune has added up stays counted where stores are not kept apart`() throws {
    try files.add([.at("2025-10-12T05:20:00Z", value: "yurt")], to: "b.sqlite")
    func push() throws {
      let pushed = try Tool.run(
        "push", database.url(), "--name", "b", "--store", files.path("b.sqlite"))
      try #require(pushed.status == 0, "\(pushed)")
    }
    try push()
    try #require(Tool.run("prune", "--max-age", "1d", "--store", database.url()).status == 0)
    try files.add([.at("2025-10-13T05:20:00Z", value: "tent")], to: "b.sqlite")
    try push()

    let remaining = Server.isPostgreSQL ? 1 : 0
    #expect(
      try forget("b")
        == Tool.Result(
          status: 0, output: "b: forgot \(remaining == 0 ? "2 errors" : "1 error")\n",
          error: remaining == 0
            ? ""
            : "digest-query: still counted: 1 error (a prune has added them to the sums of all stores)\n"
        ))
    let values = try Tool.run("top-novel-values", "--store", database.url(), "--format", "csv")
    #expect(values.output.split(separator: "\n").count == 1 + remaining, "\(values)")
    #expect(!values.output.contains("tent"))
  }

  @Test(arguments: [[], ["--source", "a"]])
  func `a file has no stores to forget`(options: [String]) throws {
    let result = try Tool.run(["forget", "a", "--store", files.path("a.sqlite")] + options)
    #expect(result.status == 64 && result.output.isEmpty, "\(result)")
  }
}
