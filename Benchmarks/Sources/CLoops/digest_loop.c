#include <stdio.h>
#include <stdlib.h>

#include "CLoops.h"
#include "database.h"
#include "folding.h"
#include "statements.h"

enum { fold_interval = 1000 };

struct digest_loop {
  sqlite3 *database;
  sqlite3_stmt *begin, *commit, *find_state, *add;
  folding *folding;
  int unfolded;
};

digest_loop *digest_loop_open(const char *path, int is_synchronous_full) {
  sqlite3 *database = open_database(path, digest_schema, is_synchronous_full);
  if (!database) return NULL;
  digest_loop *loop = calloc(1, sizeof *loop);
  loop->database = database;
  loop->begin = prepare(database, "BEGIN IMMEDIATE");
  loop->commit = prepare(database, "COMMIT");
  loop->find_state = prepare(database, find_state_sql);
  loop->add = prepare(database, add_digest_sql);
  loop->folding = folding_open(database);
  return loop;
}

static int add_digest(digest_loop *loop, int64_t recorded_at, int64_t model, int64_t release,
                      const loop_error *errors, int count) {
  char entries[512];
  int length = 0;
  for (int i = 0; i < count; i++) {
    length += snprintf(entries + length, sizeof entries - length, "%s[%lld,%lld]", i ? "," : "[",
                       (long long)errors[i].failure, (long long)errors[i].position);
    if (length >= (int)sizeof entries - 1) return SQLITE_TOOBIG;
  }
  entries[length++] = ']';
  sqlite3_step(loop->find_state);
  const int64_t last = sqlite3_column_int64(loop->find_state, 0);
  const int code = sqlite3_reset(loop->find_state);
  if (code != SQLITE_OK) return code;
  sqlite3_bind_int64(loop->add, 1, last + 1);
  sqlite3_bind_int64(loop->add, 2, recorded_at);
  sqlite3_bind_int64(loop->add, 3, model);
  sqlite3_bind_int64(loop->add, 4, release);
  sqlite3_bind_text(loop->add, 5, entries, length, SQLITE_STATIC);
  sqlite3_bind_null(loop->add, 6);
  return run(loop->add);
}

int digest_loop_flush(digest_loop *loop, int64_t recorded_at, int64_t model, int64_t release,
                      const loop_error *errors, int count) {
  int code = run(loop->begin);
  if (code != SQLITE_OK) return code;
  code = add_digest(loop, recorded_at, model, release, errors, count);
  if (code == SQLITE_OK) code = run(loop->commit);
  if (code != SQLITE_OK || ++loop->unfolded < fold_interval) return code;
  loop->unfolded = 0;
  code = run(loop->begin);
  if (code == SQLITE_OK) code = fold(loop->folding);
  return code == SQLITE_OK ? run(loop->commit) : code;
}

void digest_loop_close(digest_loop *loop) {
  folding_close(loop->folding);
  sqlite3_finalize(loop->begin);
  sqlite3_finalize(loop->commit);
  sqlite3_finalize(loop->find_state);
  sqlite3_finalize(loop->add);
  sqlite3_close_v2(loop->database);
  free(loop);
}
