/* Lists of sizes: "1M,16M", ranges "1K..256M". */
#ifndef CLI_SIZES_H
#define CLI_SIZES_H

#include "options.h"

/* Ascending, each once; of a range its first size, the doublings of that, and the last.
 * Returns as values.h says. */
int sizes_set(const char *option, const char *value, struct options_sizes *sizes,
	      struct fathom_error *error);

#endif
