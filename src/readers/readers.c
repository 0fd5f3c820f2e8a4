#include "readers/readers.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/point.h"
#include "base/warnings.h"
#include "document/core_groups.h"
#include "document/document.h"
#include "document/table.h"
#include "readers/read_units.h"

/* The fastest load to use of any core: Pentium 4, integers, 2 cycles at up to 3.8 GHz. */
#define LEAST_LATENCY_CYCLES 2
#define LEAST_LATENCY_NS     (LEAST_LATENCY_CYCLES / 3.8)

#define EMPTY_HINT "check whether what should have written it has failed"

struct reader {
	const char *name;
	bool (*detect)(const char *bytes, size_t length);
	int (*read)(const char *bytes, size_t length, const struct fathom_input *input,
		    struct fathom_result *result, struct fathom_error *error);
	bool takes_input; /* it does not say itself what its columns are */
};

/* The first that knows the text reads it. */
static const struct reader readers[] = {
	{"fathom's JSON", document_detect, document_read, false},
	{"fathom's CSV", own_csv_detect, own_csv_read, false},
	{"a table of lanes", lanes_detect, lanes_read, false},
	{"lat_mem_rd", lat_mem_rd_detect, lat_mem_rd_read, false},
	{"tinymembench", tinymembench_detect, tinymembench_read, false},
	{"a core-to-core matrix", core_matrix_detect, core_matrix_read, false},
	{"Intel MLC's loaded latencies", mlc_detect, mlc_read, false},
	{"a table of latencies under load", loaded_detect, loaded_read, false},
	{"a markdown table", markdown_detect, markdown_read, true},
	{"a table", delimited_detect, delimited_read, true},
};

/* Where it is said that the text is one. */
static const struct reader series = {"a series of accesses", NULL, accesses_read, false};

static bool is_given(const struct fathom_input *input)
{
	return input->columns || input->size_unit || input->value_unit;
}

/* ---- what the user knows of the curve ---- */

static const struct {
	const char *name;
	enum fathom_pattern pattern;
} orders[] = {{"cycle", FATHOM_RANDOM_CYCLE},
	      {"independent", FATHOM_INDEPENDENT},
	      {"overlapping", FATHOM_INDEPENDENT}};

static void set_pattern(struct fathom_result *result, enum fathom_pattern pattern)
{
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++)
			result->curves[i].points[k].spec.pattern = pattern;
}

/* The levels of what overlaps are looked for as if it did not. The first misses hide behind other
 * accesses, so that a step begins later than the cache ends. `because` ends in a blank, or is "".
 */
static int warn_of_overlap(const char *because, struct fathom_warnings *warnings,
			   struct fathom_error *error)
{
	return warnings_add(warnings, "overlapping", NULL,
			    "measure dependent accesses for latencies and sizes",
			    "accesses overlap in this curve%s: its times are no latencies, and as "
			    "overlap hides the first misses, a cache may be several times smaller "
			    "than its step says",
			    because)
		       ? error_no_memory(error)
		       : 0;
}

/* Is the smallest size faster than any load? Then nobody waited for it, whatever the order. */
static bool is_too_fast(const struct fathom_curve *curve)
{
	return curve->tool && !curve->relative_to_l1 && curve->point_count &&
	       curve->points[0].spec.pattern == FATHOM_PATTERN_UNKNOWN &&
	       (curve->points[0].latency_ns < LEAST_LATENCY_NS ||
		curve->points[0].latency_cycles < LEAST_LATENCY_CYCLES);
}

static int set_order(struct fathom_result *result, const char *order, struct fathom_error *error)
{
	size_t i = 0, count = sizeof(orders) / sizeof(*orders);
	while (i < count && strcmp(orders[i].name, order) != 0)
		i++;
	if (i == count)
		return error_set(error, FATHOM_USAGE, "one of cycle, independent, overlapping",
				 "the order '%s' is not known", order);
	set_pattern(result, orders[i].pattern);
	return strcmp(order, "overlapping") == 0 ? warn_of_overlap("", &result->warnings, error)
						 : 0;
}

/* A machine of which nothing else is known. */
static int set_caches(struct fathom_result *result, const struct fathom_input *input,
		      struct fathom_error *error)
{
	struct fathom_machine *machine = calloc(1, sizeof(*machine));
	if (!machine)
		return error_no_memory(error);
	table_unknown(&machine_table, machine);
	result->machine = machine;
	machine->caches = calloc(input->cache_count, sizeof(*machine->caches));
	if (!machine->caches)
		return error_no_memory(error);
	machine->cache_count = input->cache_count;
	for (size_t i = 0; i < input->cache_count; i++)
		machine->caches[i] =
			(struct fathom_cache){.level = (unsigned)i + 1,
					      .kind = i ? FATHOM_CACHE_UNIFIED : FATHOM_CACHE_DATA,
					      .size_bytes = input->caches_bytes[i]};
	return 0;
}

static int set_overlapping(struct fathom_result *result, struct fathom_error *error)
{
	set_pattern(result, FATHOM_INDEPENDENT);
	return warn_of_overlap(", as its first time is less than any load takes", &result->warnings,
			       error);
}

static bool is_own(const struct reader *reader)
{
	return reader->read == document_read || reader->read == own_csv_read;
}

static int add_known(struct fathom_result *result, const struct reader *reader,
		     const struct fathom_input *input, struct fathom_error *error)
{
	bool foreign = result->curve_count && result->curves[0].tool;
	if (!input->order && foreign && is_too_fast(&result->curves[0]) &&
	    set_overlapping(result, error))
		return -1;
	if (!input->order && !input->cache_count)
		return 0;
	if (is_own(reader) && (!foreign || result->machine))
		return error_set(error, FATHOM_USAGE, "--order and --caches are for other tables",
				 "%s says itself how it was measured, and where", reader->name);
	if (core_groups_any(result) || result_is_of_loads(result) || result_has_accesses(result))
		return error_set(error, FATHOM_USAGE, "--order and --caches are for curves",
				 "%s has no order and no levels", reader->name);
	if (input->order && set_order(result, input->order, error))
		return -1;
	return input->cache_count ? set_caches(result, input, error) : 0;
}

static const struct reader *find_reader(const char *bytes, size_t length)
{
	const struct reader *reader = readers;
	while (!reader->detect(bytes, length))
		reader++;
	return reader;
}

/* Without the mark that some editors put before UTF-8. */
static struct span without_mark(const char *bytes, size_t length)
{
	struct span text = {bytes, length};
	return span_starts(text, "\xEF\xBB\xBF") ? span_after(text, 3) : text;
}

static int check_text(struct span text, struct fathom_error *error)
{
	struct lines lines = {text.start, text.start + text.length, 0};
	struct span line;
	bool empty = true;
	while (lines_next(&lines, &line)) {
		if (line.length && memchr(line.start, 0, line.length))
			return error_set(error, FATHOM_BAD_INPUT,
					 "UTF-16 has such bytes: save the file as UTF-8",
					 "line %zu: the file has a zero byte, so it is not text",
					 lines.number);
		empty &= span_trim(line).length == 0;
	}
	return empty ? error_set(error, FATHOM_BAD_INPUT, EMPTY_HINT, "the file is empty") : 0;
}

static int check_input(const struct reader *reader, const struct fathom_input *input,
		       struct fathom_error *error)
{
	double size_unit_bytes = 0;
	struct value_unit value_unit = {0, false};
	if (units_of_input(input, &size_unit_bytes, &value_unit, error))
		return -1;
	if (!reader->takes_input && is_given(input))
		return error_set(error, FATHOM_USAGE,
				 "--columns, --size-unit and --value-unit are for other tables",
				 "%s defines its own columns and units", reader->name);
	return 0;
}

int readers_read(const char *bytes, size_t length, const struct fathom_input *input,
		 struct fathom_result **result, struct fathom_error *error)
{
	struct span text = without_mark(bytes, length);
	if (check_text(text, error))
		return -1;
	const struct reader *reader =
		input->accesses ? &series : find_reader(text.start, text.length);
	if (check_input(reader, input, error))
		return -1;
	struct fathom_result *made = document_new_result();
	if (!made)
		return error_no_memory(error);
	if (reader->read(text.start, text.length, input, made, error) ||
	    add_known(made, reader, input, error)) {
		fathom_result_free(made);
		return -1;
	}
	*result = made;
	return 0;
}
