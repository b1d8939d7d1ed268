import ArgumentParser
import DigestStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How a run ends that does not end well: a line on stderr and an exit status of `sysexits.h`.
struct Failure: Error {
  let status: Int32

  /// What to say and where; nil when there is nothing to say.
  let message: String?
  let isAnswer: Bool

  /// A failure that says what is wrong and what to do about it.
  init(status: Int32, _ message: String) {
    self.status = status
    self.message = message
    self.isAnswer = false
  }

  /// A run whose answer is no.
  static let negative = Failure(status: 1, message: nil, isAnswer: false)

  /// Whether the answer is no.
  var isNegative: Bool { status == Self.negative.status }

  /// A run whose answer could not be written.
  static func output(_ code: Int32) -> Self {
    Self(
      status: EX_IOERR,
      "the output cannot be written: \(String(cString: strerror(code))); have it written elsewhere")
  }

  static func usage(_ message: String) -> Self { Self(status: EX_USAGE, message) }

  /// A question about what is not there.
  static func aboutNothing(_ message: String) -> Self { Self(status: EX_NOINPUT, message) }

  /// Sees in any error of a command how the run ends.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure:
      self = failure
    case is ClosedPipe:
      self.init(status: EXIT_SUCCESS, message: nil, isAnswer: false)
    case let error as DigestStoreError:
      self.init(status: error.code.exitStatus, error.description)
    default:
      self.init(parsing: error)
    }
  }

  private init(status: Int32, message: String?, isAnswer: Bool) {
    self.status = status
    self.message = message
    self.isAnswer = isAnswer
  }

  /// What the argument parser throws: a request for help, or arguments that it cannot take.
  private init(parsing error: any Error) {
    guard DigestQuery.exitCode(for: error) != .success else {
      let arguments = CommandLine.arguments.dropFirst().prefix(2)
      if arguments.count == 2, arguments.first == "help", let name = arguments.last,
        !name.hasPrefix("-"), !Self.commands.contains(name)
      {
        self.init(status: EX_USAGE, Self.unknownCommand(name))
        return
      }
      self.init(
        status: EXIT_SUCCESS,
        message: DigestQuery.fullMessage(for: error),
        isAnswer: true
      )
      return
    }
    if let name = CommandLine.arguments.dropFirst().first, !name.hasPrefix("-"),
      !Self.commands.contains(name), name != "help"
    {
      // Whatever comes behind it: the parser speaks of the first option that it does not know.
      self.init(status: EX_USAGE, Self.unknownCommand(name))
      return
    }
    // A list of what is allowed comes on lines of its own.
    var message = DigestQuery.message(for: error)
      .replacing(":\n  - ", with: ": ").replacing("\n  - ", with: ", ")
      .replacing("\n    ", with: " ").replacing("'.\n", with: "'. ")
    if message.hasPrefix("The value '"), message.hasSuffix("<n>'") {
      message += ": give it a whole number"
    }
    // The parser names an option that has little in common too.
    let parts = message.split(separator: "'").map(String.init)
    if parts.count == 5, parts[2] == ". Did you mean " {
      guard parts[1].similar(among: [parts[3]]).isEmpty else {
        self.init(status: EX_USAGE, "\(parts[0])'\(parts[1])'; did you mean \(parts[3])?")
        return
      }
      message = "\(parts[0])'\(parts[1])'"
    }
    // The usage begins with the names of the command, and its options come behind them.
    let usage =
      DigestQuery.fullMessage(for: error).split(separator: "\n")
      .first { $0.hasPrefix("Usage: ") }?.dropFirst("Usage: ".count) ?? "digest-query"
    let names = usage.split(separator: " ").prefix { $0.first?.isLetter == true }
    // What was meant needs no help.
    guard !message.hasSuffix("?") else {
      self.init(status: EX_USAGE, message)
      return
    }
    let sentence = message.hasSuffix(".") ? String(message.dropLast()) : message
    self.init(status: EX_USAGE, "\(sentence); see \(names.joined(separator: " ")) --help")
  }

  private static var commands: [String] {
    DigestQuery.configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  private static func unknownCommand(_ name: String) -> String {
    "unknown command '\(name)'; "
      + (name.suggestion(among: commands) ?? "see digest-query --help")
  }

  /// Says it and ends the process.
  func exit() -> Never {
    if let message, isAnswer {
      do { try StandardOutput.print(message) } catch { Failure(error).exit() }
    } else if let message {
      Note.writeError(message, status: status)
    }
    Interruption.end()
    #if canImport(Darwin)
      Darwin.exit(status)
    #elseif canImport(Glibc)
      Glibc.exit(status)
    #elseif canImport(Musl)
      Musl.exit(status)
    #endif
  }
}

extension DigestStoreError.Code {
  fileprivate var exitStatus: Int32 {
    switch self {
    case .noSuchStore: EX_NOINPUT
    case .unreachableSize: EX_USAGE
    case .notAStore, .newerStore, .damaged, .invalidInput: EX_DATAERR
    default: EX_IOERR
    }
  }
}
