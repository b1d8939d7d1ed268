import APIContract
import DigestStore
import ResilientPlatform

extension Spec {
  /// Writes the changes of the document that would allow what came, if there are any.
  func write(_ rows: [JudgedFailure], to path: String, _ contract: APIContract) throws {
    var changes: [Amendment: DocumentChange] = [:]
    for row in rows { row.add(to: &changes) }
    let others = rows.filter {
      $0.judgement.verdict == .contractBroken && $0.judgement.amendments.isEmpty
    }
    if others.failures > 0 {
      Note.write(
        "not in \(path): \(others.failures.counting("contract-broken failure")) that adding a "
          + "value or null would not fix")
    }
    let sorted = changes.sorted { $0.value.order < $1.value.order }
    let (actions, leftOut) = contract.actions(for: sorted.map { ($0.key, $0.value.description) })
    if leftOut > 0 {
      Note.write(
        "\(leftOut.counting("change")) left out of \(path): an overlay cannot make "
          + "\(leftOut == 1 ? "it" : "them"), or it is of another file than \(document)")
    }
    guard !actions.isEmpty else {
      return Note.write("found nothing to add to \(document), so \(path) was not written")
    }
    let isBeside =
      URL(filePath: path).deletingLastPathComponent()
      == URL(filePath: document).deletingLastPathComponent()
    let text = try Overlay(
      actions, title: "What the backend sends and the document lacks",
      extending: isBeside ? URL(filePath: document).lastPathComponent.uriEncoded : nil
    ).json
    let file = try OutputFile(path)
    do {
      try StandardOutput.write(text)
      try file.appear()
      Note.write("\(path) has \(actions.count.counting("change")) to review")
    } catch {
      file.discard()
      throw error
    }
  }
}
