import Foundation
import ResilientDecoding
import ResilientDocuments

/// Decodes payloads as deep as `JSONDecoder` parses on threads with little stack, optimized.
///
/// An overflow kills the process. The tests do the same in a debug build.
struct SmallStacks {
  /// The least number of levels, by the size of the stack in kilobytes and the nesting. The smaller
  /// one comes first, because the C library gives the stack of an ended thread to the next.
  private typealias Stack = (size: Int, nesting: Int, least: Int)

  private static let stacks: [Stack] = [(128, 256, 20), (512, 512, 90)]

  private(set) var summary = ""

  init() throws {
    var counts: [String] = []
    for stack in Self.stacks {
      let arrays = try levels(ArrayTree.self, #"{"c":["#, "]}", stack)
      let objects = try levels(ObjectTree.self, #"{"c":{"a":"#, "}}", stack)
      let paths = try levels(PathTree.self, #"{"c":["#, "]}", stack)
      for count in [arrays, objects, paths] where count != 0 && count < stack.least {
        throw Finding("only \(count) levels were decoded with \(stack.size) KB of stack")
      }
      counts.append("\(arrays), \(objects) and \(paths) levels with \(stack.size) KB")
    }
    summary = counts.joined(separator: "; ")
  }

  /// Returns how many levels were decoded; 0 if the whole payload was refused.
  private func levels<T: Tree & SendableMetatype>(
    _ type: T.Type, _ start: String, _ end: String, _ stack: Stack
  ) throws -> Int {
    let count = stack.nesting / 2 - 1
    let json = String(repeating: start, count: count) + "{}" + String(repeating: end, count: count)
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var result: Result<Int, any Error> = .success(0)
    let thread = Thread {
      result = Result {
        do {
          let tree = try JSONDecoder().decode(type, from: Data(json.utf8))
          var (levels, rest) = (1, tree)
          while let child = rest.children.first { (levels, rest) = (levels + 1, child) }
          return levels
        } catch let error as DecodingPathError where error.description.contains("too deeply") {
          return 0
        }
      }
      done.signal()
    }
    thread.stackSize = stack.size << 10
    thread.start()
    done.wait()
    return try result.get()
  }
}

private protocol Tree: Decodable {
  var children: [Self] { get }
}

private struct ArrayTree: Tree {
  @Resilient var c: [ArrayTree]
  var children: [Self] { c }
}

private struct ObjectTree: Tree {
  @Resilient var c: [String: ObjectTree]
  var children: [Self] { Array(c.values) }
}

private struct PathTree: Tree {
  let children: [PathTree]

  init(from decoder: any Decoder) throws {
    let children: [PathTree]? = try decoder =>? "c"
    self.children = children ?? []
  }
}
