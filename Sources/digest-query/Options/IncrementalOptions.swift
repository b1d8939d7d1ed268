import ArgumentParser

/// The beginning of an incremental export: the end of an earlier export, or a digest.
struct IncrementalOptions: ParsableArguments {
  @OptionGroup var named: NamedRunOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only digests written after this one. The command digests lists ids.", valueName: "id"))
  var after: String?

  /// The name of the exports.
  var name: String? { named.new }

  func validate() throws {
    if after?.isEmpty == true { throw ValidationError("--after is empty: give it an id") }
    if after != nil, name != nil {
      throw ValidationError("--after and --new both say where to begin: give one of them")
    }
  }
}
