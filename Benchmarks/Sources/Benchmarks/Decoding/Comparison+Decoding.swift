import ResilientDecoding

extension Comparison {
  /// Compares the two models on the payload without faults.
  static func clean<Models: ModelPair>(
    _ name: String,
    _ models: Models.Type,
    _ fields: [(name: String, field: Field)],
    format: Format = .json,
    target: Double? = 1.05
  ) -> Self {
    Self(name: name, target: target) {
      let clean = Payload(fields).clean
      return Pair(
        reference: try format.decoding([Models.Plain].self, from: clean),
        measured: try format.decoding(
          [Models.Recovering].self, from: clean, reportingTo: ResilientDecodingErrorReporter()
        )
      )
    }
  }

  /// Compares the recovering model on the payload with faults with the plain one on that without.
  static func damaged<Models: ModelPair>(
    _ name: String,
    _ models: Models.Type,
    _ fields: [(name: String, field: Field)],
    target: Double
  ) -> Self {
    Self(name: name, target: target) {
      let payload = Payload(fields)
      let remains = try Format.json.decoding([Models.Plain].self, from: payload.remains)()
      return Pair(
        reference: try Format.json.decoding([Models.Plain].self, from: payload.clean),
        measured: try Format.json.decoding(
          [Models.Recovering].self, from: payload.damaged,
          reportingTo: ResilientDecodingErrorReporter()
        ),
        expected: Outcome(value: remains.value, errorCount: payload.faultCount)
      )
    }
  }
}
