#include "readers/read_columns.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/text.h"

#define COLUMNS_HINT "name them with --columns SIZE,LATENCY, by name or by number"
#define LISTED_MOST  12

/* How surely a heading names what is looked for. */
enum { STRONG = 10, BY_UNIT = 8, LESS_CYCLES = 3, LESS_QUALIFIED = 4 };

/* What a heading says. */
struct heading {
	int size_score, value_score;
	double size_unit_bytes;       /* 0: nothing */
	struct value_unit value_unit; /* scale 0: nothing */
	bool relative_to_l1;
	bool neither; /* it names something else: a bandwidth, a stride */
};

static const char *const size_words[] = {"size",  "footprint", "wss",   "set",    "buffer", "array",
					 "block", "span",      "range", "region", "length", NULL};
static const char *const value_words[] = {"latency", "latencies", "lat",  "time",
					  "delay",   "duration",  "cost", NULL};
/* Of several columns of latencies these are not the one. */
static const char *const qualifiers[] = {"low",     "high",  "min",   "max",    "std",   "stddev",
					 "stdev",   "sd",    "dev",   "err",    "error", "ci",
					 "p5",      "p25",   "p75",   "p95",    "p99",   "total",
					 "elapsed", "lower", "upper", "spread", NULL};
/* Columns with such a word are neither. */
static const char *const others[] = {
	"stride",  "page",      "line",       "node",       "window", "element", "elem",
	"offset",  "bandwidth", "throughput", "normalized", "rate",   "speed",   "lanes",
	"threads", "count",     "iterations", "overhead",   "target", NULL};

int cells_add(struct cells *cells, struct span cell)
{
	if (cells->count == cells->capacity) {
		size_t capacity = cells->capacity ? 2 * cells->capacity : 8;
		struct span *items = realloc(cells->items, capacity * sizeof(*items));
		if (!items)
			return -1;
		cells->items = items;
		cells->capacity = capacity;
	}
	cells->items[cells->count++] = cell;
	return 0;
}

void cells_free(struct cells *cells)
{
	free(cells->items);
	*cells = (struct cells){0};
}

/* ---- a heading -------------------------------------------------------------------------- */

static bool in_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (unsigned char)c >= 0x80; /* the micro sign */
}

/* The next run of letters and digits; *slash: it comes after a '/'. false: there is none. */
static bool next_word(struct span *rest, struct span *word, bool *slash)
{
	*slash = false;
	while (rest->length && !in_word(*rest->start)) {
		*slash |= *rest->start == '/';
		*rest = span_after(*rest, 1);
	}
	*word = (struct span){rest->start, 0};
	while (word->length < rest->length && in_word(rest->start[word->length]))
		word->length++;
	*rest = span_after(*rest, word->length);
	return word->length > 0;
}

struct heading_words {
	struct heading heading;
	bool size_word, value_word, qualified, other, rate;
};

/* "sizekb", "latencyns". */
static void read_glued(struct span word, struct heading_words *words)
{
	static const char *const values[] = {"latency", "lat", "time"};
	double size = span_starts(word, "size") ? units_size(span_after(word, strlen("size"))) : 0;
	if (size > 0) {
		words->size_word = true;
		words->heading.size_unit_bytes = size;
		return;
	}
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		struct value_unit unit = {0};
		if (span_starts(word, values[i]))
			unit = units_value(span_after(word, strlen(values[i])));
		if (unit.scale > 0) {
			words->value_word = true;
			words->heading.value_unit = unit;
			return;
		}
	}
}

/* One letter is a unit only where it is said of what. The last unit counts: "cycle time (ns)". */
static void read_word(struct span word, struct heading_words *words)
{
	struct heading *heading = &words->heading;
	struct value_unit value = units_value(word);
	double size = units_size(word);
	if (value.scale > 0 && (word.length > 1 || words->value_word)) {
		heading->value_unit = value;
	} else if (size > 0 && (word.length > 1 || words->size_word)) {
		heading->size_unit_bytes = size;
	} else if (span_is_any(word, size_words)) {
		words->size_word = true;
	} else if (span_is_any(word, value_words)) {
		words->value_word = true;
	} else if (span_is_any(word, qualifiers)) {
		words->qualified = true;
	} else if (span_is_any(word, others)) {
		words->other = true;
	} else if (span_is(word, "over")) {
		heading->relative_to_l1 = true;
	} else {
		read_glued(word, words);
	}
}

/* What follows a "/" or "per" is a unit where none was said ("latency / ns"); else the heading is
 * one of a rate ("ns/access", "MB/s"), and of what, does not matter. */
static bool read_divisor(struct span word, struct heading_words *words)
{
	struct heading *heading = &words->heading;
	if (words->value_word && heading->value_unit.scale == 0)
		heading->value_unit = units_value(word);
	else if (words->size_word && heading->size_unit_bytes == 0)
		heading->size_unit_bytes = units_size(word);
	else
		words->rate = true;
	return words->rate;
}

static struct heading read_heading(struct span cell)
{
	struct heading_words words = {0};
	struct span word;
	bool slash;
	while (next_word(&cell, &word, &slash)) {
		bool divisor = slash;
		if (span_is(word, "per")) {
			divisor = true;
			if (!next_word(&cell, &word, &slash))
				break;
		}
		if (divisor && read_divisor(word, &words))
			break;
		if (!divisor)
			read_word(word, &words);
	}
	struct heading *heading = &words.heading;
	int less = words.qualified ? LESS_QUALIFIED : 0;
	if (heading->value_unit.cycles)
		less += LESS_CYCLES;
	heading->neither = words.other;
	if (words.other)
		return *heading;
	if (words.value_word || heading->value_unit.scale > 0)
		heading->value_score = (words.value_word ? STRONG : BY_UNIT) - less;
	else if (!words.rate && (words.size_word || heading->size_unit_bytes > 0))
		heading->size_score = (words.size_word ? STRONG : BY_UNIT) - less;
	else
		heading->neither = words.rate;
	return *heading;
}

/* ---- which columns ---------------------------------------------------------------------- */

/* "'size', 'latency'". NULL: out of memory. */
static char *list_names(const struct cells *heading)
{
	struct text text = {0};
	for (size_t i = 0; i < heading->count && i < LISTED_MOST; i++) {
		char *name = span_quote(heading->items[i]);
		text_add(&text, "%s'%s'", i ? ", " : "", name ? name : "");
		text.failed |= !name;
		free(name);
	}
	if (heading->count > LISTED_MOST)
		text_add(&text, ", ...");
	return text_take(&text);
}

static int refuse_unnamed(const struct cells *heading, size_t line, const char *what,
			  struct fathom_error *error)
{
	char *names = list_names(heading);
	if (!names)
		return error_no_memory(error);
	error_set(error, FATHOM_BAD_INPUT, COLUMNS_HINT,
		  "line %zu: no column is recognised as the %s; the columns are %s", line, what,
		  names);
	free(names);
	return -1;
}

static int refuse_name(const struct cells *heading, size_t width, struct span name,
		       struct fathom_error *error)
{
	char *quoted = span_quote(name), *names = list_names(heading), *hint = NULL;
	if (names && heading->count)
		hint = text_format("the columns are %s", names);
	else if (names)
		hint = text_format("the table has %zu columns and no names: give numbers", width);
	if (quoted && hint)
		error_set(error, FATHOM_USAGE, hint, "there is no column '%s'", quoted);
	else
		error_no_memory(error);
	free(quoted);
	free(names);
	free(hint);
	return -1;
}

/* "size" is also the name of "size (KiB)". */
static bool has_name(struct span cell, struct span name)
{
	size_t length = 0;
	if (cell.length >= name.length && strncasecmp(cell.start, name.start, name.length) == 0)
		length = name.length;
	struct span rest = span_trim(span_after(cell, length));
	return length && (rest.length == 0 || *rest.start == '(' || *rest.start == '[');
}

static int find_named(const struct cells *heading, size_t width, struct span name, size_t *column,
		      struct fathom_error *error)
{
	double number;
	for (size_t i = 0; i < heading->count; i++)
		if (has_name(heading->items[i], name)) {
			*column = i;
			return 0;
		}
	size_t length = span_number(name, &number);
	for (size_t i = 0; length == name.length && i < width; i++)
		if (number == (double)(i + 1)) {
			*column = i;
			return 0;
		}
	return refuse_name(heading, width, name, error);
}

static int find_asked(const struct cells *heading, size_t width, const char *names,
		      struct columns *columns, struct fathom_error *error)
{
	const char *comma = strchr(names, ',');
	if (!comma || strchr(comma + 1, ','))
		return error_set(error, FATHOM_USAGE, "name two columns, as in size,latency or 1,3",
				 "'%s' does not name two columns", names);
	struct span size = {names, (size_t)(comma - names)};
	if (find_named(heading, width, span_trim(size), &columns->size, error) ||
	    find_named(heading, width, span_trim(span_of(comma + 1)), &columns->value, error))
		return -1;
	if (columns->size == columns->value)
		return error_set(error, FATHOM_USAGE, "name two columns, as in size,latency or 1,3",
				 "'%s' names one column twice", names);
	return 0;
}

struct found {
	size_t size, value; /* columns */
	int size_score, value_score;
	bool others;
};

static struct found find_best(const struct cells *heading)
{
	struct found found = {0};
	for (size_t i = 0; i < heading->count; i++) {
		struct heading said = read_heading(heading->items[i]);
		if (said.value_score && said.value_score == found.value_score)
			found.others = true;
		if (said.size_score > found.size_score) {
			found.size = i;
			found.size_score = said.size_score;
		}
		if (said.value_score > found.value_score) {
			found.value = i;
			found.value_score = said.value_score;
			found.others = false;
		}
	}
	return found;
}

bool columns_are_named(const struct cells *heading)
{
	struct found found = find_best(heading);
	return found.size_score && found.value_score;
}

static int find_by_heading(const struct cells *heading, size_t width, size_t line,
			   struct columns *columns, struct fathom_error *error)
{
	struct found found = find_best(heading);
	bool size_named = found.size_score > 0, value_named = found.value_score > 0;
	columns->size = found.size;
	columns->value = found.value;
	columns->others = found.others;
	if (size_named && value_named)
		return 0;
	if (width != 2)
		return refuse_unnamed(heading, line, size_named ? "latency" : "size", error);
	/* One tells the other; else as they stand. */
	if (!size_named)
		columns->size = value_named ? 1 - found.value : 0;
	columns->value = 1 - columns->size;
	struct heading size = read_heading(heading->items[columns->size]);
	struct heading value = read_heading(heading->items[columns->value]);
	if (size.neither || size.value_score)
		return refuse_unnamed(heading, line, "size", error);
	if (value.neither || value.size_score)
		return refuse_unnamed(heading, line, "latency", error);
	return 0;
}

/* With several at once it is no latency that is given. */
static void find_lanes(const struct cells *heading, struct columns *columns)
{
	static const char *const names[] = {"lanes", "chains", "threads", NULL};
	for (size_t i = 0; i < heading->count && !columns->has_lanes; i++)
		if (span_is_any(heading->items[i], names) && i != columns->size &&
		    i != columns->value) {
			columns->has_lanes = true;
			columns->lanes = i;
		}
}

static void choose_units(const struct cells *heading, struct columns *columns)
{
	struct heading none = {0};
	bool named = heading->count > columns->size && heading->count > columns->value;
	struct heading size = named ? read_heading(heading->items[columns->size]) : none;
	struct heading value = named ? read_heading(heading->items[columns->value]) : none;
	columns->relative_to_l1 = value.relative_to_l1;
	if (columns->size_unit_bytes == 0)
		columns->size_unit_bytes = size.size_unit_bytes;
	if (columns->value_unit.scale == 0)
		columns->value_unit = value.value_unit;
	columns->size_unit_assumed = columns->size_unit_bytes == 0;
	columns->value_unit_assumed = columns->value_unit.scale == 0;
	if (columns->size_unit_assumed)
		columns->size_unit_bytes = 1;
	if (columns->value_unit_assumed)
		columns->value_unit.scale = 1;
}

int columns_find(const struct cells *heading, size_t width, size_t line,
		 const struct fathom_input *input, struct columns *columns,
		 struct fathom_error *error)
{
	struct columns found = {.value = 1};
	int failed = units_of_input(input, &found.size_unit_bytes, &found.value_unit, error);
	if (!failed && width < 2)
		failed = error_set(
			error, FATHOM_BAD_INPUT, COLUMNS_HINT,
			"line %zu: there is one column, but a size and a latency are needed", line);
	if (!failed && input->columns)
		failed = find_asked(heading, width, input->columns, &found, error);
	else if (!failed && heading->count)
		failed = find_by_heading(heading, width, line, &found, error);
	if (failed)
		return -1;
	choose_units(heading, &found);
	find_lanes(heading, &found);
	*columns = found;
	return 0;
}
