import APIContract
import DigestStore

extension ExitFailure {
  /// Converts an error of a command; nil for an error of ArgumentParser, or one that is unknown.
  init?(_ error: any Error) {
    switch error {
    case let failure as ExitFailure: self = failure
    case is ClosedPipe: self.init(status: 0, nil)
    case let error as DocumentError: self = error.reason.failure(error.description)
    case let error as DigestStoreError: self = error.code.failure(error.description)
    default: return nil
    }
  }
}

extension DigestStoreError.Code {
  fileprivate var failure: (String) -> ExitFailure {
    switch self {
    case .noSuchStore: ExitFailure.missing
    case .unreachableSize, .notPermitted, .invalidURL: ExitFailure.usage
    case .notAStore, .newerStore, .damaged, .foreignSchema, .invalidInput: ExitFailure.badInput
    default: ExitFailure.io
    }
  }
}

extension DocumentError.Refusal {
  fileprivate var failure: (String) -> ExitFailure {
    switch self {
    case .missingFile: ExitFailure.missing
    case .invalid: ExitFailure.badInput
    case .unreadableFile: ExitFailure.io
    }
  }
}

extension DigestStore.Configuration {
  /// The configuration for writing digests of another store.
  static var forImport: Self {
    // The other store has already cut long values.
    var configuration = Self(maximumValueLength: 1 << 16)
    configuration.setsDamagedFilesAside = false
    return configuration
  }
}
