#include <stdlib.h>

#include "CLoops.h"
#include "database.h"

static const char *const schema =
    "CREATE TABLE occurrence (digest_id INTEGER NOT NULL, recorded_at INTEGER NOT NULL,"
    " release TEXT, model TEXT NOT NULL, coding_path TEXT NOT NULL, kind TEXT NOT NULL,"
    " expected_type TEXT, novel_value TEXT, value_type TEXT, message TEXT) STRICT";

struct flat_table {
  sqlite3 *database;
  sqlite3_stmt *begin, *commit, *add;
};

flat_table *flat_table_open(const char *path, int is_synchronous_full) {
  sqlite3 *database = open_database(path, is_synchronous_full);
  if (!database) return NULL;
  if (sqlite3_exec(database, schema, NULL, NULL, NULL) != SQLITE_OK) {
    sqlite3_close_v2(database);
    return NULL;
  }
  flat_table *table = calloc(1, sizeof *table);
  table->database = database;
  table->begin = prepare(database, "BEGIN IMMEDIATE");
  table->commit = prepare(database, "COMMIT");
  table->add =
      prepare(database, "INSERT INTO occurrence VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  return table;
}

int flat_table_begin(flat_table *table) { return run(table->begin); }

int flat_table_commit(flat_table *table) { return run(table->commit); }

int flat_table_add(flat_table *table, int64_t digest, int64_t recorded_at, const char *release,
                   const loop_error *errors, int count) {
  for (int i = 0; i < count; i++) {
    const loop_error *error = &errors[i];
    const char *texts[] = {release,
                           error->model,
                           error->coding_path,
                           error->kind,
                           error->expected_type,
                           error->novel_value,
                           error->value_type,
                           error->message};
    sqlite3_bind_int64(table->add, 1, digest);
    sqlite3_bind_int64(table->add, 2, recorded_at);
    for (int column = 0; column < 8; column++) {
      sqlite3_bind_text(table->add, column + 3, texts[column], -1, SQLITE_STATIC);
    }
    int code = run(table->add);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

void flat_table_close(flat_table *table) {
  sqlite3_finalize(table->begin);
  sqlite3_finalize(table->commit);
  sqlite3_finalize(table->add);
  sqlite3_close_v2(table->database);
  free(table);
}
