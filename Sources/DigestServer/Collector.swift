#if Server
  package import DigestStore
  import Dispatch
  import Hummingbird
  import HummingbirdCore
  import Logging
  import NIOCore
  import ResilientPlatform
  import ServiceLifecycle
  import UnixSignals

  /// A server beside one store: takes uploads of apps, and shows reports.
  package struct Collector: Sendable {
    package struct Configuration: Sendable {
      /// The path of the store, or the URL of a fleet, which takes no uploads.
      package var store: String

      /// How the store is written, and what it keeps; nil for a fleet.
      package var storing: DigestStore.Configuration?

      /// The address to listen on.
      package var (host, port): (String, Int)

      /// The names by which clients may address the server, beside those of this machine.
      package var names: [String] = []

      /// The files of tokens. Without one, only this machine is served.
      package var (uploadTokens, readTokens): (String?, String?)

      /// The file of decisions, and the description of the API.
      package var triage: String
      package var spec: String?

      /// The limits of each token.
      package var (uploadsPerMinute, newStoresPerDay): (Int?, Int?)

      /// How long a request may take, and how long a connection waits for one, in seconds.
      package var (requestSeconds, idleSeconds) = (60, 30)

      /// The path of `digest-query`.
      package var tool: String

      /// How often the store is pushed on, and the call that does it on a thread of its own.
      package var push: (interval: Duration, run: @Sendable () throws -> Void)?

      package init(store: String, host: String, port: Int, triage: String, tool: String) {
        (self.store, self.host, self.port) = (store, host, port)
        (self.triage, self.tool) = (triage, tool)
      }
    }

    /// The names of this machine for itself.
    private static let loopback: Set<String> = ["localhost", "127.0.0.1", "[::1]", "::1"]

    /// The most connections at the same time. Others wait until one ends.
    private static let mostConnections = 4_096

    private let configuration: Configuration
    private let logger: Logger

    package init(_ configuration: Configuration) throws {
      self.configuration = configuration
      logger = Logger(label: "digest-query") { StreamLogHandler.standardError(label: $0) }
      guard
        Self.loopback.contains(configuration.host) || configuration.uploadTokens != nil
          || configuration.readTokens != nil
      else {
        throw CollectorError(
          "without tokens only this machine is served: listen on 127.0.0.1, or give --upload-tokens and "
            + "--read-tokens")
      }
    }

    /// Serves until the process gets SIGTERM or SIGINT. Then it ends within five seconds, with
    /// everything written.
    ///
    /// - Parameter started: called with the address once it is open.
    package func run(started: @escaping @Sendable (String) -> Void) async throws {
      let files = try [configuration.uploadTokens, configuration.readTokens].map {
        try $0.map(TokenFile.init)
      }
      let store = try configuration.storing.map {
        try DigestStore(path: configuration.store, configuration: $0)
      }
      let application = Application(
        router: router(store, uploads: files[0], reads: files[1]),
        server: .http1(
          configuration: .init(
            additionalChannelHandlers: [ContinueHandler()],
            idleTimeout: .seconds(Int64(configuration.idleSeconds)))),
        configuration: .init(
          address: .hostname(configuration.host, port: configuration.port),
          availableConnectionsDelegate: MaximumAvailableConnections(Self.mostConnections)),
        onServerRunning: { channel in
          let port = channel.localAddress?.port ?? configuration.port
          started("http://\(configuration.host):\(port)")
        },
        logger: quiet)
      Self.allowConnections()
      var services: [any Service] = [
        application, TokenReloads(files: files.compactMap(\.self), logger: logger),
      ]
      if let push = configuration.push {
        services.append(PushService(interval: push.interval, push: push.run, logger: logger))
      }
      var group = ServiceGroupConfiguration(
        services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet)
      group.maximumGracefulShutdownDuration = .seconds(3)
      do {
        try await ServiceGroup(configuration: group).run()
      } catch {
        try? store?.close()  // The first error says more.
        throw error
      }
      try store?.close()
    }

    /// Raises the number of files that the process may have open, which systems keep small.
    private static func allowConnections() {
      var limit = rlimit()
      guard getrlimit(openFiles, &limit) == 0 else { return }
      limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(2 * mostConnections)))
      // Without it, fewer connections are accepted at the same time.
      _ = setrlimit(openFiles, &limit)
    }

    #if os(Linux)
      private static let openFiles = Int32(RLIMIT_NOFILE.rawValue)
    #else
      private static let openFiles = RLIMIT_NOFILE
    #endif

    /// The log of the frameworks, which report each start at the level `info`.
    private var quiet: Logger {
      var logger = logger
      logger.logLevel = .warning
      return logger
    }

    private func router(
      _ store: DigestStore?, uploads: TokenFile?, reads: TokenFile?
    ) -> Router<CollectorContext> {
      let router = Router(context: CollectorContext.self)
      let names = configuration.names.map { $0.lowercased() } + [configuration.host.lowercased()]
      router.add(
        middleware: Gate(
          hosts: Self.loopback.union(names), seconds: configuration.requestSeconds, logger: logger))
      router.get("healthz") { _, _ in
        Response(status: .ok, body: .init(byteBuffer: ByteBuffer(string: "ok\n")))
      }

      let isOpen = Self.loopback.contains(configuration.host)
      let counters = Counters()
      if let store {
        let quotas = Quotas(
          uploadsPerMinute: configuration.uploadsPerMinute,
          newStoresPerDay: configuration.newStoresPerDay)
        let route = UploadRoute(store, quotas: quotas, counters: counters)
        router.group().add(
          middleware: TokenGate(
            tokens: uploads, scheme: "Bearer", isClosed: uploads == nil && !isOpen)
        )
        .post("v1/digests") { try await route.respond(to: $0, $1) }
      }
      let processes = ReportProcesses(tool: configuration.tool, store: configuration.store)
      let reports = ReportRoutes(
        processes: processes, triage: configuration.triage, spec: configuration.spec,
        counters: counters)
      let triage = TriageRoute(processes: processes, file: configuration.triage)
      let readers = router.group().add(
        middleware: TokenGate(tokens: reads, scheme: "Basic", isClosed: reads == nil && !isOpen))
      readers.get("/") { try await reports.page($0, $1) }
      readers.get("failure") { try await reports.failure($0, $1) }
      readers.get("metrics") { try await reports.metrics($0, $1) }
      readers.post("v1/triage") { try await triage.respond(to: $0, $1) }
      readers.get(":file") { try await reports.file($0, $1) }
      return router
    }
  }

  /// Reads the files of tokens again on SIGHUP.
  private struct TokenReloads: Service {
    let files: [TokenFile]
    let logger: Logger

    func run() async throws {
      for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
        for file in files {
          do {
            try file.reload()
            logger.info("read tokens again", metadata: ["file": "\(file.path)"])
          } catch {
            logger.error("tokens stay as they were", metadata: ["error": "\(error)"])
          }
        }
      }
    }
  }

  /// Pushes the store to a fleet at an interval.
  private struct PushService: Service {
    let interval: Duration
    let push: @Sendable () throws -> Void
    let logger: Logger

    func run() async throws {
      while !Task.isShuttingDownGracefully {
        await withCheckedContinuation { continuation in
          // A push blocks its thread.
          DispatchQueue.global().async {
            do {
              try push()
            } catch {
              logger.error("push failed", metadata: ["error": "\(error)"])
            }
            continuation.resume()
          }
        }
        try? await cancelWhenGracefulShutdown { try await Task.sleep(for: interval) }
      }
    }
  }
#endif
