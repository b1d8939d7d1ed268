#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#endif
#include <sqlite3.h>

// Swift does not see functions with variable arguments.
static inline int shim_no_checkpoint_on_close(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

static inline void shim_distrust_schema(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  // A table of another program may refer to one of ours, and must not keep rows from being deleted.
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_FKEY, 0, (int *)0);
}

#ifdef __linux__
// Takes a shared lock for an open file description on the bytes that SQLite locks while it has a database
// open (SQLite, os.h, SHARED_FIRST and SHARED_SIZE). Swift does not see F_OFD_SETLK. Returns 0 or errno.
static inline int shim_lock_descriptor(int descriptor) {
  struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 0x40000002, .l_len = 510};
  return fcntl(descriptor, 37 /* F_OFD_SETLK */, &lock) == 0 ? 0 : errno;
}
#endif

#endif
