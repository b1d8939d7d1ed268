#ifndef FOLDING_H
#define FOLDING_H

#include <sqlite3.h>

/// What adds digests to the counts.
typedef struct folding folding;

folding *folding_open(sqlite3 *database);

/// Adds the digests behind the last folded one to the counts, 2,000 at most, inside a transaction.
int fold(folding *folding);
void folding_close(folding *folding);

#endif
