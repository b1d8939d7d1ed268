#if Server
  import DigestStore
  import HTTPTypes
  import Hummingbird
  import Logging
  import NIOCore
  import ResilientPlatform

  /// `POST /v1/digests`: adds the NDJSON of an export, and answers when it is committed.
  struct UploadRoute: Sendable {
    /// The largest body, in bytes.
    static let mostBytes = 4 << 20

    private let queue: UploadQueue
    private let memory = MemoryBudget()
    private let quotas: Quotas
    private let counters: Counters

    init(_ store: DigestStore, quotas: Quotas, counters: Counters) {
      queue = UploadQueue(store)
      (self.quotas, self.counters) = (quotas, counters)
    }

    func respond(to request: Request, _ context: CollectorContext) async throws -> Response {
      let token = context.token?.name ?? ""
      if let problem = Self.problem(with: request.headers) { return problem }
      guard let newStores = quotas.beginUpload(of: token, now: Date()) else {
        return .failure(
          .tooManyRequests, "too many uploads in a minute; send again later", retryAfter: 60)
      }
      var body = Body(memory)
      defer { body.giveBack() }
      do {
        try await body.read(request.body)
        let lines = try CheckedImport(body.data, requiringIDs: true)
        let counts = try await queue.add(lines, bytes: body.data.count, newStores: newStores)
        quotas.add(newStores: counts.newStores, of: token)
        counters.count(counts)
        context.log.add([
          "bytes": "\(body.data.count)", "added": "\(counts.added)", "known": "\(counts.known)",
        ])
        let answer = """
          {"added":\(counts.added),"known":\(counts.known),"evicted":\(counts.evicted)}
          """
        return .json(Data(answer.utf8))
      } catch let refusal as Refusal {
        return refusal.response
      } catch let error as DigestStoreError {
        // A problem with a line quotes nothing of it.
        context.log.add(["error": "\(error)"])
        return Self.answer(to: error)
      }
    }

    private static func answer(to error: DigestStoreError) -> Response {
      switch error.code {
      case .invalidInput: .failure(.badRequest, error.description)
      case .tooManyStores:
        .failure(.tooManyRequests, error.description, retryAfter: Date().secondsUntilMidnight)
      case .busy: .failure(.serviceUnavailable, "the store is busy; send again", retryAfter: 5)
      default:
        // The reason may name files of this machine.
        .failure(
          .serviceUnavailable, "the store cannot be written; send again later", retryAfter: 60)
      }
    }

    /// What is wrong with a request before its body is read; nil if nothing is.
    private static func problem(with headers: HTTPFields) -> Response? {
      if let encoding = headers[.contentEncoding], encoding.lowercased() != "identity" {
        return .failure(.unsupportedMediaType, "send the lines without a content encoding")
      }
      let type = headers[.contentType]?.prefix { $0 != ";" && $0 != " " }.lowercased()
      guard ["application/x-ndjson", "application/ndjson"].contains(type) else {
        return .failure(.unsupportedMediaType, "send NDJSON as application/x-ndjson")
      }
      if let length = headers[.contentLength].flatMap({ Int($0) }), length > mostBytes {
        return .tooLarge
      }
      return nil
    }
  }

  /// A request that is answered before all of it was read.
  private struct Refusal: Error {
    let response: Response
  }

  /// The body of a request, whose bytes are counted while they are in memory.
  private struct Body {
    private let memory: MemoryBudget
    private(set) var data = Data()

    init(_ memory: MemoryBudget) {
      self.memory = memory
    }

    mutating func read(_ body: RequestBody) async throws {
      for try await buffer in body {
        let count = buffer.readableBytes
        guard data.count + count <= UploadRoute.mostBytes else {
          throw Refusal(response: .tooLarge)
        }
        guard memory.take(count) else {
          throw Refusal(
            response: .failure(
              .serviceUnavailable, "too many uploads at once; send again", retryAfter: 2))
        }
        data.append(contentsOf: buffer.readableBytesView)
      }
    }

    func giveBack() { memory.giveBack(data.count) }
  }

  extension Response {
    fileprivate static var tooLarge: Self {
      .failure(
        .contentTooLarge, "a body has at most \(UploadRoute.mostBytes) bytes; send it in parts")
    }
  }

  extension Date {
    /// The number of seconds until the next day begins in UTC.
    fileprivate var secondsUntilMidnight: Int { 86_400 - Int(timeIntervalSince1970) % 86_400 }
  }
#endif
