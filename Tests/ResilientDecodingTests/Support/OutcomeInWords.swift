@testable import ResilientDecoding

extension ComposableWrapper {
  /// The outcome as text, such as `recoveredFrom(typeMismatch, wasReported: true)`; nil in a release
  /// build, which records none.
  var outcomeInWords: String? {
    #if DEBUG
      outcome.inWords
    #else
      nil
    #endif
  }
}

#if DEBUG
  extension ResilientDecodingOutcome {
    var inWords: String {
      switch self {
      case .decodedSuccessfully: "decodedSuccessfully"
      case .keyNotFound: "keyNotFound"
      case .valueWasNil: "valueWasNil"
      case .recoveredFrom(let error, let wasReported):
        "recoveredFrom(\(nameOfCase(error)), wasReported: \(wasReported))"
      }
    }
  }
#endif

/// The case of an error, without its message.
func nameOfCase(_ error: any Error) -> String {
  switch error {
  case DecodingError.keyNotFound: "keyNotFound"
  case DecodingError.valueNotFound: "valueNotFound"
  case DecodingError.typeMismatch: "typeMismatch"
  case DecodingError.dataCorrupted: "dataCorrupted"
  default: "\(type(of: error))"
  }
}
