import Testing

/// What the tour of the command line tells readers to type.
struct CommandLineArticleTests {
  /// The commands, and whether the article shows that one is not understood.
  private static func commands() throws -> [(line: String, isRefused: Bool)] {
    let articles = try [Article("CommandLine"), Article("Fleet")]
    return articles.flatMap(\.blocks).filter { ["console", "shell"].contains($0.language) }.flatMap
    { block in
      let lines = block.text.split(separator: "\n")
      return zip(lines, lines.dropFirst() + [""]).filter { $0.0.hasPrefix("$ digest-query ") }
        .map { (String($0.0.dropFirst(2)), $0.1.contains(" is invalid for ")) }
    }
  }

  @Test func `every command of the tour is understood, or shown to be refused`() throws {
    let commands = try Self.commands()
    #expect(commands.count > 25)
    let sandbox = try Sandbox(importing: Drift.ndjson)
    for command in commands {
      let outcome = try sandbox.runShell(command.line)
      #expect((outcome.status == 64) == command.isRefused, "\(command.line): \(outcome)")
    }
  }
}
