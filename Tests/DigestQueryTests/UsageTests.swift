import Testing

struct UsageTests {
  private static let kinds =
    "write one of keyNotFound, valueNotFound, typeMismatch, dataCorrupted, unknownNovelValue, "
    + "converted, missingKey, unknownKey, other"
  private static let time = "write 30m, 24h, 7d, 2w, yesterday, 2026-11-20 or 2026-11-20T10:00:00Z"
  private static let side =
    "write a release such as 4.2.0, or a period such as 14d..7d, 7d.. or 2026-11-01..2026-11-08"
  private static let bytes =
    "write a number of bytes such as 16777216, 16M or 16MiB: K, M and G are powers of 1024"
  private static let raw = "--raw is for the formats csv and tsv: choose one, or leave it out"
  private static let limits =
    "give one of --max-new, --max-occurrences, --max-rate, --max-age-of-data"
  private static let formats =
    "Please provide one of the following: table, csv, tsv, json, ndjson, markdown"

  /// What is wrong with a line of a command: its message ends with the command's help.
  private static let mistakes: [(String, String)] = [
    ("top-novel-values extra", "Unexpected argument 'extra'"),
    ("top-failures -- --format json", "2 unexpected arguments: '--format', 'json'"),
    ("export --colour", "Unknown option '--colour'"),
    ("verify --format csv", "Unknown option '--format'"), ("verify x", "Unexpected argument 'x'"),
    ("export --limit 1", "Unknown option '--limit'"),
    ("report --format csv", "Unknown option '--format'"),
    ("import", "Missing expected argument '<file>'"), ("import a b", "Unexpected argument 'b'"),
    ("push", "Missing expected argument '<target>'"),
    ("spec", "Missing expected argument '<document>'"),
    ("diff", "Missing expected argument '<before>'"),
    ("diff 4.2.0", "Missing expected argument '<after>'"),
    ("diff 4.1.0 4.2.0 4.3.0", "Unexpected argument '4.3.0'"),
    ("top-failures --model", "Missing value for '--model <model>'"),
    // Values of options.
    ("top-failures --format xml", "The value 'xml' is invalid for '--format <format>'. \(formats)"),
    ("top-failures --format CSV", "The value 'CSV' is invalid for '--format <format>'. \(formats)"),
    (
      "export --format table",
      "The value 'table' is invalid for '--format <format>'. Please provide one of 'ndjson', 'csv' or "
        + "'tsv'"
    ),
    ("trend --limit 0", "--limit 0 is too small: give it 1 or more, or leave it out"),
    ("digests --limit=-1", "--limit -1 is too small: give it 1 or more, or leave it out"),
    ("report --limit x", "The value 'x' is invalid for '--limit <n>': give it a whole number"),
    ("models --limit 1.5", "The value '1.5' is invalid for '--limit <n>': give it a whole number"),
    ("top-failures --limit=", "Missing value for '--limit <n>'"),
    (
      "top-failures --limit 99999999999999999999",
      "The value '99999999999999999999' is invalid for '--limit <n>': give it a smaller whole number"
    ),
    (
      "top-failures -o drift.xlsx",
      "there is no such format: write CSV, which spreadsheets open, with -o x.csv"
    ),
    ("models --since -3d", "The value '-3d' is invalid for '--since <time>': \(time)"),
    ("top-failures --kind lost", "The value 'lost' is invalid for '--kind <kind>': \(kinds)"),
    ("top-failures --kind ''", "The value '' is invalid for '--kind <kind>': \(kinds)"),
    ("top-failures --environment ''", "--environment is empty: leave it out for digests of any"),
    ("top-failures --operation ''", "--operation is empty: leave it out for digests of any"),
    ("verify --store ''", "--store is empty: name a store"),
    ("export -o ''", "--output is empty: name a file, or - for stdout"),
    (
      "trend --by month",
      "The value 'month' is invalid for '--by <by>'. Please provide one of 'minute', 'hour', 'day' or "
        + "'week'"
    ),
    (
      "trend --group colour",
      "The value 'colour' is invalid for '--group <group>'. Please provide one of the following: model, "
        + "path, kind, release, environment, operation, source, value"
    ),
    ("diff '' 4.2.0", "The value '' is invalid for '<before>': \(side)"),
    ("diff 4.2.0 7x..", "The value '7x..' is invalid for '<after>': \(side)"),
    ("diff 4.1..4.2 7d..", "The value '4.1..4.2' is invalid for '<before>': \(side)"),
    ("diff 7d...1d 7d..", "The value '7d...1d' is invalid for '<before>': \(side)"),
    (
      "diff 7d..14d 7d..",
      "The value '7d..14d' is invalid for '<before>': the older time comes first"
    ),
    (
      "diff 14d..7d 7d..7d",
      "The value '7d..7d' is invalid for '<after>': the older time comes first"
    ),
    ("check --max-occurrences=-1", "--max-occurrences -1 is too small: give it 0 or more"),
    (
      "check --max-new=-5 --since 1d",
      "--max-new -5 is too small: give it 0 or more"
    ),
    (
      "check --max-occurrences many",
      "The value 'many' is invalid for '--max-occurrences <n>': give it a whole number"
    ),
    ("check --max-new 0 --since-last ''", "--since-last is empty: give it a name"),
    (
      "check --max-age-of-data 2026-11-20",
      "--max-age-of-data is a length of time: write 30m, 2h or 1d"
    ),
    ("prune --max-age 2026-11-20", "--max-age is a length of time: write 30m, 24h or 7d"),
    ("prune --max-bytes 1023k", "--max-bytes 1047552 is too small: give it 1M (1048576) or more"),
    ("prune --max-bytes 16MB", "The value '16MB' is invalid for '--max-bytes <bytes>': \(bytes)"),
    ("prune --max-bytes 1.5M", "The value '1.5M' is invalid for '--max-bytes <bytes>': \(bytes)"),
    ("prune --max-bytes=-1M", "The value '-1M' is invalid for '--max-bytes <bytes>': \(bytes)"),
    (
      "prune --max-bytes 8388608T",
      "The value '8388608T' is invalid for '--max-bytes <bytes>': \(bytes)"
    ),
    ("triage ignore --value a --reason ''", "--reason is empty: say why"),
    ("triage ignore --kind a --reason b", "The value 'a' is invalid for '--kind <kind>': \(kinds)"),
    (
      "spec openapi.json --map App.Other",
      "The value 'App.Other' is invalid for '--map <model=schema>': write --map MODEL=SCHEMA, such as "
        + "App.Listing=Listing"
    ),
    // Options that are missing, or mean nothing together.
    ("new", "give --since, such as 24h, or --release, such as 4.2.0"),
    ("new --until 2026-11-20 --value *", "give --since, such as 24h, or --release, such as 4.2.0"),
    ("check", limits), ("check --release 4.2.0", limits),
    (
      "check --max-occurrences 0 --since-last a",
      "--since-last is for --max-new: give that too, or leave it out"
    ),
    ("diff 14d..7d 7d.. --since 3d", "leave out --since and --until: a period has its own times"),
    ("diff 4.2.0 7d.. --until 3d", "leave out --since and --until: a period has its own times"),
    (
      "diff 4.1.0 4.2.0 --release 4.2.0",
      "leave out --release and --no-release: the arguments name the releases"
    ),
    (
      "diff 7d.. 4.2.0 --no-release",
      "leave out --release and --no-release: the arguments name the releases"
    ),
    (
      "metrics --until 24h",
      "counters are of all time: leave out --since and --until, and query rate() instead"
    ),
    ("renames --kind unknownKey", "leave out --kind and --value: a rename has neither"),
    ("renames --value villa", "leave out --kind and --value: a rename has neither"),
    (
      "push new.sqlite a.sqlite --store b.sqlite",
      "name the stores after the target, or one with --store, but not both"
    ),
    ("triage ignore --reason a", "say which failures: give --model, --path, --kind or --value"),
    ("triage ignore --value a", "Missing expected argument '--reason <text>'"),
    ("top-failures --raw", raw), ("new --since 1d --format markdown --raw", raw),
    ("export --raw", raw),
    ("check --max-occurrences 0 --raw", raw), ("spec a.json --format sarif --raw", raw),
    ("spec a.json --allow-empty", "--allow-empty is for --fail-on: give that too, or leave it out"),
    ("trend --limit 3", "--limit is for --group: give that too, or leave it out"),
    ("trend --columns model", "--columns needs rows: choose a format such as csv, or leave it out"),
  ]

  @Test(arguments: mistakes)
  func `a wrong command line is an error of one line, before the store`(
    line: String, message: String
  ) throws {
    let command = line.words.prefix(line.hasPrefix("triage") ? 2 : 1).joined(separator: " ")
    #expect(try Sandbox().run(line) == .usage(command, message))
  }

  @Test(arguments: [
    (["nope"], "unknown command 'nope'; see digest-query --help"),
    (
      ["serve"],
      "this digest-query was built without collectors: build it with the trait Server, as make install "
        + "TRAITS=Server does"
    ),
    (["--nope"], "Unknown option '--nope'; see digest-query --help"),
    (["--store", "x"], "Unknown option '--store'; see digest-query --help"),
    (["help", "nope"], "unknown command 'nope'; see digest-query --help"),
    (
      ["--generate-completion-script", "tcsh"],
      "Can't generate completion scripts for 'tcsh'. Please use "
        + "--generate-completion-script=<shell> with one of: zsh bash fish; see digest-query --help"
    ),
    (["e"], "unknown command 'e'; see digest-query --help"),
    ([""], "unknown command ''; see digest-query --help"),
    (["\u{1B}[0m"], "unknown command '\\u{1B}[0m'; see digest-query --help"),
    // What is meant is suggested.
    (["top-novel"], "unknown command 'top-novel'; did you mean top-novel-values?"),
    (["exprot"], "unknown command 'exprot'; did you mean export?"),
    (["Verify"], "unknown command 'Verify'; did you mean verify?"),
    (["top_failures"], "unknown command 'top_failures'; did you mean top-failures?"),
    (
      ["top-", "--limit", "3"],
      "unknown command 'top-'; did you mean top-novel-values or top-failures?"
    ),
    (["top-failures", "--formt", "csv"], "Unknown option '--formt'; did you mean --format?"),
    (["compare", "4.1.0", "4.2.0"], "unknown command 'compare'; did you mean diff?"),
    (["fleet", "list"], "unknown command 'fleet list'; did you mean fleet sources?"),
    (
      ["fleet", "sourcs", "--format", "csv"],
      "unknown command 'fleet sourcs'; did you mean fleet sources?"
    ),
    (["help", "fleet", "list"], "unknown command 'fleet list'; did you mean fleet sources?"),
    (["fleet", "x"], "unknown command 'fleet x'; see digest-query fleet --help"),
    (
      ["triage", "resolved", "--value", "x"],
      "unknown command 'triage resolved'; did you mean triage resolve?"
    ),
    // What other programs have, or what is in another place.
    (
      ["top", "old.sqlite"],
      "Unexpected argument 'old.sqlite'; give the store with --store old.sqlite"
    ),
    (
      ["verify", "a b.sqlite"],
      "Unexpected argument 'a b.sqlite'; give the store with --store 'a b.sqlite'"
    ),
    (
      ["models", "/dev/null"],
      "Unexpected argument '/dev/null'; give the store with --store /dev/null"
    ),
    (
      ["fleet", "init", "a", "b.sqlite"],
      "Unexpected argument 'b.sqlite'; see digest-query fleet init --help"
    ),
    (
      ["--store", "x", "top"],
      "Unknown option '--store'; write the command first: digest-query top --store"
    ),
    (["top-failures", "--json"], "Unknown option '--json'; did you mean --format json?"),
    (
      ["check", "--max-occurrences", "0", "--sarif"],
      "Unknown option '--sarif'; did you mean --format sarif?"
    ),
    (["report", "--json"], "Unknown option '--json'; see digest-query report --help"),
    (["export", "--csv"], "Unknown option '--csv'; did you mean --format csv?"),
    (["export", "--json"], "Unknown option '--json'; see digest-query export --help"),
    (
      ["check", "--max-occurrences", "0", "-n", "3"],
      "Unknown option '-n'; see digest-query check --help"
    ),
    (["new", "--since", "1d", "-n", "10"], "Unknown option '-n'; did you mean --limit?"),
    (["models", "--env", "x"], "Unknown option '--env'; did you mean --environment?"),
    (["triage", "list", "--no-triage"], "Unknown option '--no-triage'; did you mean --triage?"),
    (["export", "--reelase=4"], "Unknown option '--reelase'; did you mean --release?"),
    (
      ["top-failures", "--kind", "NotFound"],
      "The value 'NotFound' is invalid for '--kind <kind>': did you mean keyNotFound or valueNotFound?"
    ),
    (
      ["top-failures", "--kind", "typemismatch"],
      "The value 'typemismatch' is invalid for '--kind <kind>': did you mean typeMismatch?"
    ),
    (
      ["spec", "openapi.json", "--fail-on", "broken"],
      "The value 'broken' is invalid for '--fail-on <verdicts>': no verdict 'broken'; did you mean "
        + "contract-broken?"
    ),
    (
      ["doctor", "--since", "2199-01-01"],
      "--since is in the future; name the next full hour or before"
    ),
  ])
  func `an unknown name is refused with similar ones`(arguments: [String], message: String) throws {
    #expect(try Sandbox(importing: "").run(arguments) == .failure(64, message))
  }

  @Test(arguments: [
    ("novel_values", "no column 'novel_values'; did you mean novel_value?"),
    (
      "x,model",
      "no column 'x'; write some of model,coding_path,novel_value,value_type,occurrences,digests,"
        + "first_seen,last_seen,first_release"
    ),
    ("''", "no column ''; write some of"), ("model,", "no column ''; write some of"),
  ])
  func `a column that is not there is an error with the names`(
    names: String, message: String
  ) throws {
    let outcome = try Sandbox(importing: [Digest()]).run("top-novel-values --columns \(names)")
    #expect((outcome.status, outcome.stdout) == (64, ""))
    #expect(outcome.stderr.contains(message), "\(outcome.stderr)")
  }

  @Test(arguments: ["model, rate", " model,rate"])
  func `columns are named as they are printed, and may have spaces`(names: String) throws {
    let outcome = try Sandbox(importing: Drift.withDecodes).run("models --columns", [names])
    #expect(outcome.lines.first?.wholeMatch(of: /model *rate/) != nil, "\(outcome)")
  }

  @Test(
    arguments: ["0.5", "0", "-1", "nan", "inf", "x"].map { "diff 4.2.0 4.3.0 --min-factor=\($0)" }
      + ["", "%", "-1%", "101%", "1.1", "1", "100", "nan", "half"].map {
        "check --max-rate=\($0)"
      })
  func `a number that is no factor or rate is refused`(line: String) throws {
    let outcome = try Sandbox(importing: Drift.ndjson).run(line)
    #expect((outcome.status, outcome.stdout) == (64, ""))
    #expect(outcome.notes.count == 1)
  }

  private static let numbers = [
    "\(Int.max)", "9223372036854775808", "\(Int.min)", "-1", "0", "999999999999999999999999999999",
  ]
  private static let lengths = numbers.flatMap { ["\($0)s", "\($0)w"] }

  @Test(
    arguments: [
      "top-novel-values --limit %", "models --limit %", "new --since 1d --limit %",
      "diff 4.2.0 4.3.0 --limit %", "digests --limit %", "trend --group value --limit %",
      "report --limit %", "check --max-occurrences %", "check --max-new %",
      "prune --max-bytes %",
    ].map { ($0, numbers) }
      + [
        "top-novel-values --since %", "models --since %", "trend --since %", "new --since %",
        "digests --since %", "export --since %", "report --since %",
        "check --max-occurrences 100 --since %", "top-failures --until %", "prune --max-age %",
        "diff %.. 1d..", "diff ..% %..0s",
      ].map { ($0, lengths) })
  func `any number and length of time is answered, or refused in one line`(
    line: String, values: [String]
  ) throws {
    let sandbox = try Sandbox(importing: Drift.ndjson)
    for value in values {
      let outcome = try sandbox.run(line.replacing("%", with: value))
      let isRefused = outcome.status == 64
      #expect(isRefused || [0, 1].contains(outcome.status), "\(value): \(outcome)")
      guard isRefused else { continue }
      #expect(outcome.stdout == "")
      #expect(outcome.stderr.split(separator: "\n").count == 1, "\(value): \(outcome)")
      #expect(outcome.stderr.hasPrefix("digest-query: "))
    }
  }

  @Test(arguments: [
    "top-novel-values", "top-failures", "trend", "new", "diff", "check", "digests", "export",
    "import", "push", "prune", "verify", "doctor", "models", "report", "metrics", "spec",
    "summary", "show", "triage", "triage ignore", "triage resolve", "triage list",
  ])
  func `help has examples that can be copied, and three ways to ask for it`(
    command: String
  ) throws {
    let sandbox = try Sandbox()
    let help = try sandbox.run("\(command) --help")
    #expect((help.status, help.stderr) == (0, ""))
    #expect(try sandbox.run("\(command) -h") == help)
    #expect(try sandbox.run("help \(command)") == help)
    let examples = try #require(help.stdout.split(separator: /Examples?:\n/).dropFirst().last)
      .prefix { $0 != "U" }.split(separator: "\n")
    #expect(!examples.isEmpty)
    #expect(examples.allSatisfy { $0.hasPrefix("  ") }, "\(examples)")
    #expect(examples.contains { $0.contains("digest-query \(command)") }, "\(examples)")
    // What is required is there.
    let triage = examples.filter { $0.contains(/triage (ignore|resolve)/) }
    #expect(triage.allSatisfy { $0.contains("--reason ") })
  }

  @Test(arguments: [
    ("top-failures", "OUTPUT FILTERS TRIAGE STORE"), ("report", "OUTPUT FILTERS TRIAGE STORE"),
    ("check", "OUTPUT FILTERS TRIAGE STORE"), ("diff", "OUTPUT FILTERS TRIAGE STORE"),
    ("models", "OUTPUT FILTERS TRIAGE STORE"), ("export", "OUTPUT FILTERS STORE"),
    ("triage list", "OUTPUT TRIAGE STORE"), ("prune", "STORE"),
  ])
  func `the options of a command come before those of all`(
    command: String, shared: String
  ) throws {
    let help = try Sandbox().run("\(command) --help").stdout
    let titles = help.matches(of: /\n\n([A-Z]+):\n/).map { String($0.output.1) }
    #expect(titles.filter { $0 != "ARGUMENTS" } == ["OPTIONS"] + shared.words)
    #expect(help.matches(of: /\(default:[^)]*\)\. \(default/).isEmpty)
  }

  @Test func `the version is a number and nothing else`() throws {
    let outcome = try Sandbox().run("--version")
    #expect(outcome.stdout.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    #expect(outcome == Outcome(stdout: outcome.stdout))
  }

  @Test func `no command is answered with the help, which has an example`() throws {
    let help = try Sandbox().run("--help")
    #expect(try Sandbox().run("") == help)
    #expect(help.stdout.contains("Example"))
  }
}
