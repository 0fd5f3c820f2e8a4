#include "sizes.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "options.h"
#include "values.h"

static int too_many(const struct option_row *row, struct fathom_error *error)
{
	return error_set(error, FATHOM_USAGE, "split it into several runs",
			 "--%s: more than %d sizes", row->name, OPTIONS_MOST_SIZES);
}

/* The first size of a range and its doublings, and the last. */
static int add_range(const struct option_row *row, uint64_t low, uint64_t high,
		     struct options_sizes *sizes, struct fathom_error *error)
{
	if (high < low)
		return error_set(error, FATHOM_USAGE,
				 "the smaller size comes first, as in 1K..256M",
				 "--%s: the range is reversed", row->name);
	for (uint64_t bytes = low; sizes->count < OPTIONS_MOST_SIZES; bytes *= 2) {
		bool last = bytes >= high || bytes > UINT64_MAX / 2;
		sizes->bytes[sizes->count++] = last ? high : bytes;
		if (last)
			return 0;
	}
	return too_many(row, error);
}

static int add_item(const struct option_row *row, const char *item, void *at,
		    struct fathom_error *error)
{
	struct options_sizes *sizes = at;
	uint64_t low, high;
	char *dots = strstr(item, "..");
	if (dots)
		*dots = 0;
	if (value_size(row, item, &low, error) || (dots && value_size(row, dots + 2, &high, error)))
		return -1;
	if (sizes->count == OPTIONS_MOST_SIZES)
		return too_many(row, error);
	if (dots)
		return add_range(row, low, high, sizes, error);
	sizes->bytes[sizes->count++] = low;
	return 0;
}

static int compare_sizes(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* In ascending order, each once. */
static void sort_sizes(struct options_sizes *sizes)
{
	size_t count = 0;
	qsort(sizes->bytes, sizes->count, sizeof(*sizes->bytes), compare_sizes);
	for (size_t i = 0; i < sizes->count; i++)
		if (count == 0 || sizes->bytes[count - 1] != sizes->bytes[i])
			sizes->bytes[count++] = sizes->bytes[i];
	sizes->count = count;
}

int value_sizes(const struct option_row *row, const char *value, void *at,
		struct fathom_error *error)
{
	struct options_sizes *sizes = at;
	sizes->count = 0;
	if (value_each_word(row, value, add_item, sizes, error))
		return -1;
	sort_sizes(sizes);
	return 0;
}
