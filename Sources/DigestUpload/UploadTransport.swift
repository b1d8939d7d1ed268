package import Foundation
import ResilientPlatform

/// Sends a request, and pauses.
package struct UploadTransport: Sendable {
  package typealias Send = @Sendable (URLRequest, Data) async throws -> (URLResponse?, Data)

  /// Sends a body, and returns the answer.
  ///
  /// Throws ``UploadError`` with code `unreachable` for a connection that is lost.
  let send: Send
  let pause: @Sendable (Duration) async throws -> Void

  package init(
    send: @escaping Send,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    (self.send, self.pause) = (send, pause)
  }

  /// A session without cookies, caches and redirects.
  static let shared = Self(send: session(timeout: 60))

  package static func session(timeout seconds: Double) -> Send {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = seconds
    configuration.timeoutIntervalForResource = 10 * seconds
    configuration.httpCookieStorage = nil
    configuration.urlCache = nil
    let tasks = UploadTasks()
    let session = URLSession(configuration: configuration, delegate: tasks, delegateQueue: nil)
    return { request, body in
      let task = session.uploadTask(with: request, from: body)
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          tasks.begin(task, continuation)
        }
      } onCancel: {
        task.cancel()
      }
    }
  }
}

/// The tasks of a session, whose answers are read up to a limit.
private final class UploadTasks: NSObject, URLSessionDataDelegate, Sendable {
  /// The most bytes of an answer. One of a collector has some hundred.
  private static let maximumBytes = 64 << 10

  private struct Running {
    let continuation: CheckedContinuation<(URLResponse?, Data), any Error>
    var data = Data()
  }

  private let running = Locked<[Int: Running]>([:])

  func begin(
    _ task: URLSessionTask, _ continuation: CheckedContinuation<(URLResponse?, Data), any Error>
  ) {
    running.withLock { $0[task.taskIdentifier] = Running(continuation: continuation) }
    task.resume()
  }

  /// Follows no redirect: a token is for one address. The answer is then the redirect itself.
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  /// Has no answer to a question for a password: the token was sent, and is not accepted.
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler:
      @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let isOfToken = [
      NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest,
      NSURLAuthenticationMethodDefault,
    ].contains(challenge.protectionSpace.authenticationMethod)
    guard isOfToken else { return completionHandler(.performDefaultHandling, nil) }
    // On Linux, a session does not go on after any of the answers that there are.
    end(task, nil, challenge.failureResponse)
    completionHandler(.cancelAuthenticationChallenge, nil)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLong = running.withLock { running in
      let count = running[dataTask.taskIdentifier]?.data.count ?? 0
      guard count + data.count <= Self.maximumBytes else { return true }
      running[dataTask.taskIdentifier]?.data.append(data)
      return false
    }
    if isTooLong { end(dataTask, nil) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    end(task, error)
  }

  private func end(
    _ task: URLSessionTask, _ error: (any Error)?, _ response: URLResponse? = nil
  ) {
    // A task that was ended before is not there any more.
    guard let ended = running.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else {
      return
    }
    if (error as? URLError)?.code == .cancelled {
      ended.continuation.resume(throwing: CancellationError())
    } else if let error {
      ended.continuation.resume(
        throwing: UploadError(
          .unreachable,
          "the collector cannot be reached: \(error.localizedDescription); try again later"))
    } else {
      ended.continuation.resume(returning: (response ?? task.response, ended.data))
      task.cancel()
    }
  }
}
