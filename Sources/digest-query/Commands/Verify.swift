import ArgumentParser
import DigestStore

struct Verify: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check that the store is intact and that its counts equal a recount.",
    discussion: """
      Runs SQLite's integrity_check and recounts all digests. The exit status is 1 if \
      something is wrong, and a line on stderr says what to do. Ignores tables and views that \
      other programs have added.

      Example:
        digest-query verify --store /var/lib/app/digests.sqlite
      """
  )

  @OptionGroup(title: "Store") var store: StoreOptions

  func run() throws {
    let line = ProgressLine("recounting")
    defer { line.erase() }
    let result: DigestStore.Verification
    let pushes: [String]
    do {
      let store = try store.openForReading()
      pushes = try store.interruptedPushes()
      result = try store.verify { line.show($0) }
    } catch let error as DigestStoreError where error.isAboutContents {
      line.erase()
      Note.write(error.description)
      throw ExitFailure.negative
    }
    line.erase()
    guard result.isSound else {
      for problem in result.problems { Note.write("\(store.name): \(problem)") }
      Note.write(
        "to recount, import an export of this store into a new one; keep this one too: no other "
          + "has the counts of evicted digests")
      throw ExitFailure.negative
    }
    if !pushes.isEmpty { Note.write(LossMessage.text(ofInterrupted: pushes)) }
    try StandardOutput.print(
      "ok: \(result.digests.counting("recorded digest")) with \(result.occurrences) "
        + "\(result.occurrences == 1 ? "entry" : "entries"), counts equal a recount")
  }
}
