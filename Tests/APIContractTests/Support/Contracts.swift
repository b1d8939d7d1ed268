import Foundation
import ResilientDecoding

@testable import APIContract

/// A contract, whose files are deleted with it.
final class TestContract {
  let contract: APIContract
  private let folder: URL

  /// A document, and the files beside it.
  convenience init(
    _ text: String, name: String = "openapi.json", files: [String: String] = [:],
    map: [String: String] = [:]
  ) throws {
    try self.init(
      data: Data(text.utf8), name: name, files: files.mapValues { Data($0.utf8) }, map: map)
  }

  /// A document in any encoding, and the files beside it.
  init(
    data: Data, name: String = "openapi.json", files: [String: Data] = [:],
    map: [String: String] = [:]
  ) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    var files = files
    files[name] = data
    do {
      for (name, data) in files {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
      }
      contract = try APIContract(path: folder.appending(path: name).path, map: map)
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
  }

  /// A document with some schemas, as JSON: `"Listing": {…}`.
  convenience init(
    schemas: String, version: String = "3.1.0", files: [String: String] = [:],
    map: [String: String] = [:]
  ) throws {
    try self.init(
      #"{"openapi": "\#(version)", "components": {"schemas": {\#(schemas)}}}"#, files: files,
      map: map)
  }

  /// A document whose schema Listing has a property `p`.
  convenience init(property schema: String) throws {
    try self.init(schemas: #""Listing": {"properties": {"p": \#(schema)}}"#)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func judgement(of failure: ContractFailure) -> Judgement { contract.judgement(of: failure) }

  /// The first letters of the verdicts, x for unmapped.
  func verdicts(on failures: [ContractFailure]) -> String {
    failures.map { failure in
      let verdict = judgement(of: failure).verdict
      return verdict == .unmapped ? "x" : String(verdict.rawValue.prefix(1))
    }.joined()
  }
}

/// A reference to a schema of the document.
func reference(_ name: some CustomStringConvertible) -> String {
  ##"{"$ref": "#/components/schemas/\##(name)"}"##
}

extension ContractFailure {
  static func make(
    _ model: String = "App.Listing", operation: String? = nil, kind: ErrorDigest.Kind,
    at path: String = "p", expected: String? = nil, novel: String? = nil,
    novelType: String? = nil, found: ErrorDigest.FoundValue? = nil
  ) -> Self {
    Self(
      model: model, operation: operation, path: ErrorDigest.Path(path) ?? ErrorDigest.Path(),
      kind: kind, expectedType: expected, novelValue: novel, valueType: novelType, found: found)
  }

  static func novel(_ value: String, at path: String = "p") -> Self {
    make(kind: .unknownNovelValue, at: path, novel: value, novelType: "String")
  }

  static func found(
    _ type: ErrorDigest.FoundValue.ValueType, _ text: String? = nil,
    kind: ErrorDigest.Kind = .typeMismatch, at path: String = "p", expected: String? = nil
  ) -> Self {
    make(
      kind: kind, at: path, expected: expected,
      found: ErrorDigest.FoundValue(type: type, text: text))
  }
}

extension Judgement {
  /// The verdict, the pointer below `/components/schemas/Listing`, and the reason.
  var line: String {
    let pointer = (place?.text ?? "-").replacing("/components/schemas/Listing", with: "")
    return "\(verdict.rawValue) \(pointer) \(reason)"
  }
}
