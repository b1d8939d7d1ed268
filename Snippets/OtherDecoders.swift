// A reporter for decoders whose `userInfo` cannot be set, or is not to be.

import Foundation
import ResilientDecoding

enum Theme: String, ResilientRawRepresentable { case light, dark }

struct Settings: Decodable {
  @Resilient var theme: Theme?
  @Resilient var sizes: [Int]
}

let propertyList = Data(
  """
  <plist version="1.0"><dict>
    <key>theme</key><string>sepia</string>
    <key>sizes</key><array><integer>1</integer><string>two</string></array>
  </dict></plist>
  """.utf8)

let reporter = ResilientDecodingErrorReporter()
let settings = try reporter.collectErrors {
  try PropertyListDecoder().decode(Settings.self, from: propertyList)
}
print(settings.theme as Any, settings.sizes)
for entry in reporter.flushReportedErrors()?.entries ?? [] {
  print(entry.codingPath, entry.kind, entry.foundValue?.text ?? "-")
}
