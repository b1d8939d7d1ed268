import ResilientDecoding

extension Comparison {
  /// Compares a resilient model with a plain one, both on the payload without faults.
  static func clean<Plain: Decodable & Hashable, Recovering: Decodable & Hashable>(
    _ name: String,
    _ plain: Plain.Type,
    _ recovering: Recovering.Type,
    _ fields: [(name: String, field: Field)],
    format: Format = .json
  ) -> Self {
    Self(name: name, target: 1.05) {
      let payload = Payload(fields)
      return Pair(
        reference: try format.decoding([Plain].self, from: payload.clean),
        measured: try format.decoding(
          [Recovering].self, from: payload.clean, reportingTo: ResilientDecodingErrorReporter()
        )
      )
    }
  }

  /// Compares a resilient model on the payload with faults with a plain one on that without.
  static func damaged<Plain: Decodable & Hashable, Recovering: Decodable & Hashable>(
    _ name: String,
    _ plain: Plain.Type,
    _ recovering: Recovering.Type,
    _ fields: [(name: String, field: Field)]
  ) -> Self {
    Self(name: name, target: 1.15) {
      let payload = Payload(fields)
      let remains = try Format.json.decoding([Plain].self, from: payload.remains)()
      return Pair(
        reference: try Format.json.decoding([Plain].self, from: payload.clean),
        measured: try Format.json.decoding(
          [Recovering].self, from: payload.damaged, reportingTo: ResilientDecodingErrorReporter()
        ),
        expected: Outcome(value: remains.value, errorCount: payload.faultCount)
      )
    }
  }
}
