import Testing

@testable import DigestStore

struct PendingDecodesTests {
  private static func key(_ operation: String?, model: String = "App.Listing")
    -> PendingDecodes.DecodeKey
  {
    PendingDecodes.DecodeKey(
      hour: 0, model: model, context: DigestContext(release: "4.1.0", operation: operation))
  }

  /// A suspended store writes nothing, and an operation may have an id in its path.
  @Test func `operations beyond a limit are counted together, and none is lost`() {
    let pending = PendingDecodes()
    for index in 0..<10_000 {
      _ = pending.add(Self.key("GET /listings/\(index)"))
      _ = pending.add(Self.key("GET /listings/0"))
    }
    let counts = pending.take()
    #expect(counts.values.reduce(0, +) == 20_000)
    #expect(counts.count == 2_000)
    #expect(counts[Self.key("GET /listings/0")] == 10_001)
    #expect(counts[Self.key("(other operations)")] ?? 0 > 7_900)
  }

  /// As of an app with many models that is suspended for a day.
  @Test(arguments: [nil, "GET /listings"])
  func `keys of few operations are kept apart`(operation: String?) {
    let pending = PendingDecodes()
    for index in 0..<3_000 { _ = pending.add(Self.key(operation, model: "App.Model\(index)")) }
    #expect(pending.take().count == 3_000)
    #expect(pending.take().isEmpty)
  }

  @Test func `after a write there is room again`() {
    let pending = PendingDecodes()
    for round in 0..<2 {
      for index in 0..<1_999 { _ = pending.add(Self.key("GET /\(round)/\(index)")) }
      #expect(pending.take().count == 1_999)
    }
  }
}
