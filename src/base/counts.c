#include "base/counts.h"

#include <stdlib.h>

void counts_free(struct fathom_count *counts, size_t count)
{
	for (size_t i = 0; counts && i < count; i++) {
		free(counts[i].event);
		free(counts[i].reason);
		free(counts[i].hint);
	}
	free(counts);
}
