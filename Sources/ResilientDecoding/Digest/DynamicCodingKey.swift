/// A coding key that is data, such as an id, and not the name of a property.
///
/// Patterns contain `*` instead of the key, as for the keys of a dictionary, so that errors in all
/// objects under such keys are one failure. Conform the key type with which an `init(from:)` reads
/// an object over `allKeys`:
///
///     struct PageID: DynamicCodingKey {
///       let stringValue: String
///       var intValue: Int? { nil }
///       init(stringValue: String) { self.stringValue = stringValue }
///       init?(intValue: Int) { nil }
///     }
///
/// A property of type `[String: Page]` needs no such key.
public protocol DynamicCodingKey: CodingKey {}
