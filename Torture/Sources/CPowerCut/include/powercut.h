#ifndef POWERCUT_H
#define POWERCUT_H

#include <sqlite3.h>
#include <stdint.h>

/// What a database, its journal or its write-ahead log was told to do.
typedef enum __attribute__((enum_extensibility(closed))) {
  PowerCutWrite,
  PowerCutTruncate,
  PowerCutSync,
  PowerCutDelete,
} PowerCutAction;

typedef struct {
  PowerCutAction action;
  /// The number of its file, see powercut_path.
  int32_t file;
  /// Where a write begins; the length that is left by a truncation; for a sync or a deletion whether
  /// the directory was synced with it (1) or not (0).
  int64_t offset;
  /// How many bytes are written.
  int64_t length;
  /// Lives until the next start.
  const void *bytes;
} PowerCutEvent;

/// Lets every database that is opened from now on be recorded, and forgets what was recorded before.
/// No file is really synced while it is recorded. All connections of before have to be closed.
int powercut_start(void);

/// Lets databases be opened as ever.
void powercut_stop(void);

/// How many events there are so far.
int64_t powercut_count(void);

/// One of them.
PowerCutEvent powercut_event(int64_t index);

/// The path of a file; null for a number that no file has.
const char *powercut_path(int32_t file);

#endif
