import Foundation
import Testing

/// The gateway of the cookbook between phones and a fleet.
@Suite(.enabled(if: Server.isPostgreSQL))
struct GatewayTests {
  private static let silence = Tool.Result(status: 0, output: "", error: "")

  @Test func `phones that post all at once, and again, are counted as by one store`() throws {
    let gateway = try Gateway()
    var random = SeededGenerator(29)
    let phones = (0..<16).map { phone in
      (0..<40).map { Digest.random($0, of: phone, using: &random) }
    }
    try gateway.files.add(phones.flatMap { $0 }, to: "all.sqlite")

    var posts = try (phones + phones).map { ($0, try gateway.start($0.body)) }
    while let (digests, post) = posts.popLast() {
      let answer = try Tool.finish(post)
      switch Gateway.status(of: answer) {
      case 204: break
      // The file was in use for too long.
      case 503: posts.append((digests, try gateway.start(digests.body)))
      default: Issue.record("\(answer)")
      }
    }

    #expect(try gateway.push() == Self.silence)
    try gateway.expectFleet(equals: "all.sqlite")
    #expect(
      try Tool.run("sources", "--store", gateway.database.url(), "--format", "csv").output
        .split(separator: "\n").dropFirst().map { $0.prefix { $0 != "," } } == ["phones"])
  }

  @Test func `a text that is no export is refused, and nothing changes`() throws {
    let gateway = try Gateway()
    let good = [Digest.at("2025-10-11T05:20:00Z")]
    #expect(try gateway.post(good.body) == 204)
    try gateway.files.add(good, to: "all.sqlite")
    let before = try gateway.export()

    let new = [Digest.at("2025-10-11T05:30:00Z", value: "yurt")].body
    for bad in [
      Data("{}\n".utf8), Data("a line\n".utf8), Data("\0\n".utf8), Data("\u{feff}\n".utf8),
      Data([0xff, 0xfe, 0x0a]), new.replacing(Data("yurt".utf8), with: [0xc3, 0x28]),
      new.dropLast(9), Data(repeating: UInt8(ascii: "["), count: 1 << 20),
    ] {
      #expect(try gateway.post(new + bad) == 400, "\(Array(bad.prefix(99)))")
    }

    #expect(try gateway.export() == before)
    #expect(try gateway.push() == Self.silence)
    try gateway.expectFleet(equals: "all.sqlite")
  }

  @Test func `pruned digests stay counted in the fleet, and are not counted again`() throws {
    let gateway = try Gateway()
    var random = SeededGenerator(31)
    let old = (0..<200).map { Digest.random($0, of: 0, using: &random) }
    let new = [Digest.at(Date(timeIntervalSinceNow: -3_600).ISO8601Format())]
    try gateway.files.add(old + new, to: "all.sqlite")
    for _ in 1...2 {
      #expect(try gateway.post((old + new).body) == 204)
      #expect(try gateway.push() == Self.silence)
      #expect(try gateway.export().split(separator: "\n").count == 1)
      try gateway.expectFleet(equals: "all.sqlite")
    }
  }

  @Test func `a push that fails says so in a line, prunes nothing, and is made up for`() throws {
    let gateway = try Gateway()
    let old = [Digest.at("2025-10-11T05:20:00Z")]
    try gateway.files.add(old, to: "all.sqlite")
    #expect(try gateway.post(old.body) == 204)
    let before = try gateway.export()

    try gateway.keepPassword("wrong")
    let wrong = try gateway.push()
    #expect(wrong.status == 74)
    #expect(wrong.output.isEmpty)
    #expect(wrong.error.hasPrefix("digest-query: postgresql://"))
    #expect(wrong.error.contains("password authentication failed for user"))
    #expect(wrong.error.hasSuffix("; give the password in ~/.pgpass or $PGPASSWORD\n"))
    #expect(wrong.error.split(separator: "\n").count == 1)

    let away = try gateway.push(["DIGEST_FLEET": "postgresql://pusher@127.0.0.1:1/none"])
    #expect(away.status == 74)
    #expect(away.error.split(separator: "\n").count == 1)
    #expect(try gateway.export() == before)

    try gateway.keepPassword(Server.value("PGPASSWORD"))
    let missing = try gateway.push(["DIGEST_STORE": gateway.files.path("none.sqlite")])
    #expect(missing.status == 66)
    #expect(missing.error.split(separator: "\n").count == 1)
    #expect(try gateway.push() == Self.silence)
    try gateway.expectFleet(equals: "all.sqlite")
  }

  @Test func `a push begins while none is running`() throws {
    let gateway = try Gateway()
    #expect(try gateway.post([Digest.at("2025-10-11T05:20:00Z")].body) == 204)
    let before = try gateway.export()
    let lock = open(gateway.store + ".push-lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(flock(lock, LOCK_EX) == 0)

    #expect(
      try gateway.push()
        == Tool.Result(
          status: 75, output: "", error: "push-drift: the last one is still running\n"))
    #expect(try gateway.export() == before)

    close(lock)
    #expect(try gateway.push() == Self.silence)
    #expect(try gateway.export() == "")
  }

  @Test func `a store that no phone has sent anything to is pushed`() throws {
    let gateway = try Gateway()
    try #require(Tool.run("import", "/dev/null", "--store", gateway.store).status == 0)
    #expect(try gateway.push() == Self.silence)
    #expect(try gateway.push() == Self.silence)
  }
}
