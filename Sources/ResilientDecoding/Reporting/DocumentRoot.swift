package import ResilientPlatform

/// A whole document, decoded for the reporter of this thread or task.
///
/// Reports unknown keys if the reporter asks for them, and explains the error that decoding throws
/// while there is a decoder to read the payload with.
struct DocumentRoot<Value: Decodable>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    let reporter = ResilientDecodingErrorReporter.current
    do {
      value =
        reporter?.reportedKeys.contains(.unknown) == true && decoder.isFoundations
        ? try Self.reportingUnknownKeys(of: decoder)
        : try decoder.singleValueContainer().decode(Value.self)
    } catch {
      reporter?.explain(thrown: error, by: decoder, decoding: Value.self)
      throw error
    }
  }

  private static func reportingUnknownKeys(of decoder: any Decoder) throws -> Value {
    let keys = ObjectKeys()
    // After an error too: other objects of the document were decoded.
    defer {
      let sink = ErrorSink(of: decoder)
      for key in keys.unknown() { sink?.report(key) }
    }
    let trace = Trace(keys: keys)
    return try DecodeState.with(trace: trace) {
      try TracingDecoder(base: decoder, trace: trace, keys: keys)
        .singleValueContainer().decode(Value.self)
    }
  }
}

extension JSONDecoder {
  /// Decodes a document for the reporter of this thread or task.
  ///
  /// - Throws: The error that `decode(_:from:)` throws.
  package func decodeDocument<Value: Decodable>(
    _ type: Value.Type, from data: Data
  ) throws -> Value {
    let reporter = ResilientDecodingErrorReporter.current
    do {
      // A subclass may look at the type, such as one that decodes an empty body.
      if Swift.type(of: self) == JSONDecoder.self
        || reporter?.reportedKeys.contains(.unknown) == true
      {
        return try decode(DocumentRoot<Value>.self, from: data).value
      }
      do {
        return try decode(type, from: data)
      } catch {
        if let reporter, let root = try? decode(RootDecoder.self, from: data).decoder {
          reporter.explain(thrown: error, by: root, decoding: type)
        }
        throw error
      }
    } catch {
      reporter?.explain(thrown: error, about: data, decoding: Value.self)
      throw error
    }
  }

  /// The decoder of a document, to read the payload with.
  private struct RootDecoder: Decodable {
    let decoder: any Decoder

    init(from decoder: any Decoder) {
      self.decoder = decoder
    }
  }
}

extension PropertyListDecoder {
  /// Decodes a document for the reporter of the current task.
  ///
  /// - Throws: The error that `decode(_:from:)` throws.
  package func decodeDocument<Value: Decodable>(
    _ type: Value.Type, from data: Data
  ) throws -> Value {
    try decode(DocumentRoot<Value>.self, from: data).value
  }
}
