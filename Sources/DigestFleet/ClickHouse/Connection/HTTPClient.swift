#if ClickHouse
  import Foundation
  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// Sends requests to one server, one after another. Not thread-safe.
  final class HTTPClient {
    /// How long to wait for the next bytes of an answer, in seconds.
    private static let patience: TimeInterval = 300

    private let session: URLSession
    private let transfer = Transfer()
    private let address: URL
    private let headers: [String: String]

    /// - Parameters:
    ///   - address: the URL of all requests, without a query.
    ///   - headers: sent with every request.
    init(_ address: String, headers: [String: String]) throws {
      guard let url = URL(string: address) else {
        throw FleetError(.invalidURL, "the address of the server cannot be read; check the URL")
      }
      self.address = url
      // A proxy would read the password. It may be used for TLS, which it cannot read.
      if url.scheme == "http" { setenv("no_proxy", "*", 1) }
      self.headers = headers
      let configuration = URLSessionConfiguration.ephemeral
      configuration.timeoutIntervalForRequest = Self.patience
      configuration.httpCookieStorage = nil
      configuration.urlCache = nil
      session = URLSession(configuration: configuration, delegate: transfer, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    /// Sends a request and waits for the whole answer.
    ///
    /// - Throws: ``HTTPError`` if there is none, also if it breaks off.
    func post(_ body: [UInt8], _ query: [(name: String, value: String)]) throws -> HTTPAnswer {
      var parts = URLComponents(url: address, resolvingAgainstBaseURL: false)
      parts?.percentEncodedQuery = query.map { "\($0.name)=\($0.value.queryEncoded)" }
        .joined(separator: "&")
      guard let url = parts?.url else { throw HTTPError(message: "the address cannot be read") }
      var request = URLRequest(url: url)
      request.httpMethod = "POST"
      request.httpBody = Data(body)
      for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
      return try transfer.run(session.dataTask(with: request))
    }
  }

  /// Collects the answer to one request at a time. A redirection is an answer: following it would give the
  /// password to another server.
  private final class Transfer: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // The session calls the delegate on one queue while `run` waits, so nothing is shared at once.
    private let isDone = DispatchSemaphore(value: 0)
    private var status = 0
    private var body: [UInt8] = []
    private var error: (any Error)?

    func run(_ task: URLSessionDataTask) throws -> HTTPAnswer {
      (status, body, error) = (0, [], nil)
      task.resume()
      isDone.wait()
      // An answer that asks for a password ends as a cancelled request where that is refused.
      if let error, status != 401 { throw HTTPError(message: error.localizedDescription) }
      defer { body = [] }
      return HTTPAnswer(status: status, body: body)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
      status = (response as? HTTPURLResponse)?.statusCode ?? 0
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      body.append(contentsOf: data)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping (URLRequest?) -> Void
    ) {
      status = response.statusCode
      completionHandler(nil)
    }

    // Every request has the password already.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      let isHTTPs = ["HTTPBasic", "HTTPDigest"].contains {
        challenge.protectionSpace.authenticationMethod == "NSURLAuthenticationMethod\($0)"
      }
      completionHandler(isHTTPs ? .rejectProtectionSpace : .performDefaultHandling, nil)
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      self.error = error
      isDone.signal()
    }
  }

  extension String {
    /// Every byte that is not a letter, a digit or one of `-._~` as `%` and two hexadecimal digits.
    fileprivate var queryEncoded: String {
      addingPercentEncoding(
        withAllowedCharacters: CharacterSet(
          charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")) ?? ""
    }
  }
#else
  /// Takes the place of a client in a build without the trait `ClickHouse`: every use of it fails.
  final class HTTPClient {
    init(_ address: String, headers: [String: String]) throws { throw Self.unavailable }

    func post(_ body: [UInt8], _ query: [(name: String, value: String)]) throws -> HTTPAnswer {
      throw Self.unavailable
    }

    private static let unavailable = FleetError(
      .unavailable,
      "this digest-query was built without ClickHouse: run make install TRAITS=ClickHouse")
  }
#endif

/// An answer of a server, whatever its status.
struct HTTPAnswer {
  let status: Int
  let body: [UInt8]
}

/// A request that got no whole answer.
struct HTTPError: Error {
  let message: String
}
