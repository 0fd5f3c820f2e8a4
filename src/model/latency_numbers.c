#include "model/latency_numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/point.h"
#include "base/text.h"
#include "base/units.h"
#include "base/warnings.h"
#include "document/table.h"
#include "model/past_caches.h"

#define MB 1e6 /* bytes, as in the lists that are quoted */
#define GB 1e9
/* The lists begin long before the caches that hold megabytes: what they read comes from memory. */
#define MOST_NUMBERS 16
#define PAST_CACHES  2.0 /* times the last one: it holds not much of it */

#define MISSING "number-missing"

struct list {
	struct fathom_warnings *warnings; /* of a survey; NULL: nobody expects all numbers */
	struct fathom_number *numbers;
	size_t count;
	bool failed;
};

static const struct fathom_cost not_known = {NAN, NAN, NAN};

bool latency_numbers_is_survey(const struct fathom_result *result)
{
	const struct fathom_curve *first = NULL;
	if (result->survey)
		return true;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (curve->tool || curve->point_count == 0 ||
		    curve->experiment == FATHOM_PARALLELISM)
			continue;
		if (first && first->experiment != curve->experiment)
			return true;
		first = curve;
	}
	return false;
}

/* One that was not measured is left out; where the lists have it, a note says so. */
static void leave_out(struct list *list, const char *name, bool is_listed)
{
	list->failed |= is_listed && list->warnings &&
			warnings_note(list->warnings, MISSING, name, "allow a longer --budget",
				      "there was no time to measure it, or too little "
				      "memory was measured");
}

/* Takes `how` over. */
static void add(struct list *list, const char *name, struct fathom_cost cost, double dean_2009_ns,
		double scott_2020_ns, char *how)
{
	struct fathom_number *number = &list->numbers[list->count];
	if (!isfinite(cost.ns)) {
		leave_out(list, name, !isnan(dean_2009_ns));
		free(how);
		return;
	}
	*number = (struct fathom_number){
		.name = strdup(name),
		.ns = cost.ns,
		.low_ns = cost.low_ns > 0 ? cost.low_ns : NAN, /* to 0 is no interval */
		.high_ns = cost.low_ns > 0 ? cost.high_ns : NAN,
		.how = how,
		.dean_2009_ns = dean_2009_ns,
		.scott_2020_ns = scott_2020_ns,
	};
	list->failed |= !number->name || !how;
	list->count++;
}

/* ---- what they are made of ---- */

static const struct fathom_level *find_level(const struct fathom_result *result, const char *name)
{
	for (size_t i = 0; i < result->level_count; i++)
		if (result->levels[i].name && strcmp(result->levels[i].name, name) == 0)
			return &result->levels[i];
	return NULL;
}

static const struct {
	const char *number, *level;
} references[] = {
	{"L1 cache reference", "L1"},
	{"L2 cache reference", "L2"},
	{"L3 cache reference", "L3"},
	{"main memory reference", "memory"},
};

const struct fathom_level *latency_numbers_level(const struct fathom_result *result,
						 const char *name)
{
	for (size_t i = 0; name && i < sizeof(references) / sizeof(*references); i++)
		if (strcmp(references[i].number, name) == 0)
			return find_level(result, references[i].level);
	return NULL;
}

static struct fathom_cost cost_of(const struct fathom_level *level)
{
	return level ? (struct fathom_cost){level->latency_ns, level->latency_low_ns,
					    level->latency_high_ns}
		     : not_known;
}

static struct fathom_cost scaled(struct fathom_cost cost, double factor)
{
	return (struct fathom_cost){cost.ns * factor, cost.low_ns * factor, cost.high_ns * factor};
}

/* Reading with so many threads, 0: the most, from the largest memory, which no cache holds. */
static const struct fathom_point *find_reading(const struct fathom_result *result, uint32_t threads)
{
	const struct fathom_point *found = NULL;
	double least_bytes = PAST_CACHES * past_caches_bytes(result);
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (curve->tool || curve->point_count == 0 || curve->experiment == FATHOM_NODES)
			continue;
		const struct fathom_point *last = &curve->points[curve->point_count - 1];
		double bytes = (double)last->spec.size_bytes * last->spec.threads;
		if (last->spec.pattern != FATHOM_READ || bytes < least_bytes ||
		    !isfinite(last->bandwidth_bytes_per_second) ||
		    (threads && last->spec.threads != threads))
			continue;
		if (!found || (!threads && last->spec.threads > found->spec.threads) ||
		    (last->spec.threads == found->spec.threads &&
		     bytes > (double)found->spec.size_bytes * found->spec.threads))
			found = last;
	}
	return found;
}

static struct fathom_cost reading_time(const struct fathom_point *point, double bytes)
{
	if (!point)
		return not_known;
	return (struct fathom_cost){bytes / point->bandwidth_bytes_per_second * 1e9,
				    bytes / point->bandwidth_high_bytes_per_second * 1e9,
				    bytes / point->bandwidth_low_bytes_per_second * 1e9};
}

/* How accesses overlap in the largest memory past the caches, on the pages where they do best. */
static const struct fathom_parallelism *find_overlap(const struct fathom_result *result)
{
	const struct fathom_parallelism *found = NULL;
	for (size_t i = 0; i < result->parallelism_count; i++) {
		const struct fathom_parallelism *one = &result->parallelism[i];
		if (!past_caches(result, one) || !isfinite(one->ns_per_access))
			continue;
		if (!found || one->size_bytes > found->size_bytes ||
		    (one->size_bytes == found->size_bytes &&
		     one->ns_per_access < found->ns_per_access))
			found = one;
	}
	return found;
}

static struct fathom_cost find_walk(const struct fathom_result *result, uint64_t *size_bytes)
{
	const struct fathom_decomposition *largest = NULL;
	for (size_t i = 0; i < result->decomposition_count; i++)
		if (isfinite(result->decompositions[i].parts[FATHOM_PART_WALK].ns))
			largest = &result->decompositions[i];
	if (!largest || !(largest->parts[FATHOM_PART_WALK].low_ns > 0))
		return not_known;
	*size_bytes = largest->size_bytes;
	return largest->parts[FATHOM_PART_WALK];
}

/* At the first size of the pattern. */
static struct fathom_cost find_cost(const struct fathom_result *result, enum fathom_pattern pattern)
{
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (curve->point_count && curve->points[0].spec.pattern == pattern)
			return (struct fathom_cost){curve->points[0].ns_per_access,
						    curve->points[0].low_ns_per_access,
						    curve->points[0].high_ns_per_access};
	}
	return not_known;
}

struct fathom_cost latency_numbers_mispredict(const struct fathom_result *result)
{
	struct fathom_cost random = find_cost(result, FATHOM_BRANCHES_RANDOM);
	struct fathom_cost same = find_cost(result, FATHOM_BRANCHES_SAME);
	return (struct fathom_cost){2 * (random.ns - same.ns), 2 * (random.low_ns - same.high_ns),
				    2 * (random.high_ns - same.low_ns)};
}

struct fathom_cost latency_numbers_lock(const struct fathom_result *result)
{
	return find_cost(result, FATHOM_LOCKS);
}

/* ---- the list ---- */

static char *at_size(const char *what, double bytes)
{
	char size[UNITS_TEXT_BYTES];
	return text_format("%s %s", what, units_format_size((uint64_t)bytes, size));
}

static void add_latencies(const struct fathom_result *result, struct list *list)
{
	static const double quoted_ns[][2] = {{0.5, 1}, {7, 4}, {NAN, NAN}, {100, 100}};
	uint64_t size_bytes = 0;
	for (size_t i = 0; i < sizeof(references) / sizeof(*references); i++) {
		const struct fathom_level *level = find_level(result, references[i].level);
		bool memory = level && level->kind == FATHOM_LEVEL_MEMORY;
		add(list, references[i].number, cost_of(level), quoted_ns[i][0], quoted_ns[i][1],
		    memory ? at_size("at random in", level->at_bytes)
			   : text_format("dependent loads"));
	}
	struct fathom_cost walk = find_walk(result, &size_bytes);
	add(list, "page walk", walk, NAN, NAN, at_size("per access in", (double)size_bytes));
}

static void add_operations(const struct fathom_result *result, struct list *list)
{
	add(list, "branch mispredict", latency_numbers_mispredict(result), 5, 3,
	    text_format("random minus steady ones"));
	add(list, "mutex lock/unlock", latency_numbers_lock(result), 25, 17,
	    text_format("free, in the first cache"));
}

static char *overlap_words(const struct fathom_result *result,
			   const struct fathom_parallelism *overlap)
{
	const char *page = page_name((int)result->curves[overlap->curve].points[0].spec.page);
	char speedup[UNITS_TEXT_BYTES];
	if (isnan(overlap->speedup))
		return text_format("several at a time, %s pages", page);
	return text_format("%s%s at a time, %s pages", overlap->saturated ? "" : "> ",
			   units_format_overlap(overlap->speedup, !overlap->saturated, speedup),
			   page);
}

static void add_reading(const struct fathom_result *result, struct list *list)
{
	const struct fathom_point *one = find_reading(result, 1), *all = find_reading(result, 0);
	const struct fathom_level *memory = find_level(result, "memory");
	const struct fathom_parallelism *overlap = find_overlap(result);
	double line = line_bytes_likely(result);
	char *how;
	double one_bytes = one ? (double)one->spec.size_bytes : 0;
	add(list, "read 1 MB in order", reading_time(one, MB), 250e3, 3e3,
	    at_size("one core, from", one_bytes));
	add(list, "read 1 MB at random", scaled(cost_of(memory), MB / line), NAN, NAN,
	    text_format("dependent loads"));
	add(list, "read 1 GB in order", reading_time(one, GB), NAN, NAN,
	    at_size("one core, from", one_bytes));
	if (all && all->spec.threads > 1) {
		how = text_format("%u threads together", all->spec.threads);
		add(list, "read 1 GB in order", reading_time(all, GB), NAN, NAN, how);
	}
	add(list, "read 1 GB at random", scaled(cost_of(memory), GB / line), NAN, NAN,
	    text_format("dependent loads"));
	if (memory && overlap) {
		struct fathom_cost access = {overlap->ns_per_access, overlap->low_ns_per_access,
					     overlap->high_ns_per_access};
		add(list, "read 1 GB at random", scaled(access, GB / line), NAN, NAN,
		    overlap_words(result, overlap));
	}
}

int latency_numbers_find(struct fathom_result *result, struct fathom_error *error)
{
	struct list list = {.warnings = result->survey ? &result->warnings : NULL};
	warnings_remove(&result->warnings, MISSING);
	if (latency_numbers_is_survey(result)) {
		list.numbers = calloc(MOST_NUMBERS, sizeof(*list.numbers));
		if (!list.numbers)
			return error_no_memory(error);
		add_latencies(result, &list);
		add_operations(result, &list);
		add_reading(result, &list);
	}
	if (list.failed) {
		table_free_items(&number_table, list.numbers, list.count);
		return error_no_memory(error);
	}
	table_free_items(&number_table, result->numbers, result->number_count);
	result->numbers = list.numbers;
	result->number_count = list.count;
	return 0;
}
