#include "accuracy_range.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/units.h"

uint64_t accuracy_number(const char *text, const char *usage)
{
	int64_t value;
	if (!units_parse_integer(text, 0, INT32_MAX, &value, NULL))
		return (uint64_t)value;
	fprintf(stderr, "'%s' is not a number\n%s", text, usage);
	exit(2);
}

int accuracy_range(int argc, char **argv, const char *usage,
		   int (*judge)(uint64_t seed, uint64_t index, struct fathom_error *error))
{
	struct fathom_error error = {0};
	int status = 0;
	if (argc != 3 && argc != 4) {
		fputs(usage, stderr);
		return 2;
	}
	uint64_t seed = accuracy_number(argv[1], usage), count = accuracy_number(argv[2], usage);
	uint64_t first = argc == 4 ? accuracy_number(argv[3], usage) : 0;
	for (uint64_t i = first; !status && i < first + count; i++)
		status = judge(seed, i, &error);
	if (status)
		fprintf(stderr, "%s\n", error.text);
	fathom_error_clear(&error);
	return status ? 2 : 0;
}
