import Testing

@testable import DigestFleet

struct FleetTextTests {
  @Test(arguments: [
    "", "villa", "a\0b", "\0", "\u{10FFFE}", "\u{10FFFE}0", "\0\u{10FFFE}\0", "e\u{301}",
  ])
  func `every text comes back, and none has a NUL on the server`(text: String) {
    let encoded = FleetText.encode(text)
    #expect(!encoded.unicodeScalars.contains("\0"))
    #expect(FleetText.decode(encoded).unicodeScalars.elementsEqual(text.unicodeScalars))
  }

  @Test func `different texts stay different`() {
    #expect(Set(["\0", "\u{10FFFE}", "\u{10FFFE}0", "0"].map(FleetText.encode)).count == 4)
  }
}
