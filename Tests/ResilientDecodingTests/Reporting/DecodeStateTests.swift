import Foundation
import ResilientDocuments
import ResilientPlatform
import Testing

@testable import ResilientDecoding

/// Decodes that an initializer starts don't see the state of the decode it belongs to.
struct DecodeStateTests {
  /// Where an initializer decodes another payload.
  enum Start: CaseIterable {
    case sameThread, task, detachedTask, mainActorTask, thread, queue

    /// Runs `body`, and waits for its end.
    func run(_ body: @escaping @Sendable () -> Void) {
      let end = DispatchSemaphore(value: 0)
      let all: @Sendable () -> Void = {
        body()
        end.signal()
      }
      switch self {
      case .sameThread: all()
      case .task: Task { all() }
      case .detachedTask: Task.detached { all() }
      case .mainActorTask: Task { @MainActor in all() }
      case .thread: Thread { all() }.start()
      case .queue: DispatchQueue.global().async { all() }
      }
      end.wait()
    }
  }

  /// A payload that has nothing to do with the one whose decode reads it.
  struct Settings: Decodable {
    struct Theme: Decodable { let color: String }

    @Resilient var names: [String]
    @Resilient var limits: [String: Int]
    @Resilient var theme: Theme?
    @Resilient var themes: [Theme]
    @Resilient var document: [String: DecodableDocument]

    static let good = #"""
      {"names": ["a", "b"], "limits": {"a": 1}, "theme": {"color": "red"},
       "themes": [{"color": "blue"}], "document": {"a": [1]}}
      """#
    static let bad = good.replacing(#""a", "b""#, with: #""a", 2"#)

    static func decode(_ text: String) throws -> Settings {
      try JSONDecoder().decode(Settings.self, from: Data(text.utf8))
    }

    var inWords: String {
      "\(names) \(limits) \(theme?.color ?? "-") \(themes.map(\.color)) \(document.count)"
    }
  }

  private static let start = CodingUserInfoKey(rawValue: "start")!
  private static let results = CodingUserInfoKey(rawValue: "results")!

  /// A model whose initializer reads settings before it fails.
  struct Item: Decodable {
    private enum CodingKeys: CodingKey { case part }

    struct Part: Decodable { let id: Int }

    let part: Part

    init(from decoder: any Decoder) throws {
      let start = decoder.userInfo[DecodeStateTests.start] as! Start
      let results = decoder.userInfo[DecodeStateTests.results] as! Locked<[String]>
      start.run {
        let reporter = ResilientDecodingErrorReporter()
        let good = try? Settings.decode(Settings.good)
        let bad = try? reporter.collectErrors { try Settings.decode(Settings.bad) }
        let digest = start == .sameThread ? nil : reporter.flushReportedErrors()
        results.withLock {
          $0 += [good?.inWords ?? "-", bad?.inWords ?? "-"]
          if start != .sameThread { $0.append("\(digest?.entries.map(\.codingPath) ?? [])") }
        }
      }
      let container = try decoder.container(keyedBy: CodingKeys.self)
      part = try container.decode(Part.self, forKey: .part)
    }
  }

  struct Model: Decodable { @Resilient var items: [Item] }

  @Test(arguments: Start.allCases, [false, true])
  func `what an initializer starts decodes as anywhere else`(
    start: Start, reportsUnknownKeys: Bool
  ) async {
    let results = Locked<[String]>([])
    // On a thread of its own, because the initializer waits for tasks.
    let paths = await withCheckedContinuation { continuation in
      Thread {
        let decoder = JSONDecoder()
        decoder.userInfo[Self.start] = start
        decoder.userInfo[Self.results] = results
        decoder.userInfo[.reportsUnknownKeys] = reportsUnknownKeys
        let json = Data(#"{"items": [{"part": {"id": 1.5}, "other": 1}]}"#.utf8)
        let digest = try? decoder.decode(
          Model.self, from: json, reportResilientDecodingErrors: true
        ).1
        continuation.resume(returning: digest?.entries.map { "\($0.codingPath)" } ?? [])
      }.start()
    }

    #expect(paths == ["items[0].part.id"] + (reportsUnknownKeys ? ["items[0].other"] : []))
    let settings = #"["a", "b"] ["a": 1] red ["blue"] 1"#
    let repaired = #"["a"] ["a": 1] red ["blue"] 1"#
    let expected = [settings, repaired] + (start == .sameThread ? [] : ["[names[1]]"])
    // Without a trace, the search for the member runs the initializer again.
    let all = results.withLock { $0 }
    #expect(all == Array(repeating: expected, count: all.count / expected.count).flatMap(\.self))
    #expect(all.count == (reportsUnknownKeys ? 1 : 2) * expected.count)
  }
}
