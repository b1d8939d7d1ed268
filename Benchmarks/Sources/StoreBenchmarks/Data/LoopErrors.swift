import CLoops
import Foundation
import ResilientDecoding

/// The errors of decodes as C structs.
///
/// Their texts are never freed, because they are needed until the process ends.
// Sendable: immutable after its initialization.
final class LoopErrors: @unchecked Sendable {
  private let errors: [[loop_error]]
  private let models: [Int64]

  init(_ decodes: [FailedDecode]) {
    var ids: [Identity: Int64] = [:]
    var texts: [String: UnsafePointer<CChar>?] = [:]
    func text(_ text: String?) -> UnsafePointer<CChar>? {
      guard let text else { return nil }
      if let known = texts[text] { return known }
      let copy = strdup(text).map { UnsafePointer($0) }
      texts[text] = copy
      return copy
    }
    errors = decodes.map { decode in
      zip(decode.digest.entries, decode.drifts).map { entry, drift in
        let identity = Identity(model: decode.model, field: drift.field, value: drift.value)
        let id = ids[identity] ?? Int64(ids.count + 1)
        ids[identity] = id
        return loop_error(
          failure: id,
          model: text(Shape.modelNames[decode.model]),
          coding_path: text(entry.codingPath.description),
          kind: text(entry.kind.rawValue),
          expected_type: text(entry.expectedType),
          novel_value: text(entry.novelValue?.text),
          value_type: text(entry.novelValue?.type),
          message: text(entry.message)
        )
      }
    }
    models = decodes.map { Int64($0.model + 1) }
  }

  func with<Result>(
    _ decode: Int,
    _ body: (_ errors: UnsafePointer<loop_error>, _ count: Int32, _ model: Int64) -> Result
  ) -> Result? {
    errors[decode].withUnsafeBufferPointer { errors in
      errors.baseAddress.map { body($0, Int32(errors.count), models[decode]) }
    }
  }

  private struct Identity: Hashable {
    let model: Int
    let field: Int
    let value: Int
  }
}
