/// A whole document, whose unknown keys are reported if the reporter asks for that.
package struct TracedDocument<Value: Decodable>: Decodable {
  package let value: Value

  package init(from decoder: any Decoder) throws {
    let reporter = ResilientDecodingErrorReporter.current
    guard reporter?.reportedKeys.contains(.unknown) == true, decoder.isFoundations else {
      value = try decoder.singleValueContainer().decode(Value.self)
      return
    }
    let unknown = UnknownKeys { path, decoder, value in
      ErrorSink(of: decoder)?.report(unknownKey: path, from: value)
    }
    let trace = Trace(unknown: unknown)
    value = try Trace.$current.withValue(trace) {
      try TracingDecoder(base: decoder, trace: trace).singleValueContainer().decode(Value.self)
    }
  }
}
