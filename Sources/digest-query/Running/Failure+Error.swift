import APIContract
import DigestStore

extension Failure {
  /// Converts an error of a command; nil for an error of ArgumentParser, or one that is unknown.
  init?(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case is ClosedPipe: self.init(status: 0, nil)
    case let error as DocumentError: self = error.reason.failure(error.description)
    case let error as DigestStoreError: self = error.code.failure(error.description)
    default: return nil
    }
  }
}

extension DigestStoreError.Code {
  fileprivate var failure: (String) -> Failure {
    switch self {
    case .noSuchStore: Failure.missing
    case .unreachableSize, .notPermitted, .invalidURL: Failure.usage
    case .notAStore, .newerStore, .damaged, .foreignSchema, .invalidInput: Failure.badInput
    default: Failure.io
    }
  }
}

extension DocumentError.Reason {
  fileprivate var failure: (String) -> Failure {
    switch self {
    case .missingFile: Failure.missing
    case .invalid: Failure.badInput
    case .unreadableFile: Failure.io
    }
  }
}
