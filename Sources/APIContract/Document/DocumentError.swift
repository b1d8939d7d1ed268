/// A document that cannot be read, in one line.
package struct DocumentError: Error, CustomStringConvertible, Sendable {
  package enum Reason: Sendable {
    case missingFile
    case unreadableFile
    case invalid
  }

  package let reason: Reason
  package let description: String

  init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }
}
