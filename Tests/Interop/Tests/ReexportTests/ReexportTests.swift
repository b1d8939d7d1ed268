// Nothing but the app's own module, in the language mode of Swift 5.
import AppModels
import Foundation
import Testing

private struct Account: Decodable {
  let id: Int
  @Resilient var nickname: String?
  @Resilient var tags: [String]
  @Resilient var limits: [String: Int]
  @Resilient var plan: Plan
  @ResilientLossless var balance: Double
}

struct ReexportTests {
  private let payload = Data(
    #"{"id":1,"nickname":7,"tags":["a",2],"limits":{"x":"many","y":1},"plan":"team","balance":"1.5"}"#
      .utf8)

  @Test func `a module that is handed on decodes and reports as the library does`() throws {
    let (account, digest) = try JSONDecoder().decode(
      Account.self, from: payload, reportResilientDecodingErrors: true)

    #expect(account.nickname == nil)
    #expect(account.tags == ["a"])
    #expect(account.limits == ["y": 1])
    #expect(account.plan == .free)
    #expect(account.balance == 1.5)
    #expect(account.$plan.error != nil)
    #expect(
      digest?.entries.map { "\($0.codingPath) \($0.kind)" } == [
        "nickname typeMismatch", "tags[1] typeMismatch", "limits.x typeMismatch",
        "plan unknownNovelValue", "balance converted",
      ])
  }

  @Test func `a reporter of the module that is handed on can be subclassed`() throws {
    final class Reporter: ResilientDecodingErrorReporter {}
    let reporter = Reporter()
    let decoder = JSONDecoder()
    decoder.userInfo[.resilientDecodingErrorReporter] = reporter
    _ = try decoder.decode(Account.self, from: payload)

    #expect(reporter.flushReportedErrors()?.entries.count == 5)
    #expect(reporter.flushReportedErrors() == nil)
  }
}
