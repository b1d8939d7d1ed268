#if Server
  import ArgumentParser
  import DigestFleet
  import DigestServer
  import DigestStore
  import ResilientPlatform

  struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Collect the digests of many apps, and show reports in a browser.",
      discussion: """
        Apps send their digests to POST /v1/digests, as DigestStore's upload does and digest-query push \
        https://… Nothing is counted twice. GET / is the page of digest-query report, which updates \
        itself; a query has the filters of the command line: /?since=24h&release=4.2.0. Reports are at \
        addresses such as /top-failures.csv and /summary.json, with what the command prints, and \
        numbers for Prometheus at /metrics.

        Without tokens only this machine is served. A file of tokens has a name, a space and a token \
        on each line, and after one that may ignore and resolve failures the word triage. Only its \
        owner may read it (chmod 600), and SIGHUP has it read again. A browser asks for a name, which \
        may be any, and a password, the token. Behind a proxy that adds TLS, --host is the name that clients use.

        The store is made if there is none. With --store postgresql://… or clickhouse://… the reports \
        are of a fleet, and nothing is uploaded.

        Examples:
          digest-query serve --store /var/lib/digests/digests.sqlite
          digest-query serve --listen 0.0.0.0:8080 --host digests.example.com \\
            --upload-tokens apps.tokens --read-tokens team.tokens --max-age 90d
        """
    )

    @Option(
      help: ArgumentHelp("The address and the port to listen on.", valueName: "address"),
      transform: Self.address)
    var listen = (host: "127.0.0.1", port: 8080)

    @Option(
      name: .customLong("host"),
      help: ArgumentHelp("A name by which clients address the server.", valueName: "name"))
    var hosts: [String] = []

    @Option(
      help: ArgumentHelp("The tokens that may upload.", valueName: "file"), completion: .file())
    var uploadTokens: String?

    @Option(help: ArgumentHelp("The tokens that may read.", valueName: "file"), completion: .file())
    var readTokens: String?

    @Option(
      help: ArgumentHelp("How many uploads a token may send in a minute.", valueName: "n"))
    var maxUploads: Int?

    @Option(
      help: ArgumentHelp(
        "How many apps from which nothing came before a token may bring in a day.", valueName: "n"))
    var maxNewApps: Int?

    @Option(
      help: ArgumentHelp(
        "Delete digests that are older, measured from the newest: 30d.", valueName: "time"),
      transform: Prune.age)
    var maxAge: Time?

    @Option(
      help: ArgumentHelp("Delete the oldest digests above this size: 2G.", valueName: "bytes"),
      transform: Prune.bytes)
    var maxBytes: Int?

    @Option(
      help: ArgumentHelp("Push the store to this fleet, again and again.", valueName: "target"))
    var push: String?

    @Option(help: ArgumentHelp("How often to push.", valueName: "time"), transform: Prune.age)
    var every: Time?

    @Option(
      help: ArgumentHelp("The OpenAPI document for verdicts.", valueName: "document"),
      completion: .file())
    var spec: String?

    @Option(help: .hidden)
    var requestSeconds = 60

    @OptionGroup(title: "Triage") var triage: TriageFileOption
    @OptionGroup(title: "Store") var store: StoreOptions

    private static func address(_ argument: String) throws -> (host: String, port: Int) {
      guard let colon = argument.lastIndex(of: ":"),
        let port = Int(argument[argument.index(after: colon)...]), 0...65_535 ~= port
      else { throw ValidationError("write an address and a port, such as 127.0.0.1:8080") }
      var host = String(argument[..<colon])
      if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
      return (host.isEmpty ? "0.0.0.0" : host, port)
    }

    /// The path of this program.
    private static var tool: String? {
      let name = CommandLine.arguments[0]
      let paths =
        name.contains("/")
        ? [name]
        : (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map {
          "\($0)/\(name)"
        }
      return paths.first { access($0, X_OK) == 0 }.map { URL(filePath: $0).path }
    }

    func validate() throws {
      for (name, count) in [("--max-uploads", maxUploads), ("--max-new-apps", maxNewApps)] {
        if let count, count < 1 { throw ValidationError("\(name) is a number from 1 on") }
      }
      guard every == nil || push != nil else {
        throw ValidationError("--every says how often to push: name the target with --push")
      }
    }

    func run() throws {
      let path = store.path
      let isFleet = FleetURL.isFleet(path)
      guard !isFleet || uploadTokens == nil && push == nil && maxAge == nil && maxBytes == nil
      else {
        throw ExitFailure.usage(
          "\(store.name) is a fleet, which takes no uploads: serve a file, and push it to the fleet"
        )
      }
      guard let tool = Self.tool else {
        throw ExitFailure.io("the path of digest-query is not known")
      }
      var configuration = Collector.Configuration(
        store: path, host: listen.host, port: listen.port,
        triage: triage.name, tool: tool)
      if !isFleet {
        var storing = DigestStore.Configuration.forImport
        storing.maximumAge = maxAge?.secondsAgo.map { Duration.seconds($0) }
        storing.maximumBytes = maxBytes
        configuration.storing = storing
      }
      configuration.names = hosts
      configuration.requestSeconds = requestSeconds
      configuration.idleSeconds = min(30, requestSeconds)
      (configuration.uploadTokens, configuration.readTokens) = (uploadTokens, readTokens)
      configuration.spec = spec
      (configuration.uploadsPerMinute, configuration.newStoresPerDay) = (maxUploads, maxNewApps)
      if let push {
        let seconds = every?.secondsAgo ?? 60
        let pushing = try PushCommand.parse([push, path])
        configuration.push = (.seconds(max(1, seconds)), { _ = try pushing.push() })
      }
      let collector = try Collector(configuration)
      try waiting {
        try await collector.run { address in
          try? StandardOutput.print("listening on \(address)")
        }
      }
    }
  }
#endif
