// A module of an app that hands the library on: whoever imports it has the wrappers.
@_exported public import ResilientDecoding

public enum Plan: String, ResilientRawRepresentable, Sendable {
  case free, pro

  public static var decodingFallback: Plan { .free }
}
