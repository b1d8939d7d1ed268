#ifndef CLOOPS_H
#define CLOOPS_H

#include <stdint.h>

// What the store and its peers cost at least: the same statements through the same SQLite, prepared
// once, with nothing around them. Functions return SQLite's codes, 0 when all is well.

/// One error: what a digest of the store says of it, and what a row of a flat table has.
typedef struct {
  int64_t failure;
  const char *model, *coding_path, *kind, *expected_type, *novel_value, *value_type, *message;
} loop_error;

/// A file of the store, which the store has created.
typedef struct digest_loop digest_loop;

digest_loop *digest_loop_open(const char *path, int is_synchronous_full);

/// Appends a digest in a transaction of its own.
///
/// That is all a flush writes: the store remembers the ids of models, contexts and failures, and
/// counts on another thread.
int digest_loop_flush(digest_loop *loop, int64_t recorded_at, int64_t model, int64_t context,
                      const loop_error *errors, int count);
void digest_loop_close(digest_loop *loop);

/// A file with one table, a row of ten columns for each error.
typedef struct flat_table flat_table;

flat_table *flat_table_open(const char *path, int is_synchronous_full);
int flat_table_begin(flat_table *table);
int flat_table_add(flat_table *table, int64_t digest, int64_t recorded_at, const char *release,
                   const loop_error *errors, int count);
int flat_table_commit(flat_table *table);
void flat_table_close(flat_table *table);

/// Copies the log of a file into it, as far as readers and writers let it, on a connection of its own.
int checkpoint_passively(const char *path);

/// SQLite's version, of the library that all of this runs on.
const char *sqlite_version(void);

#endif
