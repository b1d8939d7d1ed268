import ArgumentParser

/// The schema of a model.
struct SchemaMapping {
  let model: String
  let schema: String

  /// Reads `App.Listing=Listing`; nil if it has another form.
  init?(_ text: some StringProtocol) {
    // A name of a schema can have an equals sign, that of a model cannot.
    guard let equals = text.firstIndex(of: "=") else { return nil }
    model = text[..<equals].trimmingWhitespace
    schema = text[text.index(after: equals)...].trimmingWhitespace
    guard !model.isEmpty, !schema.isEmpty else { return nil }
  }

  init(argument: String) throws {
    guard let mapping = Self(argument) else {
      throw ValidationError("write --map MODEL=SCHEMA, such as App.Listing=Listing")
    }
    self = mapping
  }
}

extension StringProtocol {
  /// The text without spaces at its ends.
  var trimmingWhitespace: String {
    let start = drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
  }
}
