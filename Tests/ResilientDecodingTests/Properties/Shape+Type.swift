import ResilientDecoding

extension Shape {
  /// The Swift type.
  var type: any Specimen.Type {
    switch self {
    case .integer: Int.self
    case .byte: UInt8.self
    case .double: Double.self
    case .boolean: Bool.self
    case .string: String.self
    case .raw(.kind): Kind.self
    case .raw(.mood): Mood.self
    case .raw(.side): Side.self
    case .raw(.coin): Coin.self
    case .open(.kind): Open<Kind>.self
    case .open(.side): Open<Side>.self
    case .optional(let wrapped): optionalOf(wrapped.type)
    case .array(let element): arrayOf(element.type)
    case .set(let element): setOf(element.type)
    case .dictionary(let value): dictionaryOf(value.type)
    case .numbered(let value): numberedOf(value.type)
    case .opened(let value): openedOf(value.type)
    case .resilient(let value): resilientOf(value.type)
    case .node: Node.self
    case .union: Union.self
    case .record(let shape):
      recordOf(
        shape.naming,
        shape.members[0].type, shape.members[1].type, shape.members[2].type
      )
    }
  }
}

extension RecordShape {
  fileprivate var naming: any Naming.Type { hasOddNames ? OddNames.self : UsualNames.self }
}

private func optionalOf<T: Specimen>(_ type: T.Type) -> any Specimen.Type { T?.self }
private func arrayOf<T: Specimen>(_ type: T.Type) -> any Specimen.Type { [T].self }
private func setOf<T: Specimen>(_ type: T.Type) -> any Specimen.Type { Set<T>.self }
private func dictionaryOf<T: Specimen>(_ type: T.Type) -> any Specimen.Type { [String: T].self }
private func numberedOf<T: Specimen>(_ type: T.Type) -> any Specimen.Type { [Int: T].self }
private func openedOf<T: Specimen>(_ type: T.Type) -> any Specimen.Type { [Open<Kind>: T].self }
private func resilientOf<T: Specimen>(_ type: T.Type) -> any Specimen.Type { Resilient<T>.self }

private func recordOf<Names: Naming, A: Field, B: Field, C: Field>(
  _ names: Names.Type,
  _ a: A.Type,
  _ b: B.Type,
  _ c: C.Type
) -> any Specimen.Type {
  Record<Names, A, B, C>.self
}

extension Member {
  /// The declaration.
  fileprivate var type: any Field.Type {
    switch wrapper {
    case .plain: plain(shape.type)
    case .ifPresent: ifPresent(shape.type)
    case .resilient: isStatic ? staticResilient : generic(shape.type)
    case .defaulted: defaulted(shape.type)
    case .elements: elements(shape.type)
    case .lossless: isStatic ? staticLossless : lossless(shape.type)
    case .losslessDefaulted: losslessDefaulted(shape.type)
    case .losslessElements: losslessElements(shape.type)
    }
  }

  /// The declaration of a type that the compiler knows.
  private var staticResilient: any Field.Type {
    switch shape {
    case .optional(.array(let element)): resilientOptionalArray(element.type)
    case .optional(.dictionary(let value)): resilientOptionalDictionary(value.type)
    case .optional(let wrapped): resilientOptional(wrapped.type)
    case .array(let element): resilientArray(element.type)
    case .dictionary(let value): resilientDictionary(value.type)
    case .raw(.mood): FallbackField<Mood>.self
    case .raw(.coin): FallbackField<Coin>.self
    default: generic(shape.type)
    }
  }

  private var staticLossless: any Field.Type {
    switch shape {
    case .optional(let wrapped): losslessOptional(wrapped.type)
    case .array(let element): losslessArray(element.type)
    case .dictionary(let value): losslessDictionary(value.type)
    case .string: LosslessField<String>.self
    default: lossless(shape.type)
    }
  }
}

private func plain<T: Specimen>(_ type: T.Type) -> any Field.Type { PlainField<T>.self }
private func ifPresent<T: Specimen>(_ type: T.Type) -> any Field.Type { IfPresentField<T>.self }
private func generic<T: Specimen>(_ type: T.Type) -> any Field.Type { ResilientField<T>.self }
private func defaulted<T: Specimen>(_ type: T.Type) -> any Field.Type { DefaultField<T>.self }
private func elements<T: Specimen>(_ type: T.Type) -> any Field.Type { ElementsField<T>.self }
private func lossless<T: Specimen>(_ type: T.Type) -> any Field.Type { LosslessField<T>.self }

private func losslessDefaulted<T: Specimen>(_ type: T.Type) -> any Field.Type {
  LosslessDefaultField<T>.self
}

private func losslessElements<T: Specimen>(_ type: T.Type) -> any Field.Type {
  LosslessElementsField<T>.self
}

private func resilientOptional<T: Specimen>(_ type: T.Type) -> any Field.Type {
  ResilientOptionalField<T>.self
}

private func resilientArray<T: Specimen>(_ type: T.Type) -> any Field.Type {
  ResilientArrayField<T>.self
}

private func resilientOptionalArray<T: Specimen>(_ type: T.Type) -> any Field.Type {
  ResilientOptionalArrayField<T>.self
}

private func resilientDictionary<T: Specimen>(_ type: T.Type) -> any Field.Type {
  ResilientDictionaryField<T>.self
}

private func resilientOptionalDictionary<T: Specimen>(_ type: T.Type) -> any Field.Type {
  ResilientOptionalDictionaryField<T>.self
}

private func losslessOptional<T: Specimen>(_ type: T.Type) -> any Field.Type {
  LosslessOptionalField<T>.self
}

private func losslessArray<T: Specimen>(_ type: T.Type) -> any Field.Type {
  LosslessArrayField<T>.self
}

private func losslessDictionary<T: Specimen>(_ type: T.Type) -> any Field.Type {
  LosslessDictionaryField<T>.self
}
