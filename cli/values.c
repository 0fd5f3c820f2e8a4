#include "values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/units.h"

int value_choose(const struct value_choice *choice, const char *value, int *chosen,
		 struct fathom_error *error)
{
	struct suggestion nearest = {.wanted = value};
	struct text hint = {0};
	const char *name;
	for (int i = 0; (name = choice->name(i)); i++) {
		if (strcasecmp(name, value) == 0) {
			*chosen = i;
			text_free(&hint);
			return 0;
		}
		text_add(&hint, "%s%s", i ? ", " : "one of ", name);
		suggest_consider(&nearest, name);
	}
	if (nearest.best)
		text_add(&hint, "; did you mean '%s'?", nearest.best);
	error_set(error, FATHOM_USAGE, hint.data, "%s does not know '%s'", choice->option, value);
	text_free(&hint);
	return EINVAL;
}

#define NUMBER_HINT "'fathom help COMMAND' lists what its options accept"

/* "'12Q' is not a size" becomes "--max-size: '12Q' is not a size". */
static int name_option(const char *option, int status, struct fathom_error *error)
{
	if (status)
		error_set(error, error->status, error->hint ? error->hint : NUMBER_HINT, "%s: %s",
			  option, error->text);
	return status ? EINVAL : 0;
}

int value_size(const char *option, const char *value, uint64_t *bytes, struct fathom_error *error)
{
	return name_option(option, units_parse_size(value, bytes, error), error);
}

int value_integer(const char *option, const char *value, int64_t low, int64_t high, int64_t *number,
		  struct fathom_error *error)
{
	return name_option(option, units_parse_integer(value, low, high, number, error), error);
}

int value_duration(const char *option, const char *value, double *seconds,
		   struct fathom_error *error)
{
	return name_option(option, units_parse_duration(value, seconds, error), error);
}

int value_frequency(const char *option, const char *value, double *hz, struct fathom_error *error)
{
	return name_option(option, units_parse_frequency(value, hz, error), error);
}

int value_share(const char *option, const char *value, double *share, struct fathom_error *error)
{
	return name_option(option, units_parse_share(value, share, error), error);
}

int value_count(const char *option, const char *value, int64_t low, int64_t high, uint32_t *count,
		struct fathom_error *error)
{
	int64_t number;
	if (value_integer(option, value, low, high, &number, error))
		return EINVAL;
	*count = (uint32_t)number;
	return 0;
}

int value_each_word(const char *list, value_word *add, void *context, struct fathom_error *error)
{
	char *copy = strdup(list), *rest = copy, *word;
	int status = copy ? 0 : error_no_memory(error);
	while (!status && (word = strsep(&rest, ",")))
		status = add(context, word, error);
	free(copy);
	return status ? EINVAL : 0;
}
