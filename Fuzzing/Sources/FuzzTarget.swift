import Foundation
import ResilientDecoding

/// What libFuzzer calls with bytes of its choice, and again with what leads to new code.
///
/// Whatever does not hold traps.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let data = Data(bytes: bytes, count: count)
  if data.first == Payload.mark {
    testPayload(Payload(choices: Array(data.dropFirst())))
  } else {
    testDocument(data) { try $0.json.decode(Catalogue.self, from: data) }
    testDocument(data) { try $0.propertyList.decode(Catalogue.self, from: data) }
  }
  return 0
}

/// A document that is well-formed: the same has to come of it in every format.
private func testPayload(_ payload: Payload) {
  let encoder = JSONEncoder()
  let binary = PropertyListEncoder()
  binary.outputFormat = .binary
  let xml = PropertyListEncoder()
  xml.outputFormat = .xml
  do {
    let json = try encoder.encode(payload)
    let expected = testDocument(json) { try $0.json.decode(Catalogue.self, from: json) }
    for list in [try binary.encode(payload), try xml.encode(payload)] {
      let found = testDocument(list) { try $0.propertyList.decode(Catalogue.self, from: list) }
      promise(found == expected, "Formats differ: \(found) is not \(expected)")
    }
  } catch {
    fatalError("A payload could not be encoded: \(error)")
  }
}

/// Decodes a document with reporters of all sizes, and checks what they say.
///
/// - Returns: the value in words, if there is one, and the number of errors.
@discardableResult
private func testDocument(
  _ data: Data,
  _ decode: (Decoders) throws -> Catalogue
) -> [String] {
  let roomy = ResilientDecodingErrorReporter(maximumEntries: 1_000_000)
  let narrow = ResilientDecodingErrorReporter(maximumEntries: 3)
  let values = [roomy, narrow, nil].map { reporter in
    // A document that cannot be decoded at all is what most bytes are.
    let value = try? decode(Decoders(reporter))
    value?.check()
    return value.map { String(describing: $0.summary) } ?? "none"
  }
  promise(Set(values).count == 1, "A reporter changes the value")
  let (all, some) = (roomy.flushReportedErrors(), narrow.flushReportedErrors())
  all?.check(maximumEntries: 1_000_000)
  some?.check(maximumEntries: 3)
  promise(all?.errorCount == some?.errorCount, "A full reporter counts otherwise")
  return [values[0], String(all?.errorCount ?? 0)]
}

private struct Decoders {
  let json = JSONDecoder()
  let propertyList = PropertyListDecoder()

  init(_ reporter: ResilientDecodingErrorReporter?) {
    guard let reporter else { return }
    json.userInfo[.resilientDecodingErrorReporter] = reporter
    propertyList.userInfo[.resilientDecodingErrorReporter] = reporter
  }
}
