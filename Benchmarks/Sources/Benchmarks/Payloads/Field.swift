/// What a property has in the payload, in an item by its index.
struct Field: Sendable {
  /// What it has when nothing is wrong.
  let clean: @Sendable (Int) -> Document

  /// The same with one fault.
  let damaged: @Sendable (Int) -> Document

  /// What has to be left of `damaged`, for a plain model to decode.
  let remains: @Sendable (Int) -> Document
}
