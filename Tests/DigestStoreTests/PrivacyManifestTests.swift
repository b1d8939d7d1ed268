import Foundation
import ResilientDecoding
import ResilientDocuments
import Testing

/// The file that Apple's store reads.
struct PrivacyManifestTests {
  @Test func `it names the API that reads times of files, and no tracking`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources/DigestStore/PrivacyInfo.xcprivacy")
    let manifest = try PropertyListDecoder().decode(
      DecodableDocument.self, from: Data(contentsOf: file))
    let isTracking: Bool = try manifest => "NSPrivacyTracking"
    #expect(!isTracking)
    for key in ["NSPrivacyTrackingDomains", "NSPrivacyCollectedDataTypes"] as [DecodingPath] {
      let texts: [String] = try manifest => key
      #expect(texts == [])
    }
    let uses: [Use] = try manifest => "NSPrivacyAccessedAPITypes"
    #expect(uses.map(\.category) == ["NSPrivacyAccessedAPICategoryFileTimestamp"])
    #expect(uses.flatMap(\.reasons) == ["C617.1", "3B52.1"])
  }

  private struct Use: Decodable {
    enum CodingKeys: String, CodingKey {
      case category = "NSPrivacyAccessedAPIType"
      case reasons = "NSPrivacyAccessedAPITypeReasons"
    }

    let category: String
    let reasons: [String]
  }
}
