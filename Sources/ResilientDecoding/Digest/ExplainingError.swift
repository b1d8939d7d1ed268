/// An error that explains a decoder's error. A reporter makes its entry from the decoder's.
package protocol ExplainingError: Error {
  /// The decoder's error.
  var underlyingError: DecodingError { get }
}

extension Error {
  /// The decoder's error, even if another error explains it.
  var decoderError: any Error { (self as? any ExplainingError)?.underlyingError ?? self }
}
