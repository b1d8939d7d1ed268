extension DigestStore {
  /// The part of a digest's context by which a report counts models.
  public enum ContextName: String, Sendable, Hashable, CaseIterable, Codable {
    /// The version of the app.
    case release
    /// The deployment of the backend, such as `production`.
    case environment
    /// The request whose answer was decoded, such as `GET /listings`.
    case operation
  }
}
