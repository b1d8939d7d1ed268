import Foundation
import Testing

@testable import DigestStore

struct ApplicationTests {
  struct Case: Sendable {
    let layout: ApplicationDirectory.DirectoryLayout
    var program: String? = "com.example.homes"
    var environment: [String: String] = [:]
    let path: String
  }

  static let cases = [
    Case(
      layout: .apple,
      path: "/home/Library/Application Support/com.example.homes/ResilientDecoding"),
    Case(
      layout: .apple, program: nil, environment: ["XDG_STATE_HOME": "/state"],
      path: "/home/Library/Application Support/ResilientDecoding"),
    Case(layout: .appleTV, path: "/home/Library/Caches/com.example.homes/ResilientDecoding"),
    Case(layout: .appleTV, program: nil, path: "/home/Library/Caches/ResilientDecoding"),
    Case(layout: .xdg, program: "homes", path: "/home/.local/state/homes"),
    Case(
      layout: .xdg, program: "homes", environment: ["XDG_STATE_HOME": "/state"],
      path: "/state/homes"),
    Case(
      layout: .xdg, program: "homes", environment: ["XDG_STATE_HOME": ""],
      path: "/home/.local/state/homes"),
    Case(
      layout: .xdg, program: "homes", environment: ["XDG_STATE_HOME": "relative"],
      path: "/home/.local/state/homes"),
  ]

  @Test(arguments: cases)
  func `each system has a directory for the data of apps`(_ expected: Case) {
    let directory = ApplicationDirectory(
      expected.layout, home: URL(filePath: "/home"), program: expected.program,
      environment: expected.environment)
    #expect(directory.url.path(percentEncoded: false) == expected.path)
  }

  @Test(arguments: ["", ".", "..", ".hidden", "a/b", "/", "../digests"])
  func `a name that would leave the directory is refused`(_ name: String) {
    let error = #expect(throws: DigestStoreError.self) {
      try DigestStore.applicationURL(named: name)
    }
    #expect(error?.code == .invalidInput)
  }

  @Test func `an app group that the app is not in is refused`() {
    let error = #expect(throws: DigestStoreError.self) {
      try DigestStore.application(group: "group.none")
    }
    #expect(error?.code == .inputOutput)
    #expect(error?.description.contains("entitlements") == true)
  }

  @Test func `a URL must be that of a file`() throws {
    let url = try #require(URL(string: "https://example.com/digests.sqlite"))
    let error = #expect(throws: DigestStoreError.self) { try DigestStore(url: url) }
    #expect(error?.code == .inputOutput)
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
