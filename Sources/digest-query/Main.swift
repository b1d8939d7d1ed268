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

  /// Runs a command. Where that fails, it ends the process.
  static func run(_ parse: () throws -> any ParsableCommand) {
    // A reader that has gone away is told by the write, and ends us quietly there.
    signal(SIGPIPE, SIG_IGN)
    var file: OutputFile?
    do {
      var command = try parse()
      file = try OutputFileOption.redirect()
      try command.run()
      try file?.appear()
      try AfterOutput.begin()
      Interruption.end()
    } catch {
      end(Failure(error), file)
    }
  }

  private static func end(_ failure: Failure, _ file: OutputFile?) -> Never {
    guard failure.isNegative else {
      file?.discard()
      failure.exit()
    }
    // No is an answer too, and it is complete.
    do { try file?.appear() } catch { end(Failure(error), file) }
    failure.exit()
  }
}
