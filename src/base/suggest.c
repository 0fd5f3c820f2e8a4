#include "base/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static size_t smallest(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;
	return least < c ? least : c;
}

/* Levenshtein's, capitals and small letters alike; SIZE_MAX: out of memory. */
static size_t edit_distance(const char *from, const char *to)
{
	size_t width = strlen(to);
	size_t *row = calloc(width + 1, sizeof(*row));
	if (!row)
		return SIZE_MAX;
	for (size_t j = 0; j <= width; j++)
		row[j] = j;
	for (size_t i = 0; from[i]; i++) {
		size_t diagonal = row[0];
		row[0] = i + 1;
		for (size_t j = 0; j < width; j++) {
			bool same =
				tolower((unsigned char)from[i]) == tolower((unsigned char)to[j]);
			size_t cost = smallest(diagonal + !same, row[j] + 1, row[j + 1] + 1);
			diagonal = row[j + 1];
			row[j + 1] = cost;
		}
	}
	size_t distance = row[width];
	free(row);
	return distance;
}

size_t suggest_distance(const char *wanted, const char *candidate)
{
	/* A quarter of the letters wrong, or a beginning, is still near. */
	size_t length = strlen(wanted);
	size_t farthest = length < 3 ? 0 : 1 + length / 4;
	if (length > 0 && strncasecmp(wanted, candidate, length) == 0)
		return 0;
	size_t distance = edit_distance(wanted, candidate);
	return distance > farthest ? SIZE_MAX : distance;
}

void suggest_consider(struct suggestion *suggestion, const char *candidate)
{
	size_t distance = suggest_distance(suggestion->wanted, candidate);
	if (distance == SIZE_MAX || (suggestion->best && distance >= suggestion->distance))
		return;
	suggestion->best = candidate;
	suggestion->distance = distance;
}
