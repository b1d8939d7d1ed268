import Foundation
import ResilientPlatform

/// The address of a collector.
struct CollectorAddress {
  private let url: URL

  /// The address, by which the store remembers what it has sent.
  var text: String { url.absoluteString }

  /// - Throws: ``UploadError`` for an address to which no token may be sent.
  init(_ url: URL) throws {
    func problem(_ text: String) -> UploadError { UploadError(.invalidAddress, text) }
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true), let host = parts.host,
      !host.isEmpty
    else {
      throw problem("this is not the address of a collector, such as https://digests.example.com")
    }
    guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
      throw problem("the address of a collector has no user, password, query or fragment")
    }
    let isLoopback = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased())
    guard parts.scheme == "https" || parts.scheme == "http" && isLoopback else {
      throw problem("digests are sent by https, or by http within a machine: use https://\(host)")
    }
    self.url = url
  }

  /// The request that sends a part.
  func request(token: String?) -> URLRequest {
    var request = URLRequest(url: url.appending(path: "v1/digests"))
    request.httpMethod = "POST"
    request.setValue("application/x-ndjson", forHTTPHeaderField: "Content-Type")
    if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    return request
  }
}
