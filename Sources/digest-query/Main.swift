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
  static func main() {
    // A reader that has gone away is told by the write, and ends us quietly there.
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try DigestQuery.parseAsRoot()
      try command.run()
    } catch {
      Failure(error).exit()
    }
  }
}
