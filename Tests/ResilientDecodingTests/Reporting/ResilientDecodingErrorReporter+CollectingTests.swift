import Dispatch
import Foundation
import ResilientDecoding
import ResilientPlatform
import Testing

struct ResilientDecodingErrorReporterCollectingTests {
  @Test func `it needs no support from the decoder`() throws {
    let decoder = JSONDecoder()
    let reporter = ResilientDecodingErrorReporter()
    let list = try reporter.collectErrors { try decoder.decode(List.self, from: json("a")) }
    #expect(list.byName.isEmpty)
    #expect(decoder.userInfo.isEmpty)
    #expect(
      reporter.flushReportedErrors()?.reports == [
        "byName{a}: typeMismatch Int"
      ]
    )
    _ = try decoder.decode(List.self, from: json("b"))
    #expect(reporter.flushReportedErrors() == nil)
  }

  @Test func `the innermost of nested calls takes precedence`() throws {
    let decoder = JSONDecoder()
    let outer = ResilientDecodingErrorReporter()
    let inner = ResilientDecodingErrorReporter()
    try outer.collectErrors {
      _ = try decoder.decode(List.self, from: json("a"))
      try inner.collectErrors { _ = try decoder.decode(List.self, from: json("b")) }
      _ = try decoder.decode(List.self, from: json("c"))
    }
    #expect(outer.flushReportedErrors()?.paths == ["byName.a", "byName.c"])
    #expect(inner.flushReportedErrors()?.paths == ["byName.b"])
  }

  @Test func `it takes precedence over the decoder's reporter`() throws {
    let decoder = JSONDecoder()
    let installed = decoder.enableResilientDecodingErrorReporting()
    let collecting = ResilientDecodingErrorReporter()
    try collecting.collectErrors { _ = try decoder.decode(List.self, from: json("a")) }
    #expect(installed.flushReportedErrors() == nil)
    #expect(collecting.flushReportedErrors()?.paths == ["byName.a"])
    _ = try decoder.decode(List.self, from: json("b"))
    #expect(installed.flushReportedErrors()?.paths == ["byName.b"])
  }

  @Test func `it ends when decoding throws, and keeps its errors`() throws {
    let decoder = JSONDecoder()
    let outer = ResilientDecodingErrorReporter()
    let inner = ResilientDecodingErrorReporter()
    try outer.collectErrors {
      #expect(throws: Mishap.self) {
        try inner.collectErrors {
          _ = try decoder.decode(List.self, from: json("a"))
          throw Mishap(description: "later")
        }
      }
      _ = try decoder.decode(List.self, from: json("b"))
    }
    _ = try decoder.decode(List.self, from: json("c"))
    #expect(inner.flushReportedErrors()?.paths == ["byName.a", ""])
    #expect(outer.flushReportedErrors()?.paths == ["byName.b"])
  }

  @Test func `threads that share a decoder each get their own errors`() {
    let decoder = JSONDecoder()
    let wrong = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 400) { iteration in
      let reporter = ResilientDecodingErrorReporter()
      _ = try? reporter.collectErrors {
        try decoder.decode(List.self, from: json("t\(iteration)"))
      }
      let paths = reporter.flushReportedErrors()?.paths
      if paths != ["byName.t\(iteration)"] {
        wrong.withLock { $0.append("\(iteration): \(paths ?? [])") }
      }
    }
    #expect(wrong.withLock { $0 }.isEmpty)
    #expect(decoder.userInfo.isEmpty)
  }

  @Test func `calls that return digests on a shared decoder do not mix them`() {
    let decoder = JSONDecoder()
    let wrong = Locked<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 400) { iteration in
      let decoded = try? decoder.decode(
        List.self,
        from: json("t\(iteration)"),
        reportResilientDecodingErrors: true
      )
      if decoded?.1?.paths != ["byName.t\(iteration)"] {
        wrong.withLock { $0.append("\(iteration)") }
      }
    }
    #expect(wrong.withLock { $0 }.isEmpty)
    #expect(decoder.userInfo.isEmpty)
  }

  @Test func `the thrown error is reported after the recovered errors`() throws {
    let payload = Data(#"{"byName": {"a": "x"}}"#.utf8)
    let digest = digestOfThrowing {
      try JSONDecoder().decode(Strict.self, from: payload)
    }
    #expect(
      digest?.reports == [
        "byName{a}: typeMismatch Int",
        "/id: keyNotFound",
      ])
  }

  @Test func `the outermost of nested calls of one reporter reports the thrown error`() {
    let reporter = ResilientDecodingErrorReporter()
    #expect(throws: Mishap.self) {
      try reporter.collectErrors {
        try reporter.collectErrors { throw Mishap(description: "once") }
      }
    }
    #expect(reporter.flushReportedErrors()?.reports == [": other"])
  }

  @Test func `each of two enclosing reporters reports the thrown error`() {
    let (outer, inner) = (ResilientDecodingErrorReporter(), ResilientDecodingErrorReporter())
    #expect(throws: Mishap.self) {
      try outer.collectErrors { try inner.collectErrors { throw Mishap(description: "twice") } }
    }
    #expect(outer.flushReportedErrors()?.reports == [": other"])
    #expect(inner.flushReportedErrors()?.reports == [": other"])
  }

  @Test func `an enclosing call reports the error that a call with a digest throws`() {
    let payload = Data(#"{"byName": {"a": "x"}}"#.utf8)
    let digest = digestOfThrowing {
      try JSONDecoder().decode(Strict.self, from: payload, reportResilientDecodingErrors: true)
    }
    #expect(digest?.paths == ["byName.a", "id"])
  }

  @Test func `an error that is caught and ignored is not reported`() throws {
    let reporter = ResilientDecodingErrorReporter()
    let list = reporter.collectErrors { try? JSONDecoder().decode(List.self, from: Data("[".utf8)) }
    #expect(list == nil)
    #expect(reporter.flushReportedErrors() == nil)
  }

  @Test func `it works with any decoder`() throws {
    let reporter = ResilientDecodingErrorReporter()
    let array = try reporter.collectErrors {
      try Resilient<[Int]>(from: FakeDecoder([1, "x"]))
    }
    #expect(array.wrappedValue == [1])
    #expect(reporter.flushReportedErrors()?.paths == ["[1]"])
  }
}

private func json(_ key: String) -> Data {
  Data(#"{"byName": {"\#(key)": "x"}}"#.utf8)
}

private struct Strict: Decodable {
  @Resilient var byName: [String: Int]
  let id: Int
}

private struct List: Decodable {
  @Resilient var byName: [String: Int]
}
