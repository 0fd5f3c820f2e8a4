/* Which known name was meant by one that is not known. */
#pragma once

#include <stddef.h>

/* How many letters `candidate` is away from what was `wanted`, capitals and small letters alike;
 * 0: it begins so. SIZE_MAX: more than a quarter of the letters, it was not meant. */
size_t suggest_distance(const char *wanted, const char *candidate);

/* Start with `wanted` alone; `best` is NULL as long as nothing considered is near. */
struct suggestion {
	const char *wanted;
	const char *best;
	size_t distance;
};

void suggest_consider(struct suggestion *suggestion, const char *candidate);
