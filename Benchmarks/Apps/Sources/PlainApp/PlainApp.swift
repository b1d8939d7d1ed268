import Foundation

struct Listing: Decodable {
  let id: Int
  let kind: String?
  let tags: [String]
  let prices: [String: Double]
}

/// The app without the library.
@main
enum PlainApp {
  static func main() throws {
    let body = FileHandle.standardInput.readDataToEndOfFile()
    let listing = try JSONDecoder().decode(Listing.self, from: body)
    print(listing.id, listing.tags, 0)
  }
}
