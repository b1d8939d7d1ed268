import Foundation
import Testing

@testable import DigestStore

struct ApplicationTests {
  static let cases: [(ApplicationDirectory.DirectoryLayout, String?, [String: String], String)] = [
    (.apple, "com.homes", [:], "Library/Application Support/com.homes/ResilientDecoding"),
    (.apple, nil, [state: "/state"], "Library/Application Support/ResilientDecoding"),
    (.appleTV, "com.homes", [:], "Library/Caches/com.homes/ResilientDecoding"),
    (.appleTV, nil, [:], "Library/Caches/ResilientDecoding"),
    (.xdg, "homes", [:], ".local/state/homes"),
    (.xdg, "homes", [state: "/state"], "/state/homes"),
    (.xdg, "homes", [state: ""], ".local/state/homes"),
    (.xdg, "homes", [state: "relative"], ".local/state/homes"),
  ]

  private static let state = "XDG_STATE_HOME"

  @Test(arguments: cases)
  func `each system has a directory for the data of apps`(
    layout: ApplicationDirectory.DirectoryLayout, program: String?, environment: [String: String],
    path: String
  ) {
    let directory = ApplicationDirectory(
      layout, home: URL(filePath: "/home"), program: program, environment: environment)
    #expect(
      directory.url.path(percentEncoded: false) == (path.hasPrefix("/") ? path : "/home/\(path)"))
  }

  @Test(arguments: ["", ".", "..", ".hidden", "a/b", "/", "../digests"])
  func `a name that would leave the directory is refused`(_ name: String) {
    expectError(.invalidInput) {
      try DigestStore.applicationURL(named: name)
    }
  }

  @Test func `an app group that the app is not in is refused`() {
    expectError(.inputOutput, "entitlements") {
      try DigestStore.application(group: "group.none")
    }
  }

  @Test func `a URL must be that of a file`() throws {
    let url = try #require(URL(string: "https://example.com/digests.sqlite"))
    expectError(.inputOutput) { try DigestStore(url: url) }
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "with space 100%.sqlite")
    try DigestStore(url: file).see("villa")
    #expect(try DigestReader(path: file.path(percentEncoded: false)).count("villa") == 1)
  }

  @Test(arguments: [
    ("/App.app", 4 << 20), ("/App.app/PlugIns/Share.appex", 512 << 10), ("", 4 << 20),
  ])
  func `an extension keeps less in memory`(_ bundlePath: String, _ maximumBytes: Int) {
    let configuration = DigestStore.Configuration.application(
      release: "4.2.0", bundlePath: bundlePath)
    #expect(configuration.writing.maximumBytes == maximumBytes)
    #expect(configuration.release == "4.2.0")
  }

  @Test func `the configuration of an app`() {
    let configuration = DigestStore.Configuration.application
    guard case .inBackground = configuration.writing else {
      Issue.record("a main thread would wait for the file")
      return
    }
    #expect(configuration.suspension == .automatic)
    #expect(configuration.maximumAge == .seconds(30 * 86_400))
    #expect(configuration.maximumBytes == 32 << 20)
  }
}
