import ResilientPlatform
import Testing

@testable import DigestFleet

struct FleetIDTests {
  @Test func `different names have different ids`() {
    let names: [[String?]] = [
      [], [nil], [""], ["", ""], ["a"], ["a", nil], [nil, "a"], ["a", ""], ["", "a"], ["a", "b"],
      ["ab"], ["ab", ""], ["\u{1}"], ["e\u{301}"], ["é"],
    ]
    #expect(Set(names.map { FleetID(of: $0) }).count == names.count)
  }

  /// Other programs, and later versions, have to find the same.
  @Test func `an id is the beginning of a hash of lengths and bytes`() {
    let digest = SHA256.digest([1, 1, 0, 0, 0, 0, 0, 0, 0, 0x61, 0])
    let digits = digest.prefix(16).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
    #expect(FleetID(of: ["a", nil]).sql == "toFixedString(unhex('\(digits)'), 16)")
  }

  /// FIPS 180-4 and NIST's examples.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `a hash is that of the standard`(message: String, expected: String) {
    let digest = SHA256.digest(Array(message.utf8)).map { byte in
      String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
    #expect(digest == expected)
  }
}
