#if Server
  /// What `show` says of one failure, as a page.
  struct FailurePage {
    static let policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"

    let text: String

    init(_ key: String, _ answer: ReportProcesses.Answer) {
      func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
          .replacing("\"", with: "&quot;")
      }
      let notes = answer.notes.map { "<p>\(escaped($0))</p>\n" }.joined()
      text = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(escaped(key))</title>
        </head>
        <body>
        <p><a href="/">All failures</a></p>
        <pre>\(escaped(String(decoding: answer.output, as: UTF8.self)))</pre>
        \(notes)</body>
        </html>

        """
    }
  }
#endif
