#if Server
  import HTTPTypes
  import Hummingbird
  import Logging
  import NIOCore
  import ResilientPlatform

  /// A request's connection, token and log line, for the routes.
  struct CollectorContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    /// The token that the request was sent with; nil where none is needed.
    var token: Tokens.Token?

    /// More fields for its line in the log.
    let log = RequestLog()

    init(source: ApplicationRequestContextSource) {
      coreContext = .init(source: source)
      channel = source.channel
    }
  }

  /// Fields that a route adds to the log line of its request. They contain no text of a payload.
  final class RequestLog: Sendable {
    private let fields = Locked<Logger.Metadata>([:])

    func add(_ new: Logger.Metadata) { fields.withLock { $0.merge(new) { $1 } } }

    var metadata: Logger.Metadata { fields.withLock { $0 } }
  }

  /// Checks the host of each request, limits its time, restricts what a browser may do with the answer,
  /// and logs one line.
  struct Gate: RouterMiddleware {
    /// The names by which clients may address the server, without a port.
    ///
    /// A page of another site could have a name of its own resolve to this address, and read the
    /// answers (DNS rebinding).
    let hosts: Set<String>

    /// How long a request and its answer may take, in seconds, however slowly either is sent.
    let seconds: Int
    let logger: Logger

    func handle(
      _ request: Request, context: CollectorContext,
      next: (Request, CollectorContext) async throws -> Response
    ) async throws -> Response {
      let start = ContinuousClock.now
      let channel = context.channel
      let deadline = channel.eventLoop.scheduleTask(in: .seconds(Int64(seconds))) {
        channel.close(promise: nil)
      }
      var response: Response
      do {
        response =
          isAllowed(request.head.authority)
          ? try await next(request, context)
          : .failure(
            .misdirectedRequest,
            "this collector does not serve that host; start it with --host NAME")
      } catch let error as HTTPError {
        response = .failure(error.status, error.body ?? "\(error.status)")
      } catch {
        deadline.cancel()
        throw error
      }
      response.headers[.xContentTypeOptions] = "nosniff"
      response.headers[.init("Referrer-Policy")!] = "no-referrer"
      response.headers[.cacheControl] = "no-store"
      if response.headers[.contentSecurityPolicy] == nil {
        response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
      }
      let status = response.status.code
      // Closes without reading the rest of a refused body.
      let closes = status == 413 || status == 408 || status >= 500
      if closes { response.headers[.connection] = "close" }
      let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
      logger.info(
        "\(request.method) \(context.endpointPath ?? "-") \(status)",
        metadata: context.log.metadata.merging(["ms": "\(Int(milliseconds.rounded(.up)))"]) { $1 })
      let body = response.body
      response.body = ResponseBody(contentLength: body.contentLength) { writer in
        defer { deadline.cancel() }
        try await body.write(writer)
        // After the answer was sent: closing at once would discard it.
        guard closes else { return }
        channel.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
      }
      return response
    }

    private func isAllowed(_ authority: String?) -> Bool {
      guard let authority else { return false }
      // An address of IPv6 has colons itself.
      let port = authority.hasSuffix("]") ? nil : authority.lastIndex(of: ":")
      return hosts.contains(authority[..<(port ?? authority.endIndex)].lowercased())
    }
  }

  /// Lets requests with a token of a file pass.
  struct TokenGate: RouterMiddleware {
    /// The file; nil if no token is needed.
    let tokens: TokenFile?

    /// How a client authenticates: a browser asks for a password.
    let scheme: String

    /// Whether requests are refused, because no file was given for a server that others reach.
    let isClosed: Bool

    func handle(
      _ request: Request, context: CollectorContext,
      next: (Request, CollectorContext) async throws -> Response
    ) async throws -> Response {
      guard !isClosed else {
        return .failure(.forbidden, "the collector was started without tokens for this")
      }
      guard let tokens else { return try await next(request, context) }
      guard let token = tokens.find(request.headers[.authorization]) else {
        var response = Response.failure(.unauthorized, "the token is missing or unknown")
        response.headers[.wwwAuthenticate] = #"\(scheme) realm="digests""#
        return response
      }
      var context = context
      context.token = token
      context.log.add(["token": "\(token.name)"])
      return try await next(request, context)
    }
  }

  extension Data {
    /// The JSON of a value, with slashes as they are.
    static func json(_ value: some Encodable) -> Self {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      // Texts and lists of them can be encoded.
      return (try? encoder.encode(value)) ?? Data()
    }
  }

  extension Response {
    /// An answer in JSON.
    static func json(_ bytes: Data) -> Self {
      Response(
        status: .ok, headers: [.contentType: "application/json"],
        body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// The answer to a request that failed, with the remedy.
    ///
    /// - Parameter retryAfter: after how many seconds it may be sent again.
    static func failure(
      _ status: HTTPResponse.Status, _ text: String, retryAfter: Int? = nil
    ) -> Self {
      var response = json(.json(["error": text]))
      response.status = status
      response.headers[.retryAfter] = retryAfter.map(String.init)
      return response
    }
  }
#endif
