import ResilientDecoding

/// The values and keys of a payload against the schemas of a document.
struct Judge {
  let reader: SchemaReader
  let failure: ContractFailure

  /// The model that a mapping would name: of a collection, that of its elements.
  let model: String

  /// Whether the payload is the body of a request: that of a webhook.
  let isRequest: Bool

  /// Judges a failure by the schema of its whole document.
  ///
  /// - Parameters:
  ///   - schema: the schema of the value at the beginning of `path`.
  ///   - path: the rest of the failure's path.
  func judgement(
    _ schema: Schema, at path: ArraySlice<ErrorDigest.Path.Component>
  ) -> Judgement {
    switch failure.kind {
    case .keyNotFound, .missingKey, .unknownKey:
      guard let last = path.last, let name = last.name else { break }
      return descend(from: schema, along: path.dropLast()) { key(name, of: $0) }
    default: break
    }
    return descend(from: schema, along: path, value)
  }

  /// Follows a path, and judges what is at its end.
  private func descend(
    from schema: Schema, along path: ArraySlice<ErrorDigest.Path.Component>,
    _ judge: (Schema) -> Judgement
  ) -> Judgement {
    var schema = schema
    for index in path.indices {
      switch reader.descend(from: schema, to: path[index]) {
      case .found(let next): schema = next
      case .open(let place):
        return Judgement(
          verdict: .undocumented, place: place,
          reason: "the document says nothing about \(Self.text(path[...index]))")
      case .unresolved(let place, let words): return Self.unresolved(place, words)
      case .missing(let place, let absence):
        let isLast = index == path.index(before: path.endIndex) && path[index].name != nil
        switch absence {
        case .excluded where isLast:
          return Judgement(
            verdict: .contractBroken, place: place,
            reason: "the document allows no other properties here", deadEnd: .noPath)
        case .undeclared where isLast:
          return Judgement(
            verdict: .undocumented, place: place, reason: "the document has no such property",
            deadEnd: .noPath)
        case .ofContainer, .excluded, .undeclared:
          return Judgement(
            verdict: .unmapped, place: place,
            reason: "the document has no \(path[index].container)"
              + (index == path.startIndex ? " here" : " at \(Self.text(path[..<index]))"),
            missing: MissingMapping(model: model, schema: nil), deadEnd: .noPath)
        }
      }
    }
    return judge(schema)
  }

  /// Judges a value that came.
  private func value(_ schema: Schema) -> Judgement {
    if let body = failure.found?.type, body.isOfBody {
      return Judgement(
        verdict: .undocumented, place: schema.place,
        reason: "the document describes JSON, and the body is \(body.rawValue)")
    }
    guard let value = failure.value else { return unknownValue(schema) }
    let answer = schema.answer(value)
    let isOfRequiredValue = failure.kind == .valueNotFound && value.type == .null
    var judgement = Judgement(
      verdict: verdict(answer, isOfRequiredValue: isOfRequiredValue), place: answer.place,
      reason: "the document \(answer.words)")
    if answer.rank == .unresolved { judgement.deadEnd = .unreadable }
    return judgement
  }

  private func verdict(_ answer: Answer, isOfRequiredValue: Bool) -> Verdict {
    switch answer.rank {
    case .excluded: return .contractBroken
    case .unresolved: return .unmapped
    case .open: return .undocumented
    case .listed: return isOfRequiredValue ? .modelDiffers : .appBehind
    case .typed:
      switch failure.kind {
      // Any string, or any number, is not this one.
      case .unknownNovelValue: return .undocumented
      case .dataCorrupted, .other:
        return failure.value?.type == .string ? .undocumented : .appBehind
      default: return isOfRequiredValue ? .modelDiffers : .appBehind
      }
    }
  }

  /// Judges a failure whose value is not known, by the types.
  private func unknownValue(_ schema: Schema) -> Judgement {
    guard let types = schema.types else {
      if let (place, words) = schema.unresolved { return Self.unresolved(place, words) }
      return Judgement(
        verdict: .undocumented, place: schema.place, reason: "the document allows any value here")
    }
    guard !types.isEmpty else {
      return Judgement(
        verdict: .contractBroken, place: schema.place, reason: "the document allows no value here")
    }
    let names = types.sorted().joined(separator: " or ")
    // The value has a type or, if the types agree, a form that the app does not accept.
    guard let accepted = failure.acceptedTypes,
      failure.kind == .typeMismatch || !types.isSubset(of: accepted)
    else {
      // Of a type that the app does not take, nobody knows whether the document has it.
      return Judgement(
        verdict: failure.kind == .typeMismatch ? .unmapped : .undocumented, place: schema.place,
        reason: "the document allows \(names) here, and the value that came is not known")
    }
    return types.isSubset(of: accepted)
      ? Judgement(
        verdict: .contractBroken, place: schema.place,
        reason: "the document allows only \(names) here, as the app does")
      : Judgement(
        verdict: .appBehind, place: schema.place,
        reason: "the document allows \(names) here, and the app accepts fewer types")
  }

  /// Judges a key that payloads lack, or that the app does not know.
  private func key(_ name: String, of schema: Schema) -> Judgement {
    guard schema.mayBeObject else {
      return Judgement(
        verdict: .unmapped, place: schema.place,
        reason: "the document allows no object where \(name) would be")
    }
    var rules = schema.rules(forMember: name)
    if reader.isOfOtherDirection(rules.properties, isRequest: isRequest) { rules.required = nil }
    if rules.declared == nil, rules.required == nil, rules.closed == nil,
      let (place, words) = schema.unresolved
    {
      return Self.unresolved(place, words)
    }
    switch (failure.kind, rules.declared, rules.required) {
    case (.unknownKey, let declared?, _):
      return Judgement(
        verdict: .appBehind, place: declared, reason: "the document has this property")
    case (.unknownKey, nil, _):
      return Judgement(
        verdict: rules.closed == nil ? .undocumented : .contractBroken,
        place: rules.closed ?? rules.place,
        reason: rules.closed == nil
          ? "the document has no such property" : "the document allows no other properties here",
        deadEnd: .noPath)
    case (_, _, let required?):
      return Judgement(
        verdict: .contractBroken, place: required, reason: "the document requires this key")
    case (_, let declared?, nil):
      return Judgement(
        verdict: .modelDiffers, place: declared, reason: "the document leaves this key optional")
    case (_, nil, nil):
      return Judgement(
        verdict: rules.closed == nil ? .undocumented : .modelDiffers,
        place: rules.closed ?? rules.place, reason: "the document has no such property",
        deadEnd: .noPath)
    }
  }

  private static func unresolved(_ place: SourcePlace, _ words: String) -> Judgement {
    Judgement(
      verdict: .unmapped, place: place, reason: "the document \(words)", deadEnd: .unreadable)
  }

  private static func text(_ path: ArraySlice<ErrorDigest.Path.Component>) -> String {
    ErrorDigest.Path(Array(path)).pattern
  }
}

extension ErrorDigest.Path.Component {
  /// The key of a member, if it is known.
  fileprivate var name: String? {
    switch self {
    case .key(let key), .dictionaryKey(let key): key
    case .index, .anyIndex, .anyDictionaryKey: nil
    }
  }

  /// The part that a schema needs for the component.
  fileprivate var container: String {
    switch self {
    case .key(let key), .dictionaryKey(let key): "property \(key)"
    case .index, .anyIndex: "array"
    case .anyDictionaryKey: "object"
    }
  }
}
