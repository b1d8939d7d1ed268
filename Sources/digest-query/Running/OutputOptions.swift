import ArgumentParser
import ResilientPlatform

/// How rows are printed.
typealias OutputOptions = Output<Format>

/// How rows are printed by a command that also prints what services for CI read.
typealias CIOutputOptions = Output<CIFormat>

/// How a command prints what it answers.
struct Output<FormatOfCommand: OutputFormat>: ParsableArguments {
  @Option(
    name: .customLong("format"),
    help: "The format to print (default: by the extension of --output, else table).")
  var chosenFormat: FormatOfCommand?

  @Option(
    help: ArgumentHelp(
      "Print only these columns, in this order, such as model,novel_value.", valueName: "names")
  )
  var columns: String?

  @OptionGroup var raw: RawOption
  @OptionGroup var file: OutputFileOption

  var format: FormatOfCommand { chosenFormat ?? file.format() ?? .table }

  func validate() throws {
    try raw.check(format)
    if let path = file.path, chosenFormat == nil,
      ["xls", "xlsx", "ods", "numbers"].contains(URL(filePath: path).pathExtension.lowercased())
    {
      throw ValidationError(
        "there is no such format: write CSV, which spreadsheets open, with -o x.csv")
    }
  }

  /// Refuses `--columns` where the output has no columns.
  func checkColumns(hasRows: Bool) throws {
    guard columns != nil, !hasRows else { return }
    throw ValidationError("--columns needs rows: choose a format such as csv, or leave it out")
  }
}

extension CIOutputOptions {
  /// The options of a format for rows; nil for one of a CI service.
  var ofRows: OutputOptions? {
    guard let format = format.ofRows else { return nil }
    var output = OutputOptions()
    (output.chosenFormat, output.columns, output.raw, output.file) = (format, columns, raw, file)
    return output
  }
}

extension OutputOptions {
  /// The columns that `--columns` names; nil for all.
  func chosen<Element>(from all: [Column<Element>]) throws -> [Column<Element>]? {
    try columns?.split(separator: ",", omittingEmptySubsequences: false).map { part in
      let name = part.trimmingWhitespace
      guard let column = all.first(where: { $0.name == name }) else {
        let names = all.map(\.name)
        let remedy =
          name.suggestion(among: names) ?? "write some of \(names.joined(separator: ","))"
        throw ExitFailure.usage("no column '\(name.printable)'; \(remedy)")
      }
      return column
    }
  }
}

/// How CSV and TSV are written.
struct RawOption: ParsableArguments {
  @Flag(
    name: .customLong("raw"),
    help: "Do not prefix formula-like CSV and TSV cells with '.")
  var isRaw = false

  /// Refuses `--raw` where it has no effect.
  func check(_ format: some RawRepresentable<String>) throws {
    guard isRaw, !["csv", "tsv"].contains(format.rawValue) else { return }
    throw ValidationError("--raw is for the formats csv and tsv: choose one, or leave it out")
  }
}

/// The file that output goes to.
struct OutputFileOption: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Write to this file, which appears once the output is complete; - is stdout.",
      valueName: "file"),
    completion: .file()
  )
  var path: String?

  func validate() throws {
    if path?.isEmpty == true {
      throw ValidationError("--output is empty: name a file, or - for stdout")
    }
  }

  /// The format that the extension of the file stands for; nil if it stands for none.
  func format<Format: RawRepresentable<String>>() -> Format? {
    let name = path.map { URL(filePath: $0).pathExtension.lowercased() } ?? ""
    let others = ["jsonl": "ndjson", "md": "markdown", "txt": "table"]
    return Format(rawValue: others[name] ?? name)
  }

  /// Runs `body` while stdout leads to the file, if there is one.
  ///
  /// The file appears when `body` has returned or has given a negative answer, which is complete
  /// too.
  ///
  /// - Throws: what `body` throws, or an ``ExitFailure`` if the file cannot be written.
  func redirectOutput(_ body: () throws -> Void) throws {
    guard let path, path != "-" else { return try body() }
    let file = try OutputFile(path)
    var negative: ExitFailure?
    do {
      do {
        try body()
      } catch let failure as ExitFailure where failure.isNegative {
        negative = failure
      }
      try file.appear()
    } catch {
      file.discard()
      throw error
    }
    if let negative { throw negative }
  }
}

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

/// How many rows a report has.
struct LimitOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Print at most n rows (default: all).", valueName: "n")
  )
  var limit: Int?

  func validate() throws {
    if let limit { try Self.check(limit) }
  }

  static func check(_ limit: Int) throws {
    if limit < 1 {
      throw ValidationError("--limit \(limit) is too small: give it 1 or more, or leave it out")
    }
  }
}
