#if PostgreSQL && ClickHouse
  import Foundation
  import Testing

  @testable import DigestStoreTests

  /// A server of a test's own, which may be killed and started again on the same data.
  final class ClickHouseServer {
    /// The interpreter that has the current version; nil if the environment names none.
    static let python = ProcessInfo.processInfo.environment["FLEET_CLICKHOUSE_PYTHON"]

    private let temporary: TemporaryFolder?
    private let folder: URL
    private var process: Process?

    /// Chosen by the first start.
    private var port = "0"

    var url: String { "clickhouse://127.0.0.1:\(port)" }

    /// - Parameter folder: the directory of the data; nil for a temporary one.
    init(in folder: URL? = nil) throws {
      temporary = try folder == nil ? TemporaryFolder() : nil
      self.folder = try #require(folder ?? temporary?.url)
    }

    deinit { kill() }

    /// Starts it, and waits until it answers.
    ///
    /// - Parameter grants: what the user may do; everything if there are none.
    func start(grants: [String] = []) throws {
      let configuration = folder.appending(path: "configuration.xml")
      try Self.configuration(grants, folder).write(
        to: configuration, atomically: true, encoding: .utf8)
      let process = Process()
      process.executableURL = URL(filePath: try #require(Self.python))
      process.arguments = [
        Self.script.path, port, folder.appending(path: "data").path, configuration.path,
      ]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      self.process = process
      // The script prints its port when it listens.
      let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      port = try #require(line.split(separator: "\n").first.map(String.init))
    }

    /// Ends it without giving it a chance to write.
    func kill() {
      guard let process else { return }
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      self.process = nil
    }

    private static let script = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Scripts/clickhouse-server.py")

    /// A configuration with a cluster that has an unreachable shard. Its profile would skip that
    /// shard.
    private static func configuration(_ grants: [String], _ folder: URL) throws -> String {
      let users = folder.appending(path: "users.xml")
      let rights =
        grants.isEmpty
        ? "<access_management>1</access_management>"
        : "<grants>\(grants.map { "<query>\($0)</query>" }.joined())</grants>"
      try """
      <clickhouse>
        <profiles><default><skip_unavailable_shards>1</skip_unavailable_shards></default></profiles>
        <quotas><default/></quotas>
        <users><default>
          <password/><networks><ip>::/0</ip></networks>
          <profile>default</profile><quota>default</quota>\(rights)
        </default></users>
      </clickhouse>
      """.write(to: users, atomically: true, encoding: .utf8)
      return """
        <clickhouse>
          <tcp_port>9000</tcp_port>
          <users_config>\(users.path)</users_config>
          <remote_servers><incomplete>
            <shard><replica><host>localhost</host><port>9000</port></replica></shard>
            <shard><replica><host>localhost</host><port>1</port></replica></shard>
          </incomplete></remote_servers>
        </clickhouse>
        """
    }
  }
#endif
