import Testing

/// What a report prints in every format, made of its table and its CSV.
struct Golden: Sendable, CustomTestStringConvertible {
  let command: String

  /// Lines of the store beside ``Drift``.
  let more: String
  let status: Int32
  let table: String

  /// CSV of which no cell needs quotes; an empty cell is nothing.
  let csv: String

  var testDescription: String { command }

  init(_ command: String, more: String = "", status: Int32 = 0, table: String, csv: String) {
    (self.command, self.more, self.status) = (command, more, status)
    (self.table, self.csv) = (table, csv)
  }

  static let formats = ["table", "csv", "tsv", "json", "ndjson", "markdown"]

  subscript(format: String) -> String {
    switch format {
    case "table": table
    case "csv": csv
    case "tsv": csv.replacing(",", with: "\t")
    case "json": objects.isEmpty ? "[]\n" : "[\n  \(objects.joined(separator: ",\n  "))\n]\n"
    case "ndjson": objects.map { $0 + "\n" }.joined()
    default: markdown
    }
  }

  /// The columns that aren't text in JSON.
  private static let unquoted: Set = [
    "occurrences", "digests", "share", "failures", "novel_values", "decodes", "rate", "entries",
    "paths", "partial", "before", "after", "factor", "allowed", "found", "exceeded",
  ]

  /// The objects of JSON, made of the columns and cells of the CSV.
  private var objects: [String] {
    let rows = csv.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return rows.dropFirst().map { row in
      let members = zip(rows[0], row).map { column, cell in
        let isQuoted = !cell.isEmpty && !Self.unquoted.contains(column)
        return "\"\(column)\": " + (isQuoted ? "\"\(cell)\"" : cell.isEmpty ? "null" : cell)
      }
      return "{\(members.joined(separator: ", "))}"
    }
  }

  /// The table of Markdown, made of the cells of the CSV; names of columns aren't values.
  private var markdown: String {
    let lines = csv.split(separator: "\n").map { "| \($0.replacing(",", with: " | ")) |" }
    let columns = lines[0].split(separator: "|").count
    let rule = "|" + String(repeating: "---|", count: columns)
    let rows = lines.dropFirst().map { $0.replacing(/[\[\]*_]/) { "\\\($0.output)" } }
    return ([lines[0], rule] + rows).map { $0 + "\n" }.joined()
  }
}
