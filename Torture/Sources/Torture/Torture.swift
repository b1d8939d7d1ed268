import Foundation

/// Kills processes, cuts the power, and fails system calls, and looks whether a store keeps its word.
///
///     Torture --seconds 600 --seed 1
///
/// Started as `Torture worker …` it is one of the processes that are killed.
@main
struct Torture {
  static func main() throws {
    // A worker that has just been killed no longer reads.
    signal(SIGPIPE, SIG_IGN)
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "worker" {
      arguments.removeFirst()
      guard let order = WorkerOrder(arguments) else { usage() }
      try Worker(order).run()
    }
    guard let options = Options(arguments) else { usage() }
    do {
      try run(options)
    } catch let finding as Finding {
      print("\n\(finding)\nseed \(options.seed)")
      exit(1)
    }
  }

  private static func run(_ options: Options) throws {
    print("Torture for \(options.seconds) s, seed \(options.seed)")
    print("stacks: \(try SmallStacks().summary)")
    fflush(nil)  // into a pipe too
    let cuts = try PowerCuts(seed: options.seed)
    try cuts.run(until: .now + .seconds(options.seconds / 4))
    print("power cuts: \(cuts.summary)")
    fflush(nil)
    let faults = FileFaults(seed: options.seed)
    try faults.run(until: .now + .seconds(options.seconds / 4))
    print("files: \(faults.summary)")
    fflush(nil)
    #if os(Linux)
      let calls = try FailingCalls(seed: options.seed)
      try calls.run(until: .now + .seconds(options.seconds / 4))
      print("calls: \(calls.summary)")
      fflush(nil)
    #endif
    let kills = try Kills(seed: options.seed)
    try kills.run(until: .now + .seconds(options.seconds / 4))
    print("kills: \(kills.summary)")
  }

  private static func usage() -> Never {
    FileHandle.standardError.write(Data("usage: Torture [--seconds N] [--seed N]\n".utf8))
    exit(64)
  }
}

/// For how long, and which random numbers.
struct Options {
  var seconds: Double = 600
  var seed = UInt64.random(in: 0..<1_000_000)

  init?(_ arguments: [String]) {
    guard arguments.count.isMultiple(of: 2) else { return nil }
    for index in stride(from: 0, to: arguments.count, by: 2) {
      switch (arguments[index], Double(arguments[index + 1]), UInt64(arguments[index + 1])) {
      case ("--seconds", let seconds?, _): self.seconds = seconds
      case ("--seed", _, let seed?): self.seed = seed
      default: return nil
      }
    }
  }
}
