/// The SQL that reports and exports share.
enum CountSQL {
  /// The found value of `failure AS f`: its text, or the novel value if the column has a number.
  static let foundValue = "iif(typeof(f.found_value) = 'integer', f.novel_value, f.found_value)"
}
