import ResilientPlatform

/// The end of a run that fails: an exit status, and a line on stderr with the remedy.
struct ExitFailure: Error {
  /// A status of `sysexits.h`, 1 for a negative answer, or 128 and the number of a signal.
  let status: Int32

  /// The line; nil if there is nothing to say.
  let message: String?

  init(status: Int32, _ message: String?) {
    self.status = status
    self.message = message
  }

  /// A negative answer, which stdout has already given.
  static let negative = Self(status: 1, nil)

  var isNegative: Bool { status == Self.negative.status }

  static func usage(_ message: String) -> Self { Self(status: EX_USAGE, message) }

  static func badInput(_ message: String) -> Self { Self(status: EX_DATAERR, message) }

  /// A store, a file or a name that does not exist.
  static func missing(_ message: String) -> Self { Self(status: EX_NOINPUT, message) }

  static func io(_ message: String) -> Self { Self(status: EX_IOERR, message) }

  /// An input file that is missing, or cannot be read.
  ///
  /// - Parameters:
  ///   - code: The value of `errno`.
  ///   - remedy: What to do.
  static func input(_ path: String, _ code: Int32, _ remedy: String) -> Self {
    let message = "\(path): \(String(cString: strerror(code))); \(remedy)"
    return switch code {
    case ENOENT, ENOTDIR: .missing(message)
    case EISDIR: .badInput(message)
    default: .io(message)
    }
  }

  /// An answer that cannot be written.
  ///
  /// - Parameter code: the value of `errno`.
  static func output(_ code: Int32) -> Self {
    .io(
      "cannot write the output: \(String(cString: strerror(code))); choose another destination")
  }
}
