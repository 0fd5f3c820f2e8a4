#include "values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/names.h"
#include "base/text.h"
#include "base/units.h"

/* ---- without a value, or as it stands ---- */

int value_on(const struct option_row *row, const char *value, void *at, struct fathom_error *error)
{
	(void)row, (void)value, (void)error;
	*(bool *)at = true;
	return 0;
}

int value_off(const struct option_row *row, const char *value, void *at, struct fathom_error *error)
{
	(void)row, (void)value, (void)error;
	*(bool *)at = false;
	return 0;
}

int value_low(const struct option_row *row, const char *value, void *at, struct fathom_error *error)
{
	(void)value, (void)error;
	*(int *)at = (int)row->low;
	return 0;
}

int value_word(const struct option_row *row, const char *value, void *at,
	       struct fathom_error *error)
{
	(void)row, (void)error;
	*(const char **)at = value;
	return 0;
}

/* ---- names ---- */

int value_find(const char *(*choice)(int number), const char *name)
{
	const char *known;
	for (int i = 0; (known = choice(i)); i++)
		if (strcasecmp(known, name) == 0)
			return i;
	return -1;
}

int value_refuse(const struct option_row *row, const char *value, struct fathom_error *error)
{
	struct suggestion nearest = {.wanted = value};
	struct text hint = {0};
	const char *name;
	for (int i = 0; (name = row->choice(i)); i++) {
		text_add(&hint, "%s%s", i ? ", " : "one of ", name);
		names_consider(&nearest, name);
	}
	if (nearest.best)
		text_add(&hint, "; did you mean '%s'?", nearest.best);
	error_set(error, FATHOM_USAGE, hint.data, "--%s does not know '%s'", row->name, value);
	text_free(&hint);
	return -1;
}

int value_choice(const struct option_row *row, const char *value, void *at,
		 struct fathom_error *error)
{
	int chosen = value_find(row->choice, value);
	if (chosen < 0)
		return value_refuse(row, value, error);
	if (row->offered && chosen >= row->offered)
		return error_set(error, FATHOM_USAGE, row->hint, "%s", row->refused);
	*(int *)at = chosen;
	return 0;
}

static int add_choice(const struct option_row *row, const char *word, void *at,
		      struct fathom_error *error)
{
	bool *chosen = at;
	int number = value_find(row->choice, word);
	if (number < 0)
		return value_refuse(row, word, error);
	chosen[number] = true;
	return 0;
}

int value_choices(const struct option_row *row, const char *value, void *at,
		  struct fathom_error *error)
{
	bool *chosen = at;
	for (int i = 0; row->choice(i); i++)
		chosen[i] = false;
	return value_each_word(row, value, add_choice, at, error);
}

/* ---- numbers ---- */

#define NUMBER_HINT "the command's --help lists what its options accept"

/* "'12Q' is not a size" becomes "--max-size: '12Q' is not a size". */
static int name_option(const struct option_row *row, int status, struct fathom_error *error)
{
	if (status)
		error_set(error, error->status, error->hint ? error->hint : NUMBER_HINT, "--%s: %s",
			  row->name, error->text);
	return status;
}

#define PARSED(name, parse)                                                                        \
	int name(const struct option_row *row, const char *value, void *at,                        \
		 struct fathom_error *error)                                                       \
	{                                                                                          \
		return name_option(row, parse(value, at, error), error);                           \
	}

PARSED(value_size, units_parse_size)
PARSED(value_frequency, units_parse_frequency)
PARSED(value_share, units_parse_share)

/* In less not even the clock and the line size can be measured, on any machine. */
#define LEAST_BUDGET_S 1e-3

int value_budget(const struct option_row *row, const char *value, void *at,
		 struct fathom_error *error)
{
	double budget_s;
	if (name_option(row, units_parse_duration(value, &budget_s, error), error))
		return -1;
	if (budget_s < LEAST_BUDGET_S)
		return error_set(error, FATHOM_USAGE,
				 "use at least 1ms; one second is already short",
				 "--%s: '%s' is too short to measure anything", row->name, value);
	*(double *)at = budget_s;
	return 0;
}

int value_integer(const struct option_row *row, const char *value, int64_t *number,
		  struct fathom_error *error)
{
	return name_option(row, units_parse_integer(value, row->low, row->high, number, error),
			   error);
}

int value_number(const struct option_row *row, const char *value, void *at,
		 struct fathom_error *error)
{
	int64_t number;
	if (value_integer(row, value, &number, error))
		return -1;
	*(uint32_t *)at = (uint32_t)number;
	return 0;
}

int value_steps(const struct option_row *row, const char *value, void *at,
		struct fathom_error *error)
{
	static const char suffixes[] = "KMG";
	size_t length = strlen(value);
	const char *suffix = length > 1 ? strchr(suffixes, value[length - 1]) : NULL;
	int64_t steps, factor = 1;
	for (const char *each = suffixes; suffix && each <= suffix; each++)
		factor *= 1000;
	char *digits = text_format("%.*s", (int)(suffix ? length - 1 : length), value);
	if (!digits)
		return error_no_memory(error);
	int status = units_parse_integer(digits, row->low, row->high / factor, &steps, error);
	free(digits);
	if (!status)
		*(uint64_t *)at = (uint64_t)(steps * factor);
	return name_option(row, status, error);
}

int value_seed(const struct option_row *row, const char *value, void *at,
	       struct fathom_error *error)
{
	bool hexadecimal = value[0] == '0' && (value[1] == 'x' || value[1] == 'X');
	const char *digits = hexadecimal ? value + 2 : value;
	size_t length = strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789");
	errno = 0;
	uint64_t seed = strtoull(digits, NULL, hexadecimal ? 16 : 10);
	if (length == 0 || digits[length] || errno == ERANGE)
		return error_set(error, FATHOM_USAGE,
				 "a seed is a number like 7 or 0x1f, up to 64 bits",
				 "--%s: '%s' is not a seed", row->name, value);
	*(uint64_t *)at = seed;
	return 0;
}

/* ---- lists ---- */

#define LONGEST_SIZE 32 /* "16777216K" and the like */

/* In letters, or as the same number: 4K and 4096. */
static bool is_same(const char *one, size_t length, const char *word)
{
	char copy[LONGEST_SIZE];
	uint64_t one_bytes, bytes;
	if (length == strlen(word) && strncasecmp(one, word, length) == 0)
		return true;
	if (length >= sizeof(copy))
		return false;
	memcpy(copy, one, length);
	copy[length] = 0;
	return !units_parse_size(copy, &one_bytes, NULL) && !units_parse_size(word, &bytes, NULL) &&
	       one_bytes == bytes;
}

/* Among those before `end` in the list. */
static bool is_repeated(const char *list, const char *end, const char *word)
{
	for (const char *one = list; one < end; one += strcspn(one, ",") + 1)
		if (is_same(one, strcspn(one, ","), word))
			return true;
	return false;
}

int value_each_word(const struct option_row *row, const char *list, option_setter *add, void *at,
		    struct fathom_error *error)
{
	char *copy = strdup(list), *rest = copy, *word;
	int status = copy ? 0 : error_no_memory(error);
	while (!status && (word = strsep(&rest, ",")))
		if (!row->repeats && is_repeated(list, list + (word - copy), word))
			status = error_set(error, FATHOM_USAGE, "name each value once",
					   "--%s has '%s' twice", row->name, word);
		else
			status = add(row, word, at, error);
	free(copy);
	return status;
}
