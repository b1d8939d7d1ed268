#include <stdio.h>
#include <stdlib.h>

#include "CLoops.h"
#include "database.h"

struct digest_loop {
  sqlite3 *database;
  sqlite3_stmt *begin, *commit, *find_last, *add;
};

digest_loop *digest_loop_open(const char *path, int is_synchronous_full) {
  sqlite3 *database = open_database(path, is_synchronous_full);
  if (!database) return NULL;
  digest_loop *loop = calloc(1, sizeof *loop);
  loop->database = database;
  loop->begin = prepare(database, "BEGIN IMMEDIATE");
  loop->commit = prepare(database, "COMMIT");
  // As in Sources/DigestStore/Writing/Writer.swift.
  loop->find_last = prepare(
      database, "SELECT max(ifnull((SELECT max(id) FROM digest), 0), folded) FROM store");
  loop->add = prepare(
      database,
      "INSERT INTO digest (id, recorded_at, model, context, source, number, errors)"
      " VALUES (?, ?, ?, ?, ?, ?, ?)");
  return loop;
}

/// Writes `[[failure, coding path, times, found type], …]`. The found value is the novel value, which
/// is left out.
static int write_errors(char *text, int size, const loop_error *errors, int count) {
  int length = 0;
  for (int i = 0; i < count; i++) {
    length += snprintf(text + length, size - length, "%s[%lld,\"%s\",null,\"string\"]",
                       i ? "," : "[", (long long)errors[i].failure, errors[i].coding_path);
    if (length >= size - 1) return -1;
  }
  text[length++] = ']';
  return length;
}

int digest_loop_flush(digest_loop *loop, int64_t recorded_at, int64_t model, int64_t context,
                      const loop_error *errors, int count) {
  char text[512];
  const int length = write_errors(text, sizeof text, errors, count);
  if (length < 0) return SQLITE_TOOBIG;
  int code = run(loop->begin);
  if (code != SQLITE_OK) return code;
  sqlite3_step(loop->find_last);
  const int64_t last = sqlite3_column_int64(loop->find_last, 0);
  code = sqlite3_reset(loop->find_last);
  if (code != SQLITE_OK) return code;
  sqlite3_bind_int64(loop->add, 1, last + 1);
  sqlite3_bind_int64(loop->add, 2, recorded_at);
  sqlite3_bind_int64(loop->add, 3, model);
  sqlite3_bind_int64(loop->add, 4, context);
  // 5 and 6 are null: the digest is the store's own.
  sqlite3_bind_text(loop->add, 7, text, length, SQLITE_STATIC);
  code = run(loop->add);
  return code == SQLITE_OK ? run(loop->commit) : code;
}

void digest_loop_close(digest_loop *loop) {
  sqlite3_finalize(loop->begin);
  sqlite3_finalize(loop->commit);
  sqlite3_finalize(loop->find_last);
  sqlite3_finalize(loop->add);
  sqlite3_close_v2(loop->database);
  free(loop);
}
