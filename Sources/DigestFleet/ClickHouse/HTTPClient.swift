import DigestStore

#if ClickHouse
  import CCurl
  import DigestStore
  import ResilientPlatform

  /// Sends requests to one server with libcurl, one after another. Not thread-safe.
  final class HTTPClient {
    /// How long to wait for a connection, in seconds.
    private static let connectionTimeout = 60

    private let handle: OpaquePointer
    private let headers: UnsafeMutablePointer<curl_slist>?
    private let address: String

    // Not thread-safe in older versions, and Swift initializes a constant once.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// - Parameters:
    ///   - address: the URL of all requests, without a query.
    ///   - headers: sent with every request. They have no control characters.
    init(_ address: String, headers: [String: String]) throws {
      guard Self.isReady, let handle = curl_easy_init().map(OpaquePointer.init) else {
        throw DigestStoreError(.inputOutput, "libcurl cannot be used")
      }
      self.handle = handle
      self.address = address
      // Without this, libcurl waits a second for `100 Continue` before it sends a long body.
      var lines: UnsafeMutablePointer<curl_slist>? = curl_slist_append(nil, "Expect:")
      lines = curl_slist_append(lines, "Content-Type: application/octet-stream")
      for (name, value) in headers { lines = curl_slist_append(lines, "\(name): \(value)") }
      self.headers = lines
    }

    deinit {
      curl_easy_cleanup(UnsafeMutableRawPointer(handle))
      curl_slist_free_all(headers)
    }

    /// Sends a request and waits for the whole answer.
    ///
    /// A redirection is an answer: following it would give the password to another server.
    ///
    /// - Throws: ``HTTPError`` if there is none, also if it breaks off.
    func post(_ body: [UInt8], _ query: [(name: String, value: String)]) throws -> HTTPAnswer {
      let curl = UnsafeMutableRawPointer(handle)
      let parameters = query.map { "\($0.name)=\(escaped($0.value))" }
      digest_curl_set_text(curl, CURLOPT_URL, "\(address)?\(parameters.joined(separator: "&"))")
      // A proxy would read the password. It may be used for TLS, which it cannot read.
      if address.hasPrefix("http:") { digest_curl_set_text(curl, CURLOPT_PROXY, "") }
      digest_curl_set_headers(curl, headers)
      digest_curl_set_number(curl, CURLOPT_NOSIGNAL, 1)
      digest_curl_set_number(curl, CURLOPT_CONNECTTIMEOUT, Self.connectionTimeout)
      // A statement may take long, and nothing arrives until it ends. Notices a network that is
      // cut.
      digest_curl_set_number(curl, CURLOPT_TCP_KEEPALIVE, 1)
      digest_curl_set_number(curl, CURLOPT_TCP_KEEPIDLE, 30)
      digest_curl_set_number(curl, CURLOPT_TCP_KEEPINTVL, 10)
      var answer: [UInt8] = []
      let code = body.withUnsafeBytes { bytes in
        digest_curl_set_body(
          curl, bytes.baseAddress ?? UnsafeRawPointer(curl), curl_off_t(bytes.count))
        return withUnsafeMutablePointer(to: &answer) { answer in
          digest_curl_set_writer(
            curl,
            { bytes, size, count, answer in
              answer?.assumingMemoryBound(to: [UInt8].self).pointee.append(
                contentsOf: UnsafeRawBufferPointer(start: bytes, count: size * count))
              return size * count
            }, answer)
          return curl_easy_perform(curl)
        }
      }
      guard code == CURLE_OK else {
        throw HTTPError(message: String(cString: curl_easy_strerror(code)))
      }
      return HTTPAnswer(status: digest_curl_status(curl), body: answer)
    }

    private func escaped(_ text: String) -> String {
      let escaped = curl_easy_escape(UnsafeMutableRawPointer(handle), text, 0)
      defer { curl_free(escaped) }
      return escaped.map { String(cString: $0) } ?? ""
    }
  }
#else
  import DigestStore

  /// Takes the place of a client in a build without the trait `ClickHouse`: every use of it fails.
  final class HTTPClient {
    init(_ address: String, headers: [String: String]) throws { throw Self.unavailable }

    func post(_ body: [UInt8], _ query: [(name: String, value: String)]) throws -> HTTPAnswer {
      throw Self.unavailable
    }

    private static let unavailable = DigestStoreError(
      .invalidURL,
      "this digest-query was built without ClickHouse: install libcurl (Debian: libcurl4-openssl-dev) and "
        + "run make install TRAITS=ClickHouse")
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
