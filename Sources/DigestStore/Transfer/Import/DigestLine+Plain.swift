/// A fast reader for lines as exports write them, many times faster than a decoder.
///
/// It reads only unambiguous lines. All others are left to `JSONDecoder`: lines with errors, null,
/// unknown or repeated members, surrogates, or bytes that are not UTF-8.
extension DigestLine {
  /// Reads a line; nil if a decoder has to read it.
  init?(plain line: UnsafeRawBufferPointer) {
    var scanner = PlainJSON(line)
    var id: String?
    var recordedAt: String?
    var model: String?
    var release: String?
    var failures: [Failure]?
    let isPlain = scanner.members { scanner, name in
      switch name.count {
      case 2 where name == "id": return scanner.string(into: &id)
      case 10 where name == "recordedAt": return scanner.string(into: &recordedAt)
      case 5 where name == "model": return scanner.string(into: &model)
      case 7 where name == "release": return scanner.string(into: &release)
      case 8 where name == "failures":
        guard failures == nil else { return false }
        var read: [Failure] = []
        let isPlain = scanner.elements { scanner in
          guard let failure = Failure(plain: &scanner) else { return false }
          read.append(failure)
          return true
        }
        failures = read
        return isPlain
      default: return false
      }
    }
    guard isPlain, scanner.isAtEnd, let recordedAt, let model, let failures else { return nil }
    self.init(id: id, recordedAt: recordedAt, model: model, release: release, failures: failures)
  }
}

extension DigestLine.Failure {
  fileprivate init?(plain scanner: inout PlainJSON) {
    var path: String?
    var pattern: String?
    var kind: String?
    var novelValue: String?
    var novelValueType: String?
    var expectedType: String?
    var message: String?
    var foundType: String?
    var foundValue: String?
    var count: Int?
    let isPlain = scanner.members { scanner, name in
      switch name.count {
      case 4 where name == "path": return scanner.string(into: &path)
      case 4 where name == "kind": return scanner.string(into: &kind)
      case 5 where name == "count": return scanner.count(into: &count)
      case 7 where name == "message": return scanner.string(into: &message)
      case 7 where name == "pattern": return scanner.string(into: &pattern)
      case 9 where name == "foundType": return scanner.string(into: &foundType)
      case 10 where name == "novelValue": return scanner.string(into: &novelValue)
      case 10 where name == "foundValue": return scanner.string(into: &foundValue)
      case 12 where name == "expectedType": return scanner.string(into: &expectedType)
      case 14 where name == "novelValueType": return scanner.string(into: &novelValueType)
      default: return false
      }
    }
    guard isPlain, let path, let kind else { return nil }
    self.init(
      path: path, pattern: pattern, kind: kind, novelValue: novelValue,
      novelValueType: novelValueType, expectedType: expectedType, message: message,
      foundType: foundType, foundValue: foundValue, count: count.map(DigestLine.Count.init(value:)))
  }
}
