import Foundation
import ResilientDecoding

/// A format that payloads are decoded from.
enum Format {
  case json, binaryPropertyList

  func encode(_ document: Document) throws -> Data {
    switch self {
    case .json:
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys  // the same bytes in each run
      return try encoder.encode(document)
    case .binaryPropertyList:
      let encoder = PropertyListEncoder()
      encoder.outputFormat = .binary
      return try encoder.encode(document)
    }
  }

  /// Makes the work of decoding a document with a decoder that lives as long as the work.
  ///
  /// - Parameter reporter: installed in the decoder, and flushed in each run of the work.
  func decoding<Model: Decodable & Hashable>(
    _ model: Model.Type,
    from document: Document,
    reportingTo reporter: ResilientDecodingErrorReporter? = nil
  ) throws -> Comparison.Work {
    let data = try encode(document)
    let decode = decoder(of: model, reportingTo: reporter)
    return {
      let value = try decode(data)
      let digest = reporter?.flushReportedErrors()
      blackHole(digest)
      return Outcome(value: value, errorCount: digest?.errorCount ?? 0)
    }
  }

  private func decoder<Model: Decodable>(
    of model: Model.Type,
    reportingTo reporter: ResilientDecodingErrorReporter?
  ) -> (Data) throws -> Model {
    switch self {
    case .json:
      let decoder = JSONDecoder()
      decoder.userInfo[.resilientDecodingErrorReporter] = reporter
      return { try decoder.decode(model, from: $0) }
    case .binaryPropertyList:
      let decoder = PropertyListDecoder()
      decoder.userInfo[.resilientDecodingErrorReporter] = reporter
      return { try decoder.decode(model, from: $0) }
    }
  }
}
