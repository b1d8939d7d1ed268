/// What a worker is told when it is started.
struct WorkerOrder {
  let role: Role
  let path: String
  /// No other worker of the file has it.
  let worker: Int
  let threads: Int

  var arguments: [String] { ["worker", role.rawValue, path, "\(worker)", "\(threads)"] }
}

extension WorkerOrder {
  init?(_ arguments: [String]) {
    guard arguments.count == 4, let role = Role(rawValue: arguments[0]),
      let worker = Int(arguments[2]), let threads = Int(arguments[3])
    else { return nil }
    self.init(role: role, path: arguments[1], worker: worker, threads: threads)
  }
}
