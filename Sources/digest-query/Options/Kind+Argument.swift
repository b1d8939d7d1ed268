import ArgumentParser
import ResilientDecoding

extension ErrorDigest.Kind {
  static var names: [String] { allCases.map(\.rawValue) }

  init(argument: String) throws {
    guard let kind = Self(rawValue: argument) else {
      throw ValidationError(argument.remedy(among: Self.names))
    }
    self = kind
  }
}
