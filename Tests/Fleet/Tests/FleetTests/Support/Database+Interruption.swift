import Foundation
import Synchronization

extension Database {
  /// Pushes a store, and does something about the process once so many bytes have passed between it and
  /// the server; the connection is cut then too.
  ///
  /// - Returns: how many bytes have passed.
  @discardableResult
  func push(
    _ store: String, _ options: String..., interruptedAfter bytes: Int,
    by interrupt: @escaping @Sendable (_ process: Int32) -> Void
  ) throws -> Int {
    let process = Mutex<Int32?>(nil)
    return try CutProxy.run(.afterBytes(bytes)) {
      if let process = process.withLock({ $0 }) { interrupt(process) }
    } _: { proxy in
      let push = try Tool.start(
        Tool.path, ["push", url(through: proxy), "--name", "web-1", "--store", store] + options)
      process.withLock { $0 = push.process.processIdentifier }
      _ = try Tool.finish(push)
    }.1.bytes
  }
}
