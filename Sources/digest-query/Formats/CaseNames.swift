extension CaseIterable where Self: RawRepresentable<String> {
  static var names: [String] { allCases.map(\.rawValue) }
}
