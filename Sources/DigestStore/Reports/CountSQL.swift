/// The SQL that reports and exports share.
enum CountSQL {
  /// The value of what was found for `failure AS f`: text, or where it is a number the novel value.
  static let foundValue = "iif(typeof(f.found_value) = 'integer', f.novel_value, f.found_value)"
}
