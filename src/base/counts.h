/* Lists of fathom_count. */
#ifndef BASE_COUNTS_H
#define BASE_COUNTS_H

#include "fathom.h"

/* What they hold, and the list. Accepts NULL. */
void counts_free(struct fathom_count *counts, size_t count);

#endif
