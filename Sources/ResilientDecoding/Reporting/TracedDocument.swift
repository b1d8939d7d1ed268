/// A whole document, whose unknown keys are reported if the reporter asks for that.
package struct TracedDocument<Value: Decodable>: Decodable {
  package let value: Value

  package init(from decoder: any Decoder) throws {
    let reporter = ResilientDecodingErrorReporter.current
    guard reporter?.reportedKeys.contains(.unknown) == true, decoder.isFoundations else {
      value = try decoder.singleValueContainer().decode(Value.self)
      return
    }
    let keys = ObjectKeys()
    // After an error too: other objects of the document were decoded.
    defer {
      let sink = ErrorSink(of: decoder)
      for key in keys.unknown() { sink?.report(unknownKey: key.path) { key.decoder } }
    }
    let trace = Trace(keys: keys)
    value = try Trace.$current.withValue(trace) {
      try TracingDecoder(base: decoder, trace: trace, keys: keys)
        .singleValueContainer().decode(Value.self)
    }
  }
}
