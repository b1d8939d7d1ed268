import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

struct ResilientDecodingErrorReporterAsyncTests {
  @Test func `it stays in charge across await`() async throws {
    let reporter = ResilientDecodingErrorReporter()
    let value = try await reporter.collectErrors {
      let first = try decode("a")
      await Task.yield()
      return try first + decode("b")
    }
    #expect(value == 0)
    #expect(reporter.flushReportedErrors()?.paths == ["p.a", "p.b"])
    _ = try decode("c")
    #expect(reporter.flushReportedErrors() == nil)
  }

  @Test func `child tasks report to it, and other tasks do not`() async throws {
    let reporter = ResilientDecodingErrorReporter()
    let isDone = AsyncStream.makeStream(of: Void.self)
    // Begins before the reporter is in charge and decodes meanwhile.
    let other = Task {
      for await _ in isDone.stream { break }
      return try decode("other")
    }
    try await reporter.collectErrors {
      async let left = decode("left")
      async let right = decode("right")
      isDone.continuation.yield()
      _ = try await (left, right, other.value)
      try await withThrowingTaskGroup(of: Int.self) { group in
        for index in 0..<50 { group.addTask { try decode("g\(index)") } }
        try await group.waitForAll()
      }
      _ = try await Task.detached { try decode("detached") }.value
    }
    let expected = ["p.left", "p.right"] + (0..<50).map { "p.g\($0)" }
    #expect(Set(reporter.flushReportedErrors()?.paths ?? []) == Set(expected))
  }

  @Test func `concurrent calls each get their own errors`() async throws {
    try await withThrowingTaskGroup(of: (Int, [String]?).self) { group in
      for index in 0..<200 {
        group.addTask {
          let reporter = ResilientDecodingErrorReporter()
          try await reporter.collectErrors {
            _ = try decode("a\(index)")
            await Task.yield()
            _ = try decode("b\(index)")
          }
          return (index, reporter.flushReportedErrors()?.paths)
        }
      }
      for try await (index, paths) in group { #expect(paths == ["p.a\(index)", "p.b\(index)"]) }
    }
  }

  @Test func `a thrown error is reported, and a cancellation is not`() async {
    let reporter = ResilientDecodingErrorReporter()
    await #expect(throws: Mishap.self) {
      try await reporter.collectErrors {
        _ = try decode("a")
        await Task.yield()
        throw Mishap(description: "later")
      }
    }
    #expect(reporter.flushReportedErrors()?.paths == ["p.a", ""])
    let task = Task {
      try await reporter.collectErrors {
        _ = try decode("a")
        while !Task.isCancelled { await Task.yield() }
        try Task.checkCancellation()
      }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(reporter.flushReportedErrors()?.paths == ["p.a"])
    #expect(throws: CancellationError.self) {
      try reporter.collectErrors { throw CancellationError() }
    }
    #expect(reporter.flushReportedErrors() == nil)
  }

  @Test func `a nested call takes precedence`() async throws {
    let outer = ResilientDecodingErrorReporter()
    let inner = ResilientDecodingErrorReporter()
    try await outer.collectErrors {
      _ = try decode("a")
      try await inner.collectErrors {
        await Task.yield()
        _ = try decode("b")
      }
      _ = try decode("c")
    }
    #expect(outer.flushReportedErrors()?.paths == ["p.a", "p.c"])
    #expect(inner.flushReportedErrors()?.paths == ["p.b"])
  }

  @Test func `it runs on the caller's actor`() async throws {
    let runner = Runner()
    #expect(try await runner.run(ResilientDecodingErrorReporter()) == 1)
  }
}

private actor Runner {
  private var count = 0

  func run(_ reporter: ResilientDecodingErrorReporter) async throws -> Int {
    try await reporter.collectErrors {
      count += 1
      await Task.yield()
      _ = try decode("a")
    }
    return count
  }
}

@Sendable private func decode(_ key: String) throws -> Int {
  let data = Data(#"{"p": {"\#(key)": "x"}}"#.utf8)
  return try JSONDecoder().decode(Model.self, from: data).p.count
}

private struct Model: Decodable {
  @Resilient var p: [String: Int]
}
