import DigestStore

extension Diagnosis.Finding: Row {
  static var columns: [String] { ["check", "value", "status", "remedy"] }

  var cells: [Cell] { [.text(check), .text(value), .text(status.rawValue), .text(remedy)] }
}
