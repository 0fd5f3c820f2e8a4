/* Which known name was meant by one that is not known. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

/* Start with `wanted` alone; `best` is NULL as long as nothing considered is near. */
struct suggestion {
	const char *wanted;
	const char *best;
	size_t distance;
};

void suggest_consider(struct suggestion *suggestion, const char *candidate);

#endif
