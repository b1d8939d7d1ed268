import ArgumentParser

/// A command whose output can go to a file.
protocol OutputCommand: ParsableCommand {
  var file: OutputFileOption { get }

  /// Prints the output to stdout, wherever that leads.
  func printOutput() throws
}

extension OutputCommand {
  func run() throws { try file.redirectOutput(printOutput) }
}

/// A command that prints rows in any format.
protocol RowCommand: OutputCommand {
  var output: OutputOptions { get }
}

extension RowCommand {
  var file: OutputFileOption { output.file }
}
