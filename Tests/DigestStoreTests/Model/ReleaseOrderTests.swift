import Testing

@testable import DigestStore

struct ReleaseOrderTests {
  @Test func `releases are in the order of their versions, names before them`() {
    // Numbered as the store met them: not in their order.
    let names: [String?] = [
      nil, "nightly", "abc", "1234567", "ios-4.4.0", "4.3.0b2", "0.9", "1.0.0-alpha",
      "1.0.0-alpha.1", "1.0.0-alpha.beta",
      "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "v1.2",
      "1.10.0", "2.0", "2.0.0.1", "App@2.1.0+78", "4.2", "4.2.0", "v4.2.0", "4.2.0+77", "4.2.0+80",
      "4.2.0 (77)", "4.2 (80)", "4.2.0 (80.1)", "app/x@4.2.0 (100)", "4.3.0+ci@host",
      "4.3.0 (77@main)", "2026.9.12", "2026.11.3",
      "20261128.10",
    ]
    let releases = names.enumerated().map { ReleaseOrder($1, id: Int64($0)) }
    for (index, release) in releases.enumerated() {
      for (other, second) in releases.enumerated() {
        #expect(
          release.isOlder(than: second) == (index < other),
          "\(names[index] ?? "-") \(names[other] ?? "-")")
      }
    }
  }

  @Test(arguments: [
    ("4.2", "4.2.0"), ("v4.2.0", "4.2"), ("4.2.0+77", "4.2.0"), ("4.2.0 (77)", "4.2 (77)"),
    ("4.2.0-rc.1+5", "4.2.0-rc.1"),
  ])
  func `equal versions are in the order of their arrival`(_ first: String, _ second: String) {
    for (first, second) in [(first, second), (second, first)] {
      let (old, new) = (ReleaseOrder(first, id: 1), ReleaseOrder(second, id: 2))
      #expect(old.isOlder(than: new))
      #expect(!new.isOlder(than: old))
      // One that the store does not have is not newer than those that it has.
      #expect(!new.isOlder(than: ReleaseOrder(first, id: nil)))
    }
  }

  @Test(arguments: [
    "", "v", "430", "a@", "4.2.0@", "4.", ".4", "4..2", "4.x", "4.2.0-", "4.2.0-a..b",
    "99999999999999999999",
  ])
  func `a name that isn't a version is older than any version`(_ name: String) {
    #expect(ReleaseOrder(name, id: 9).isOlder(than: ReleaseOrder("0.0.1", id: 1)))
    #expect(!ReleaseOrder("0.0.1", id: 1).isOlder(than: ReleaseOrder(name, id: 9)))
  }
}
