import DigestStore

extension FleetError {
  /// The error that a report on a store throws.
  var ofStore: DigestStoreError {
    let code: DigestStoreError.Code =
      switch code {
      case .missing, .notAFleet: .noSuchStore
      case .otherVersion, .unsuitable, .unfit, .damaged: .damaged
      case .notPermitted: .notPermitted
      case .unavailable, .invalidURL, .nameConflict, .unreachable, .failed: .inputOutput
      }
    return DigestStoreError(code, description)
  }
}
