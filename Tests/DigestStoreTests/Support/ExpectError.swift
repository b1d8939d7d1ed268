import Testing

@testable import DigestStore

/// Expects an error with a code, whose description has a text in it.
func expectError<Value>(
  _ code: DigestStoreError.Code, _ text: String = "",
  sourceLocation: SourceLocation = #_sourceLocation, when body: () throws -> Value
) {
  let error = #expect(throws: DigestStoreError.self, sourceLocation: sourceLocation) {
    _ = try body()
  }
  guard let error else { return }
  #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
  #expect(
    text.isEmpty || error.description.contains(text), "\(error)", sourceLocation: sourceLocation)
}
