import Foundation
import Testing

/// `make install`, with a compiler that builds nothing: it tells where it was told to build.
struct InstallTests {
  private static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Takes the place of `swift`: notes its arguments, and has the tool at hand; scripts it runs
  /// itself.
  private static func compiler(_ tool: URL, _ swift: URL) -> String {
    """
    #!/bin/sh
    if [ "$1" != build ]; then exec '\(swift.path)' "$@"; fi
    echo "$*" >> "$LOG"
    case "$*" in *--show-bin-path*) echo '\(tool.deletingLastPathComponent().path)' ;; esac
    """
  }

  private static let swift: URL? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { URL(filePath: String($0)).appending(path: "swift") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }

  @Test(.enabled(if: swift != nil, "swift is not installed"))
  func `a release is built, and a page for each command is installed`() throws {
    let sandbox = try Sandbox()
    let programs = sandbox.url("programs")
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
    for (name, text) in [
      ("swift", Self.compiler(try Tool.url(), try #require(Self.swift))), ("strip", "#!/bin/sh\n"),
    ] {
      try sandbox.write(text, to: "programs/\(name)")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: programs.appending(path: name).path)
    }
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = "\(programs.path):\(environment["PATH"] ?? "")"
    environment["LOG"] = sandbox.url("log").path
    let root = sandbox.url("root")

    let outcome = try sandbox.run(
      Self.package.appending(path: "Scripts/install"), [root.path], environment: environment)

    #expect(
      outcome
        == Outcome(
          stdout: "Installed \(root.path)/bin/digest-query, its manual and its completions.\n"))
    let log = String(decoding: try #require(sandbox.bytes("log")), as: UTF8.self)
    for line in log.split(separator: "\n") {
      let rest = line.replacing("--static-swift-stdlib", with: "").replacing(
        "--show-bin-path", with: "")
      #expect(
        rest.split(separator: " ").joined(separator: " ")
          == "build --configuration release --product digest-query")
    }
    let pages = try FileManager.default.contentsOfDirectory(atPath: root.path + "/share/man/man1")
    #expect(pages.count == 30)
    #expect(Set(["digest-query.1", "digest-query-top-failures.1"]).isSubset(of: pages))
  }
}
