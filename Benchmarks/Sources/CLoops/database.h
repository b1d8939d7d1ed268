#ifndef DATABASE_H
#define DATABASE_H

#include <sqlite3.h>

/// Opens a file with the settings of a store, or creates it; NULL when that fails.
sqlite3 *open_database(const char *path, int is_synchronous_full);

/// Prepares a statement that is used for long.
sqlite3_stmt *prepare(sqlite3 *database, const char *sql);

/// Runs a statement that returns no row, and makes it ready for the next time.
int run(sqlite3_stmt *statement);

#endif
