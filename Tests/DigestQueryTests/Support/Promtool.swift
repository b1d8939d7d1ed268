import Foundation

/// The linter of Prometheus.
enum Promtool {
  static let url: URL? = [
    "/usr/bin/promtool", "/usr/local/bin/promtool", "/opt/homebrew/bin/promtool",
  ]
  .first(where: FileManager.default.isExecutableFile).map { URL(fileURLWithPath: $0) }

  static var isInstalled: Bool { url != nil }
}
