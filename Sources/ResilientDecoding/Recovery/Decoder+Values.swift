extension Decoder {
  /// Decodes a value of any type, and keeps the good parts where it has some.
  ///
  /// - Throws: when there is something else altogether, which cannot be converted either.
  func value<Value: Decodable, Leaves: LeafRecovery>(
    _ type: Value.Type,
    _ leaves: Leaves.Type
  ) throws -> (value: Value, outcome: ResilientDecodingOutcome) {
    do {
      guard let recoverable = recoverable(Value.self) else {
        return (try singleValueContainer().decodeAny(Value.self), .decodedSuccessfully)
      }
      func parts<R: Recoverable>(
        _ type: R.Type
      ) throws -> (value: Value, outcome: ResilientDecodingOutcome) {
        let recovered = try R.recovered(from: self, leaves)
        return (recovered.value as! Value, recovered.outcome)  // `R` is `Value`.
      }
      return try parts(recoverable)
    } catch {
      guard let converted = Leaves.convert(Value.self, from: self) else { throw error }
      report(error, decoding: Value.self, as: .converted)
      return (converted, .decodedSuccessfully)
    }
  }
}
