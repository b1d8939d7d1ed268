import Foundation
import Testing

/// `make install`, with a compiler that builds nothing: it tells where it was told to build.
struct InstallTests {
  private static let swift: URL? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { URL(filePath: String($0)).appending(path: "swift") }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }

  @Test(.enabled(if: swift != nil, "swift is not installed"))
  func `a release is built, and a page for each command is installed`() throws {
    let sandbox = try Sandbox()
    // Takes the place of `swift`: notes its arguments, and has the tool at hand; scripts it runs
    // itself.
    try sandbox.stub(
      "swift",
      """
      if [ "$1" != build ]; then exec '\(try #require(Self.swift).path)' "$@"; fi
      echo "$*" >> "$LOG"
      case "$*" in *--show-bin-path*) echo '\(Tool.url().deletingLastPathComponent().path)' ;; esac
      """)
    try sandbox.stub("strip", "")
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = "\(sandbox.directory.path):\(environment["PATH"] ?? "")"
    environment["LOG"] = sandbox.url("log").path
    let root = sandbox.url("root")

    let outcome = try sandbox.start(
      [root.path], of: Package.url("Scripts/install"), environment: environment)

    #expect(
      outcome
        == Outcome(lines: [
          "Installed \(root.path)/bin/digest-query, its manual and its completions."
        ]))
    for line in try #require(sandbox.text("log")).split(separator: "\n") {
      let rest = line.replacing("--static-swift-stdlib", with: "").replacing(
        "--show-bin-path", with: "")
      #expect(
        rest.split(separator: " ").joined(separator: " ")
          == "build --configuration release --product digest-query")
    }
    let pages = try FileManager.default.contentsOfDirectory(atPath: root.path + "/share/man/man1")
    #expect(pages.count == 29)
    #expect(Set(["digest-query.1", "digest-query-top-failures.1"]).isSubset(of: pages))
  }
}
