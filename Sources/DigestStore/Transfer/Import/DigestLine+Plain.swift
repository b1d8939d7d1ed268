/// A fast reader for lines as exports write them, many times faster than a decoder.
///
/// It reads only unambiguous lines. All others are left to `JSONDecoder`: lines with errors, null,
/// unknown or repeated members, surrogates, or bytes that are not UTF-8.
extension DigestLine {
  /// Reads a line; nil if a decoder has to read it.
  init?(plain line: UnsafeRawBufferPointer) {
    var cursor = JSONCursor(line)
    var id: String?
    var recordedAt: String?
    var model: String?
    var release: String?
    var environment: String?
    var operation: String?
    var errors: [ErrorObject]?
    let isPlain = cursor.members { cursor, name in
      switch name.count {
      case 2 where name == "id": return cursor.read(&id)
      case 10 where name == "recordedAt": return cursor.read(&recordedAt)
      case 5 where name == "model": return cursor.read(&model)
      case 7 where name == "release": return cursor.read(&release)
      case 11 where name == "environment": return cursor.read(&environment)
      case 9 where name == "operation": return cursor.read(&operation)
      case 6 where name == "errors":
        guard errors == nil else { return false }
        var read: [ErrorObject] = []
        let isPlain = cursor.elements { cursor in
          guard let object = ErrorObject(plain: &cursor) else { return false }
          read.append(object)
          return true
        }
        errors = read
        return isPlain
      default: return false
      }
    }
    guard isPlain, cursor.next == nil, let recordedAt, let model, let errors else { return nil }
    self.init(
      id: id, recordedAt: recordedAt, model: model, release: release, environment: environment,
      operation: operation, errors: errors)
  }
}

extension DigestLine.ErrorObject {
  fileprivate init?(plain cursor: inout JSONCursor) {
    var path: String?
    var pattern: String?
    var kind: String?
    var novelValue: String?
    var novelValueType: String?
    var expectedType: String?
    var foundType: String?
    var foundValue: String?
    var count: Int?
    let isPlain = cursor.members { cursor, name in
      switch name.count {
      case 4 where name == "path": return cursor.read(&path)
      case 4 where name == "kind": return cursor.read(&kind)
      case 5 where name == "count": return cursor.read(&count)
      case 7 where name == "pattern": return cursor.read(&pattern)
      case 9 where name == "foundType": return cursor.read(&foundType)
      case 10 where name == "novelValue": return cursor.read(&novelValue)
      case 10 where name == "foundValue": return cursor.read(&foundValue)
      case 12 where name == "expectedType": return cursor.read(&expectedType)
      case 14 where name == "novelValueType": return cursor.read(&novelValueType)
      default: return false
      }
    }
    guard isPlain, let path, let kind else { return nil }
    self.init(
      path: path, pattern: pattern, kind: kind, novelValue: novelValue,
      novelValueType: novelValueType, expectedType: expectedType, foundType: foundType,
      foundValue: foundValue, count: count.map(DigestLine.Count.init(value:)))
  }
}

extension JSONCursor {
  /// Reads the string of a member. Returns false if the member already has a value.
  fileprivate mutating func read(_ value: inout String?) -> Bool {
    guard value == nil, let text = text()?.validText else { return false }
    value = text
    return true
  }

  /// Reads the number of a member. Returns false if the member already has a value.
  fileprivate mutating func read(_ value: inout Int?) -> Bool {
    guard value == nil, let number = number().flatMap(Int.init(exactly:)) else { return false }
    value = number
    return true
  }
}

/// Whether bytes equal a name.
private func == (bytes: UnsafeRawBufferPointer, name: StaticString) -> Bool {
  bytes.elementsEqual(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
}
