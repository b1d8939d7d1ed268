public import Foundation

/// Why a collector did not take an upload, with the remedy. The store's file has everything still.
public struct UploadError: Error, Sendable, CustomStringConvertible, LocalizedError {
  /// The kind of an error. Later versions may add kinds.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The name of the kind.
    public let rawValue: String

    /// Makes a kind, for example to compare with one of a later version.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The address is not that of a collector.
    public static let invalidAddress = Code(rawValue: "invalidAddress")
    /// The collector cannot be reached, or did not answer in time.
    public static let unreachable = Code(rawValue: "unreachable")
    /// The collector is busy, or has a limit.
    public static let busy = Code(rawValue: "busy")
    /// The collector does not accept the token.
    public static let refusedToken = Code(rawValue: "refusedToken")
    /// The collector does not accept the part.
    public static let refusedPart = Code(rawValue: "refusedPart")
    /// Something else than a collector has answered.
    public static let noCollector = Code(rawValue: "noCollector")
  }

  /// The kind of the error.
  public let code: Code

  /// What happened, and what to do. Has no token, and no text of a payload.
  public let description: String

  /// After how long the collector asks to try again, in seconds; nil if it does not say.
  public let retryAfter: Int?

  /// The description.
  public var errorDescription: String? { description }

  /// Whether the same part may be taken later.
  var isTemporary: Bool { code == .unreachable || code == .busy }

  init(_ code: Code, _ description: String, retryAfter: Int? = nil) {
    (self.code, self.description, self.retryAfter) = (code, description, retryAfter)
  }
}
