public import ResilientPlatform

/// An error of a store. Its description is one line with the problem and a remedy.
///
/// `localizedDescription` is the same line, in English. It never contains a value from a payload.
public struct DigestStoreError: LocalizedError, Sendable, CustomStringConvertible {
  /// The kind of a problem. Later versions may add more.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name of the kind, for logs.
    public let rawValue: String

    /// Makes a code, to compare with one that a later version adds.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no file at the path.
    public static let noSuchStore = Code(rawValue: "noSuchStore")
    /// The file is not a store.
    public static let notAStore = Code(rawValue: "notAStore")
    /// The file was written by a newer version.
    public static let newerStore = Code(rawValue: "newerStore")
    /// The contents of the file are damaged.
    public static let damaged = Code(rawValue: "damaged")
    /// Another program has added an index or a trigger to a table of the store, or a table that
    /// hides a function that the store calls. The file is unchanged. The description says how to
    /// remove the object; digests flushed until then are not written.
    public static let foreignSchema = Code(rawValue: "foreignSchema")
    /// Another process kept the file locked for longer than the store waits.
    public static let busy = Code(rawValue: "busy")
    /// The disk is full.
    public static let diskFull = Code(rawValue: "diskFull")
    /// The file may not be written.
    public static let readOnly = Code(rawValue: "readOnly")
    /// The file is encrypted, because the device has not been unlocked since it was started, or is
    /// locked and the file has a stricter protection. Try again once protected data is available.
    public static let protected = Code(rawValue: "protected")
    /// The file cannot be opened, read or written.
    public static let inputOutput = Code(rawValue: "inputOutput")
    /// The store has been closed.
    public static let closed = Code(rawValue: "closed")
    /// The store is suspended.
    public static let suspended = Code(rawValue: "suspended")
    /// More digests wait to be written than may be kept in memory.
    public static let overflow = Code(rawValue: "overflow")
    /// The names and total counts of the file exceed the requested size.
    public static let unreachableSize = Code(rawValue: "unreachableSize")
    /// The arguments or the input of an import are invalid, or not possible for this store.
    public static let invalidInput = Code(rawValue: "invalidInput")
    /// The role at a server lacks a privilege.
    package static let notPermitted = Code(rawValue: "notPermitted")
    /// The URL of a server cannot be used.
    package static let invalidURL = Code(rawValue: "invalidURL")
  }

  /// The kind of the problem.
  public let code: Code

  /// The problem and the remedy.
  public let description: String

  /// The problem and the remedy, which `localizedDescription` returns.
  public var errorDescription: String? { description }

  /// The number of the line of an import that is invalid; nil for another error.
  package let line: Int?

  package init(_ code: Code, _ description: String, line: Int? = nil) {
    self.code = code
    self.description = description
    self.line = line
  }
}

extension DigestStoreError {
  static func closed(_ path: String) -> Self {
    Self(.closed, "\(path): the store is closed; open it again")
  }

  static func suspended(_ path: String) -> Self {
    Self(.suspended, "\(path): the store is suspended; resume it first")
  }

  static func overflow(_ path: String) -> Self {
    Self(.overflow, "\(path): too many digests are waiting to be written; \(overflowRemedy)")
  }

  /// The remedy for digests that arrive faster than they are written, or at a suspended store.
  static let overflowRemedy =
    "find out what keeps the file locked, allow more with .inBackground(maximumBytes:), or resume a "
    + "suspended store earlier"
}
