#if Server
  /// A command whose answer the server returns, and the options that a query may have.
  ///
  /// Options that name files are left out, and so are those that the server chooses.
  struct ReportCommand: Sendable {
    /// The words of the command.
    let words: [String]

    /// The arguments, in order, by the names that a query has for them.
    var arguments: [String] = []

    /// The options with a value, and the flags.
    let options: Set<String>
    var flags: Set<String> = []

    /// Whether it reads the file of decisions, and the description of the API.
    var readsTriage = true
    var readsSpec = false

    private static let window: Set<String> = ["since", "until"]
    private static let errors: Set<String> = ["model", "path", "kind", "value"]
    private static let contexts: Set<String> = ["release", "environment", "operation", "source"]
    private static let filters = window.union(errors).union(contexts)
    private static let list = filters.union(["columns", "limit"])

    /// The commands by the names of their addresses, as in `/top-failures.csv`.
    static let all: [String: Self] = [
      "summary": Self(
        words: ["summary"], options: list,
        flags: ["no-release", "all", "raw"]),
      "show": Self(
        words: ["show"], arguments: ["name"], options: filters.union(["columns"]),
        flags: ["no-release", "raw"],
        readsSpec: true),
      "top-novel-values": Self(
        words: ["top-novel-values"], options: list,
        flags: ["no-release", "all", "raw"]),
      "top-failures": Self(
        words: ["top-failures"], options: list,
        flags: ["no-release", "all", "raw"]),
      "models": Self(
        words: ["models"], options: list.union(["by"]),
        flags: ["no-release", "all", "raw"]),
      "trend": Self(
        words: ["trend"], options: list.union(["by", "group"]),
        flags: ["no-release", "rate", "raw"], readsTriage: false),
      "new": Self(
        words: ["new"], options: list,
        flags: ["no-release", "all", "raw"]),
      "diff": Self(
        words: ["diff"], arguments: ["before", "after"],
        options: list.union(["min-factor"]),
        flags: ["no-release", "all", "raw"]),
      "renames": Self(
        words: ["renames"],
        options: list.subtracting(["kind", "value"]),
        flags: ["no-release", "raw"], readsTriage: false),
      "digests": Self(
        words: ["digests"], options: list,
        flags: ["no-release", "raw"],
        readsTriage: false),
      "sources": Self(
        words: ["fleet", "sources"], options: ["columns"], flags: ["raw"], readsTriage: false),
      "triage": Self(words: ["triage", "list"], options: ["columns"], flags: ["raw"]),
    ]

    /// The page of all failures.
    static let report = Self(
      words: ["report"], options: filters.union(["limit"]), flags: ["no-release", "all"],
      readsSpec: true)

    /// The numbers of the store as Prometheus reads them.
    static let metrics = Self(
      words: ["metrics"], options: errors.union(contexts), flags: ["no-release"], readsTriage: false
    )

    /// The command line for a query, without the name of the program.
    ///
    /// - Throws: ``QueryProblem`` for a name that the command does not have, a missing argument, or a
    ///   value that no command line can have.
    func line(_ query: [(name: String, value: String)]) throws -> [String] {
      var (line, named) = (words, [String: String]())
      for (name, value) in query {
        guard !value.utf8.contains(0) else { throw QueryProblem("\(name) has a NUL character") }
        if arguments.contains(name) {
          named[name] = value
        } else if options.contains(name) {
          line.append("--\(name)=\(value)")
        } else if flags.contains(name), ["", "true"].contains(value) {
          line.append("--\(name)")
        } else {
          let known = (arguments + options.sorted() + flags.sorted()).joined(separator: ", ")
          throw QueryProblem("a query of \(words.joined(separator: " ")) may have \(known)")
        }
      }
      let missing = arguments.filter { named[$0] == nil }
      guard missing.isEmpty else {
        throw QueryProblem("\(missing.joined(separator: ", ")) is missing")
      }
      // After `--`, an argument may begin with a hyphen.
      return line + (arguments.isEmpty ? [] : ["--"] + arguments.compactMap { named[$0] })
    }
  }

  /// A query that the command does not accept.
  struct QueryProblem: Error {
    let text: String

    init(_ text: String) {
      self.text = text
    }
  }
#endif
