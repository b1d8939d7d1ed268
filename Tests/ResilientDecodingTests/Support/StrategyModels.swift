import ResilientDecoding

/// A model with one property that has a default.
struct DefaultModel<Provider: DefaultValueProvider>: WrapperModel
where Provider.Value: Equatable & Sendable {
  @ResilientDefault<Provider> var p: Provider.Value
}

/// A model with one array whose bad elements are replaced.
struct ElementsModel<Provider: DefaultValueProvider>: WrapperModel
where Provider.Value: Equatable & Sendable {
  @ResilientElements<Provider> var p: [Provider.Value]
}

/// A model with one property that is converted.
struct LosslessModel<Value: Decodable & Equatable & Sendable>: WrapperModel {
  @ResilientLossless var p: Value
}

enum Untitled: DefaultValueProvider {
  static var defaultValue: String { "untitled" }
}

enum AlwaysHouse: DefaultValueProvider {
  static var defaultValue: Kind { .house }
}

/// Provides a default other than the type's fallback.
enum Calm: DefaultValueProvider {
  static var defaultValue: Mood { .calm }
}

enum Seven: DefaultValueProvider {
  static var defaultValue: [Int] { [7] }
}

enum Origin: DefaultValueProvider {
  static var defaultValue: Point { Point(x: 0, y: 0) }
}
