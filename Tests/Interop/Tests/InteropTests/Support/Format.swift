import Foundation
import ResilientDecoding
import XMLCoder
import Yams

/// What a payload is written in, and with it the decoder.
enum Format: String, CaseIterable, Sendable {
  case json
  case plistXML
  case plistBinary
  case yaml
  case xml

  func decode<T: Decodable>(
    _ type: T.Type,
    from document: Document,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) throws -> T {
    switch self {
    case .json:
      let decoder = JSONDecoder()
      decoder.userInfo = userInfo
      return try decoder.decode(type, from: Data(document.json.utf8))
    case .plistXML, .plistBinary:
      let decoder = PropertyListDecoder()
      decoder.userInfo = userInfo
      return try decoder.decode(type, from: document.propertyList(as: self))
    case .yaml:
      return try YAMLDecoder().decode(type, from: document.yaml, userInfo: userInfo)
    case .xml:
      let decoder = XMLDecoder()
      decoder.userInfo = userInfo
      return try decoder.decode(type, from: Data(document.xml.utf8))
    }
  }
}

extension Format {
  /// Why a missing key is not always reported to a reporter in userInfo.
  static let noDecoderNearby =
    "of a mapping without a key of the model there is no decoder, and so no userInfo"
}

/// A format, and how the reporter is found.
struct Way: Sendable, CustomStringConvertible {
  enum Reporting: String, CaseIterable, Sendable {
    case userInfo
    case collectErrors
  }

  static let all = Format.allCases.flatMap { format in
    Reporting.allCases.map { Way(format: format, reporting: $0) }
  }

  let format: Format
  let reporting: Reporting

  var description: String { "\(format), \(reporting)" }

  /// Decodes a document and, whatever comes of it, gives what was reported.
  func decode<T: Decodable>(
    _ type: T.Type,
    from document: Document,
    userInfo: [CodingUserInfoKey: any Sendable] = [:]
  ) -> (result: Result<T, any Error>, entries: [ErrorDigest.Entry]) {
    let reporter = ResilientDecodingErrorReporter()
    let result = Result {
      switch reporting {
      case .userInfo:
        try format.decode(
          type,
          from: document,
          userInfo: userInfo.merging([.resilientDecodingErrorReporter: reporter]) { $1 }
        )
      case .collectErrors:
        try reporter.collectErrors { try format.decode(type, from: document, userInfo: userInfo) }
      }
    }
    return (result, reporter.flushReportedErrors()?.entries ?? [])
  }
}
