import ArgumentParser
import Synchronization

/// Where a report goes.
struct OutputFileOption: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Write to this file, which appears when it is complete; - is stdout.", valueName: "file"),
    completion: .file()
  )
  var path: String?

  /// The file that the command line asks for: ``Main`` has stdout go there, so that no command has
  /// to.
  private static let requested = Mutex<String?>(nil)

  func validate() throws {
    if path?.isEmpty == true {
      throw ValidationError("--output is empty: name a file, or - for stdout")
    }
    Self.requested.withLock { $0 = path == "-" ? nil : path }
  }

  /// Has stdout go into the file that was asked for, if any.
  ///
  /// - Throws: a ``Failure`` when there can be no such file.
  static func redirect() throws -> OutputFile? {
    try requested.withLock { $0 }.map { try OutputFile($0) }
  }
}
