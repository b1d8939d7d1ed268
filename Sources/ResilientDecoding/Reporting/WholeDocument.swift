/// A document whose decoder can still be asked, when it cannot be decoded, for what was in the way.
///
/// Once a decode has thrown there is no decoder any more.
package struct WholeDocument<Value: Decodable>: Decodable {
  package let value: Value

  package init(from decoder: any Decoder) throws {
    do {
      value = try decoder.singleValueContainer().decode(Value.self)
    } catch {
      ResilientDecodingErrorReporter.current?.reportThrown(error, by: decoder, decoding: Value.self)
      throw error
    }
  }
}
