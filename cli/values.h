/* The values of options, read. All return 0, or EINVAL with the error set: what a parser of argp
 * returns. Errors: USAGE. */
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include "fathom.h"

/* `name` gives the possible values, then NULL; the hint of the error names them. */
struct value_choice {
	const char *option; /* "--page" */
	const char *(*name)(int value);
};
int value_choose(const struct value_choice *choice, const char *value, int *chosen,
		 struct fathom_error *error);

/* The parsers of base/units.h, with the option's name before what they say. */
int value_size(const char *option, const char *value, uint64_t *bytes, struct fathom_error *error);
int value_integer(const char *option, const char *value, int64_t low, int64_t high, int64_t *number,
		  struct fathom_error *error);
/* The same; `high` is UINT32_MAX at most. */
int value_count(const char *option, const char *value, int64_t low, int64_t high, uint32_t *count,
		struct fathom_error *error);
int value_duration(const char *option, const char *value, double *seconds,
		   struct fathom_error *error);
int value_frequency(const char *option, const char *value, double *hz, struct fathom_error *error);
int value_share(const char *option, const char *value, double *share, struct fathom_error *error);

/* Each word of "a,b,c", until one is refused; `word` may be changed. */
typedef int value_word(void *context, char *word, struct fathom_error *error);
int value_each_word(const char *list, value_word *add, void *context, struct fathom_error *error);

#endif
