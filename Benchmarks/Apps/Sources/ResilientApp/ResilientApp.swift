import Foundation
import ResilientDecoding

struct Listing: Decodable {
  let id: Int
  @Resilient var kind: String?
  @Resilient var tags: [String]
  @Resilient var prices: [String: Double]
}

/// The same app with three wrapped properties and a report.
@main
enum ResilientApp {
  static func main() throws {
    let body = FileHandle.standardInput.readDataToEndOfFile()
    let (listing, digest) = try JSONDecoder().decode(
      Listing.self, from: body, reportResilientDecodingErrors: true)
    print(listing.id, listing.tags, digest?.errorCount ?? 0)
  }
}
