/// A document of which it is still known, when it cannot be decoded, what was in the way.
///
/// Once a decode has thrown there is no decoder any more that one could look with.
package struct WholeDocument<Value: Decodable>: Decodable {
  package let value: Value

  package init(from decoder: any Decoder) throws {
    do {
      value = try decoder.singleValueContainer().decode(Value.self)
    } catch {
      ResilientDecodingErrorReporter.current?.look(after: error, from: decoder)
      throw error
    }
  }
}
