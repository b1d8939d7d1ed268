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

  /// Checks that schemas are named only for a document.
  func check(hasDocument: Bool) throws {
    guard hasDocument || mappings.isEmpty && mapFile == nil else {
      throw ValidationError("--map and --map-file are for --spec: give that too, or leave them out")
    }
  }

  /// Reads a document.
  func contract(at path: String) throws -> APIContract {
    var mappings = try mapFile.map(Self.mappings) ?? []
    mappings += self.mappings
    // The last one counts, so that an option can replace a line of the file.
    let map = Dictionary(mappings.map { ($0.model, $0.schema) }) { $1 }
    return try APIContract(path: path, map: map, willRead: InputFiles.insert)
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
    InputFiles.insert(path)
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
            "\(path), line \(number + 1), isn't a mapping such as App.Listing=Listing")
        }
        return mapping
      }
  }
}

/// The schema of a model.
struct SchemaMapping {
  let model: String
  let schema: String

  /// Reads `App.Listing=Listing`; nil if it has another form.
  init?(_ text: some StringProtocol) {
    // A name of a schema can have an equals sign, that of a model cannot.
    guard let equals = text.firstIndex(of: "=") else { return nil }
    model = text[..<equals].trimmingWhitespace
    schema = text[text.index(after: equals)...].trimmingWhitespace
    guard !model.isEmpty, !schema.isEmpty else { return nil }
  }

  init(argument: String) throws {
    guard let mapping = Self(argument) else {
      throw ValidationError("write --map MODEL=SCHEMA, such as App.Listing=Listing")
    }
    self = mapping
  }
}

extension StringProtocol {
  /// The text without spaces at its ends.
  var trimmingWhitespace: String {
    let start = drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}

/// Some verdicts.
struct Verdicts {
  let verdicts: Set<Verdict>

  /// Reads `contract-broken,undocumented`.
  init(argument: String) throws {
    verdicts = try Set(
      argument.split(separator: ",", omittingEmptySubsequences: false).map { name in
        guard let verdict = Verdict(rawValue: String(name)) else {
          throw ValidationError(
            "no verdict '\(name)'; \(String(name).remedy(among: Verdict.names))")
        }
        return verdict
      })
  }
}
