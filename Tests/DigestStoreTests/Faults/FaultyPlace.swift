import Foundation
import ResilientDecoding
import Testing

@testable import DigestStore

/// A folder in which things happen to the files of a store.
final class FaultyPlace: Sendable {
  let folder: TemporaryFolder
  let path: String

  /// What stores opened here told of failed writes.
  let failures = FailureLog()

  init(in folder: TemporaryFolder? = nil) throws {
    self.folder = try folder ?? TemporaryFolder()
    path = self.folder.url.appending(path: "digests.sqlite").path
  }

  func open() throws -> DigestStore {
    let failures = failures
    return try DigestStore(
      path: path,
      configuration: DigestStore.Configuration(onWriteFailure: { failures.append($0) }))
  }

  /// A store that was written and closed.
  func makeStore(digests: Int = 150) throws {
    let store = try open()
    for _ in 0..<digests { try store.see("villa") }
    try store.close()
  }

  /// Checks that digests are kept and counted, once whoever looks has looked.
  func expect(
    _ store: DigestStore,
    toWorkAfter fault: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try store.see("castle", times: 20)
    store.lookThrough()
    let value = "yurt-\(UInt32.random(in: 0 ..< .max))"
    try store.see(value, times: 5)
    store.flush()
    let reader = Result { try DigestReader(path: path) }
    let counted = [Result { try store.count(value) }, Result { try reader.get().count(value) }]
    let told = failures.all.last.map { "\($0.error)" } ?? "no failure"
    #expect(
      counted.map { try? $0.get() } == [5, 5], "\(fault): \(counted), \(told)",
      sourceLocation: sourceLocation)
  }

  /// The names of the files, as of ``Foundation/URL/storeFiles()``.
  func names() throws -> [String] { try folder.url.storeFiles() }

  /// The files that were set aside, and not what SQLite keeps beside them.
  func broken() throws -> [URL] {
    try names()
      .filter { $0.contains(".broken-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
      .map { folder.url.appending(path: $0) }
  }

  func bytes(_ suffix: String = "") throws -> Data {
    try Data(contentsOf: URL(filePath: path + suffix))
  }

  /// Finds a text in the file. SQLite leaves earlier copies of its schema in unused bytes.
  func lastRange(of text: String) throws -> Range<Data.Index>? {
    try bytes().range(of: Data(text.utf8), options: .backwards)
  }

  /// Puts bytes into a file as it is, as another program with the file open would.
  func overwrite(_ data: Data, at offset: UInt64, of suffix: String = "") throws {
    let file = try FileHandle(forUpdating: URL(filePath: path + suffix))
    defer { try? file.close() }  // Nothing is buffered that could be lost.
    try file.seek(toOffset: offset)
    try file.write(contentsOf: data)
  }

  /// Changes a byte: not one of what makes the file ours, nor of what makes it a newer one (SQLite,
  /// "Database File Format", section 1.3: user version and application id).
  ///
  /// - Returns: what was done.
  func flipByte(
    below size: Int, of suffix: String = "", using random: inout SeededGenerator
  ) throws -> String {
    var offset = Int.random(in: 0..<size, using: &random)
    if suffix.isEmpty, 60..<72 ~= offset { offset += 12 }
    let flip = UInt8.random(in: 1...255, using: &random)
    try overwrite(Data([bytes(suffix)[offset] ^ flip]), at: UInt64(offset), of: suffix)
    return "byte \(offset)\(suffix) ^ \(flip)"
  }

  func truncate(to size: UInt64, _ suffix: String = "") throws {
    let file = try FileHandle(forUpdating: URL(filePath: path + suffix))
    defer { try? file.close() }  // Nothing is buffered that could be lost.
    try file.truncate(atOffset: size)
  }
}

/// Damage to the files of a place.
struct Damage: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let apply: @Sendable (FaultyPlace) throws -> Void

  init(_ description: String, _ apply: @escaping @Sendable (FaultyPlace) throws -> Void) {
    (testDescription, self.apply) = (description, apply)
  }
}

extension DigestStore {
  /// Meets a novel value in a decode, which goes on as if the store were sound.
  func see(_ value: String, times: Int = 1) throws {
    let payload = Data(#"{"id": 1, "kind": "\#(value)", "items": []}"#.utf8)
    for _ in 0..<times {
      try decodeListing(payload)
    }
  }
}

extension DigestReader {
  /// How often a value was met.
  func count(_ value: String) throws -> Int {
    try novelValues().filter { $0.novelValue == value }.reduce(0) { $0 + $1.occurrences }
  }

  /// Looks at all of the file, which may be the first to find that it is broken.
  func lookThrough() {
    // Whatever the answer is: it is only asked for what follows.
    _ = try? novelValues()
    _ = try? failures()
    _ = try? exportOccurrences { _ in }
    _ = try? verify()
  }
}
