import APIContract
import ArgumentParser
import DigestStore
import ResilientPlatform

/// The schemas of models.
struct ContractOptions: ParsableArguments {
  @Option(
    name: .customLong("map"),
    help: ArgumentHelp(
      "The schema of a model, as App.Listing=Listing or App.Listing=/components/schemas/Listing.",
      valueName: "model=schema"),
    transform: SchemaMapping.init(argument:)
  )
  var mappings: [SchemaMapping] = []

  @Option(
    help: ArgumentHelp(
      "A file with one such mapping a line. A line that begins with # is a comment.",
      valueName: "file"),
    completion: .file()
  )
  var mapFile: String?

  /// Whether no schema is named.
  var isEmpty: Bool { mappings.isEmpty && mapFile == nil }

  /// Reads a document.
  func contract(at path: String) throws -> APIContract {
    var mappings = try mapFile.map(Self.mappings) ?? []
    mappings += self.mappings
    // The last one counts, so that an option can replace a line of the file.
    let map = Dictionary(mappings.map { ($0.model, $0.schema) }) { $1 }
    return try APIContract(path: path, map: map)
  }

  /// A note about mappings of the command line by which no failure was judged; nil if there is none.
  func note(ofUnusedBy rows: [JudgedFailure]) -> String? {
    let used = Set(rows.compactMap(\.judgement.mapping))
    let unused = self.mappings.map(\.model).filter { !used.contains($0) }
    guard !unused.isEmpty else { return nil }
    return
      "--map for \(unused.joined(separator: ", ")) had no effect: no failure has this model, or the "
      + "schema has none of their paths"
  }

  private static func mappings(inFile path: String) throws -> [SchemaMapping] {
    let text: String
    do {
      text = try String(contentsOfFile: path, encoding: .utf8)
    } catch let error as CocoaError where error.code == .fileReadNoPermission {
      throw ExitFailure.io("cannot read \(path): check the permissions of file and directory")
    } catch {
      throw ExitFailure.missing("cannot read \(path): name a file of text with --map-file")
    }
    return try text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .compactMap { number, line in
        let line = line.trimmingWhitespace
        guard !line.isEmpty, !line.hasPrefix("#") else { return nil }
        guard let mapping = SchemaMapping(line) else {
          throw ExitFailure.badInput(
            "\(path), line \(number + 1), is no mapping such as App.Listing=Listing")
        }
        return mapping
      }
  }
}
