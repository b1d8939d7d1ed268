#include "database.h"

#include <stddef.h>

#include "CLoops.h"

sqlite3 *open_database(const char *path, int is_synchronous_full) {
  sqlite3 *database = NULL;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  int code = sqlite3_open_v2(path, &database, flags, NULL);
  if (code == SQLITE_OK) {
    sqlite3_busy_timeout(database, 5000);
    code = sqlite3_exec(database, "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL",
                        NULL, NULL, NULL);
  }
  if (code == SQLITE_OK) {
    const char *sql =
        is_synchronous_full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL";
    code = sqlite3_exec(database, sql, NULL, NULL, NULL);
  }
  if (code == SQLITE_OK) return database;
  sqlite3_close_v2(database);
  return NULL;
}

sqlite3_stmt *prepare(sqlite3 *database, const char *sql) {
  sqlite3_stmt *statement = NULL;
  sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
  return statement;
}

int run(sqlite3_stmt *statement) {
  sqlite3_step(statement);
  return sqlite3_reset(statement);
}

int checkpoint_passively(const char *path) {
  sqlite3 *database = NULL;
  int code = sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL);
  if (code == SQLITE_OK) {
    code = sqlite3_wal_checkpoint_v2(database, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
  }
  sqlite3_close_v2(database);
  return code;
}

const char *sqlite_version(void) { return sqlite3_libversion(); }
