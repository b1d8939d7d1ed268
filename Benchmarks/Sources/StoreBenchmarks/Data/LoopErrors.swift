import CLoops
import Foundation
import ResilientDecoding

/// The errors of incidents as C takes them.
///
/// Their texts are never freed: they are needed until the process ends.
// Sendable because nothing of it changes once it is made.
final class LoopErrors: @unchecked Sendable {
  private let errors: [[loop_error]]
  private let models: [Int64]

  init(_ incidents: [Incident]) {
    var ids: [Identity: Int64] = [:]
    var texts: [String: UnsafePointer<CChar>?] = [:]
    func text(_ text: String?) -> UnsafePointer<CChar>? {
      guard let text else { return nil }
      if let known = texts[text] { return known }
      let copy = strdup(text).map { UnsafePointer($0) }
      texts[text] = copy
      return copy
    }
    errors = incidents.map { incident in
      zip(incident.digest.entries, incident.drifts).map { entry, drift in
        let identity = Identity(model: incident.model, field: drift.field, value: drift.value)
        let id = ids[identity] ?? Int64(ids.count + 1)
        ids[identity] = id
        return loop_error(
          failure: id,
          position: Int64(drift.index),
          model: text(Shape.modelNames[incident.model]),
          coding_path: text(entry.codingPath.description),
          kind: text(entry.kind.rawValue),
          expected_type: text(entry.expectedType),
          novel_value: text(entry.novelValue?.text),
          value_type: text(entry.novelValue?.type),
          message: text(entry.message)
        )
      }
    }
    models = incidents.map { Int64($0.model + 1) }
  }

  func with<Result>(
    _ incident: Int,
    _ body: (_ errors: UnsafePointer<loop_error>, _ count: Int32, _ model: Int64) -> Result
  ) -> Result? {
    errors[incident].withUnsafeBufferPointer { errors in
      errors.baseAddress.map { body($0, Int32(errors.count), models[incident]) }
    }
  }

  private struct Identity: Hashable {
    let model: Int
    let field: Int
    let value: Int
  }
}
