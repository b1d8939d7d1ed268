import ResilientPlatform

extension Connection {
  /// Returns the rows of `background_process` whose process has ended without closing its store, and
  /// the hour of the last digest that it can have written.
  func endedProcesses() throws -> [(id: Int64, hour: Int64)] {
    guard let namespace = ThisProcess.namespace else { return [] }
    return try rows(
      """
      SELECT id, process, max(since, ifnull(
        (SELECT recorded_at FROM digest ORDER BY id DESC LIMIT 1), since))
      FROM background_process
      WHERE namespace = :namespace
      LIMIT 1000
      """,
      [":namespace": .text(namespace)]
    ) { ($0.integer(at: 0), $0.integer(at: 1), min($0.moment(at: 2), .latest).hour) }
    .filter { ThisProcess.hasEnded($0.1, of: $0.0) }.map { ($0.0, $0.2) }
  }
}

/// How processes tell each other apart in `background_process`.
enum ThisProcess {
  /// Differs between two processes that get the same id one after the other.
  private static let seed = UInt64.random(in: .min ... .max)

  /// 32 bits that differ between processes, also between a process and its fork.
  static var token: Int64 {
    Int64(((seed ^ UInt64(getpid())) &* 0x9e37_79b9_7f4a_7c15) >> 32)
  }

  /// Whether the process of a row has ended. False if another process has its id by now.
  static func hasEnded(_ process: Int64, of row: Int64) -> Bool {
    guard let process = pid_t(exactly: process), process > 0 else { return true }
    if process == getpid() { return row >> 20 != token }
    return kill(process, 0) != 0 && errno == ESRCH
  }

  /// Where ids of processes mean the same: on Linux a boot, and the namespace of a container. Nil if
  /// that cannot be read.
  static let namespace: String? = {
    #if os(Linux)
      let path = "/proc/sys/kernel/random/boot_id"
      guard let boot = try? String(contentsOfFile: path, encoding: .utf8),
        let namespace = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/ns/pid")
      else { return nil }
      return "\(boot.prefix(36)) \(namespace)"
    #else
      return ""
    #endif
  }()
}
