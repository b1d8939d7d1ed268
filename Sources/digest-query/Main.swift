import ArgumentParser

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@main
enum Main {
  static func main() { run { try DigestQuery.parseAsRoot() } }

  /// Runs a command. If that fails, ends the process.
  static func run(_ parse: () throws -> any ParsableCommand) {
    // A write reports a reader that has gone away, and we end quietly.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parse()
      try command.run()
      Interruption.end()
    } catch {
      Failure(error).exit()
    }
  }
}
