import ResilientDecoding

extension Resilient {
  #if DEBUG
    static var keepsOutcome: Bool { true }

    /// The outcome as text, such as `recoveredFrom(typeMismatch, wasReported: true)`.
    var outcomeInWords: String? { projectedValue.outcome.inWords }
  #else
    static var keepsOutcome: Bool { false }

    /// Nil: release builds record no outcome.
    var outcomeInWords: String? { nil }
  #endif
}

extension ResilientDefault {
  /// The outcome as text.
  var outcomeInWords: String? {
    #if DEBUG
      projectedValue.outcome.inWords
    #else
      nil
    #endif
  }
}

extension ResilientElements {
  /// The outcome as text.
  var outcomeInWords: String? {
    #if DEBUG
      projectedValue.outcome.inWords
    #else
      nil
    #endif
  }
}

extension ResilientLossless {
  /// The outcome as text.
  var outcomeInWords: String? {
    #if DEBUG
      projectedValue.outcome.inWords
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
