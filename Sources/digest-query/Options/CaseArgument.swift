import ArgumentParser

extension CaseIterable where Self: RawRepresentable<String> {
  /// The case of a name that was typed.
  init(argument: String) throws {
    guard let value = Self(rawValue: argument) else {
      throw ValidationError(argument.remedy(among: Self.names))
    }
    self = value
  }
}
