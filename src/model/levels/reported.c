#include "model/levels/reported.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/names.h"
#include "base/point.h"
#include "base/text.h"
#include "base/units.h"
#include "base/warnings.h"

#define LEAST_DIFFERENCE 0.1 /* share: real caches are off the laws by as much; less is no news */
#define UNPAIRED_COST    3.0 /* as much as a factor of 20 */
#define LARGER_WEIGHT    3.0 /* a reach is often less than reported, seldom more than all of it */
#define SMALL_PAGE_BYTES (64u << 10)
#define NEAR_END         2 /* times a cache's size, up to where the end of a curve hides its step */
#define GUEST_CAUSE      "the hypervisor decides what a guest's OS reports"

enum differs { DIFFERS_NOT, DIFFERS_SMALLER, DIFFERS_LARGER };

/* What is compared: the cache levels of one curve, the reported caches that hold data. */
struct comparison {
	struct fathom_result *result;
	const struct fathom_curve *curve;
	struct fathom_level **levels;
	const struct fathom_cache **caches;
	size_t level_count, cache_count;
};

/* ---- which level is which cache ---- */

static bool holds(double low, double high, double bytes)
{
	return low <= bytes * (1 + LEAST_DIFFERENCE) && high >= bytes * (1 - LEAST_DIFFERENCE);
}

/* Bytes of the cache and of those before it: an exclusive one reaches so far. */
static double sum_before(const struct comparison *comparison, size_t cache)
{
	double sum = 0;
	for (size_t i = 0; i <= cache; i++)
		sum += (double)comparison->caches[i]->size_bytes;
	return sum;
}

static double pair_cost(const struct comparison *comparison, size_t level, size_t cache)
{
	const struct fathom_level *measured = comparison->levels[level];
	double reported = (double)comparison->caches[cache]->size_bytes;
	double most = sum_before(comparison, cache);
	bool ends = isfinite(measured->size_bytes);
	/* Of several in the interval, as of a few sizes far apart, the first one answers. */
	if (ends && holds(measured->size_low_bytes, measured->size_high_bytes, reported))
		return 0;
	double reach = ends ? measured->size_bytes : measured->size_low_bytes;
	if (reach > most)
		return LARGER_WEIGHT * log(reach / most);
	return ends && reach < reported ? log(reported / reach) : 0;
}

/* The cheapest pairing in order; pairs[level] becomes its cache, or -1. costs: a table of
 * (level_count + 1) x (cache_count + 1), of the cheapest pairing of what is left from there on. */
static void pair_all(const struct comparison *comparison, double *costs, int *pairs)
{
	size_t width = comparison->cache_count + 1;
	for (size_t l = comparison->level_count + 1; l-- > 0;)
		for (size_t c = width; c-- > 0;) {
			bool level_left = l < comparison->level_count;
			bool cache_left = c < comparison->cache_count;
			double cost = level_left || cache_left ? INFINITY : 0;
			if (level_left)
				cost = fmin(cost, UNPAIRED_COST + costs[(l + 1) * width + c]);
			if (cache_left)
				cost = fmin(cost, UNPAIRED_COST + costs[l * width + c + 1]);
			if (level_left && cache_left)
				cost = fmin(cost, pair_cost(comparison, l, c) +
							  costs[(l + 1) * width + c + 1]);
			costs[l * width + c] = cost;
		}
	for (size_t l = 0, c = 0; l < comparison->level_count;) {
		double cost = costs[l * width + c];
		bool cache_left = c < comparison->cache_count;
		if (cache_left &&
		    cost == pair_cost(comparison, l, c) + costs[(l + 1) * width + c + 1])
			pairs[l++] = (int)c++;
		else if (cost == UNPAIRED_COST + costs[(l + 1) * width + c])
			pairs[l++] = -1;
		else
			c++;
	}
}

/* ---- how they differ, and why ---- */

static enum differs find_difference(const struct fathom_level *level, double reported_bytes)
{
	if (!isfinite(level->size_bytes)) /* its end was not reached */
		return level->size_low_bytes > reported_bytes * (1 + LEAST_DIFFERENCE)
			       ? DIFFERS_LARGER
			       : DIFFERS_NOT;
	double low = fmin(level->size_low_bytes, level->size_bytes);
	double high = fmax(level->size_high_bytes, level->size_bytes);
	double before = level->size_bytes - level->increment_bytes;
	if (holds(low, high, reported_bytes) || holds(low - before, high - before, reported_bytes))
		return DIFFERS_NOT;
	return level->size_bytes < reported_bytes ? DIFFERS_SMALLER : DIFFERS_LARGER;
}

/* Of the points up to the reach; 0: not known. */
static uint64_t page_bytes_at(const struct fathom_curve *curve, double bytes)
{
	uint64_t page_bytes = 0;
	for (size_t i = 0; i < curve->point_count; i++)
		if ((double)curve->points[i].spec.size_bytes <= bytes)
			page_bytes = curve->points[i].page_bytes;
	return page_bytes;
}

/* Did a program run on the core's other thread most of the time? */
static bool was_shared(const struct fathom_curve *curve)
{
	double beside = 0, watched = 0;
	for (size_t i = 0; i < curve->point_count; i++) {
		beside += (double)curve->points[i].rejected[FATHOM_REJECTED_SIBLING];
		watched += (double)curve->points[i].watched;
	}
	return watched > 0 && beside >= POINT_SHARED_SHARE * watched;
}

/* Large pages whose parts lie as small pages do. */
static bool has_splintered(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->translation_count; i++)
		if (result->translations[i].splintered == 1)
			return true;
	return false;
}

struct cause {
	const char *text, *hint;
};

static struct cause find_cause(const struct comparison *comparison,
			       const struct fathom_level *level, size_t cache, enum differs differs)
{
	const struct fathom_machine *machine = comparison->result->machine;
	bool guest = machine->hypervisor;
	bool last = cache > 0 && cache + 1 == comparison->cache_count;
	uint64_t page_bytes = page_bytes_at(comparison->curve, level->size_bytes);
	if (differs == DIFFERS_LARGER && guest)
		return (struct cause){GUEST_CAUSE, NULL};
	if (differs == DIFFERS_LARGER && cache == 0)
		return (struct cause){"the OS may report the wrong size", NULL};
	if (differs == DIFFERS_LARGER)
		return (struct cause){
			"the OS may report one slice, or one of two caches whose sizes add up",
			NULL};
	if (!last && comparison->curve->sibling == FATHOM_SIBLING_STREAMS)
		return (struct cause){"the other thread of the core streams through it", NULL};
	if (!last && was_shared(comparison->curve))
		return (struct cause){"a program on the core's other thread takes part of it",
				      NULL};
	if (cache == 0 && guest)
		return (struct cause){GUEST_CAUSE, NULL};
	if (last && guest)
		return (struct cause){"the cache is shared with other guests, or partitioned",
				      NULL};
	if (last)
		return (struct cause){"the cache is shared with other cores, partitioned, or only "
				      "one slice serves this CPU",
				      NULL};
	if (cache > 0 && page_bytes && page_bytes <= SMALL_PAGE_BYTES)
		return (struct cause){"small pages fill its sets unevenly",
				      has_splintered(comparison->result)
					      ? NULL
					      : "use --page thp: large pages fill all its sets"};
	if (machine->smt_threads != 1)
		return (struct cause){"the other thread of the core may use part of it", NULL};
	return (struct cause){"it is partitioned, or the OS reports the wrong size", NULL};
}

/* ---- in words ---- */

/* As a table shows it; of a level whose end was not reached, what it has at least. */
static const char *format_size(const struct fathom_level *level, char text[static UNITS_TEXT_BYTES])
{
	return isfinite(level->size_bytes)
		       ? units_format_known_size(level->size_bytes, level->size_low_bytes,
						 level->size_high_bytes, text)
		       : units_format_size((uint64_t)level->size_low_bytes, text);
}

static int warn_difference(const struct comparison *comparison, const struct fathom_level *level,
			   size_t cache, enum differs differs)
{
	char size[UNITS_TEXT_BYTES], reported[UNITS_TEXT_BYTES];
	bool ends = isfinite(level->size_bytes);
	struct cause cause = find_cause(comparison, level, cache, differs);
	format_size(level, size);
	units_format_size(comparison->caches[cache]->size_bytes, reported);
	return warnings_add(&comparison->result->warnings, "reach-differs", level->name, cause.hint,
			    "the effective size is %s%s, %s the %s that the OS reports (%s)",
			    ends ? "" : "over ", size,
			    differs == DIFFERS_SMALLER ? "less than" : "more than", reported,
			    cause.text);
}

static uint64_t largest_size(const struct comparison *comparison)
{
	const struct fathom_curve *curve = comparison->curve;
	return curve->points[curve->point_count - 1].spec.size_bytes;
}

static int warn_end(const struct comparison *comparison, const char *where, size_t cache)
{
	char reported[UNITS_TEXT_BYTES], largest[UNITS_TEXT_BYTES];
	uint64_t bytes = comparison->caches[cache]->size_bytes;
	uint64_t largest_bytes = largest_size(comparison);
	units_format_size(bytes, reported);
	units_format_size(largest_bytes, largest);
	if (largest_bytes > NEAR_END * bytes)
		return warnings_add(&comparison->result->warnings, "cache-not-reached", where,
				    "measure more sizes, and larger ones",
				    "these sizes, up to %s, do not tell where the L%u of %s that "
				    "the OS reports ends",
				    largest, comparison->caches[cache]->level, reported);
	return warnings_add(&comparison->result->warnings, "cache-not-reached", where,
			    "measure larger sizes",
			    "the sweep ends at %s, %s the L%u of %s that the OS reports", largest,
			    largest_bytes > bytes ? "too close above" : "below",
			    comparison->caches[cache]->level, reported);
}

/* A level that stands for the cache, or may. */
static int compare_pair(const struct comparison *comparison, struct fathom_level *level,
			size_t cache)
{
	double reported_bytes = (double)comparison->caches[cache]->size_bytes;
	enum differs differs = find_difference(level, reported_bytes);
	level->reported_bytes = comparison->caches[cache]->size_bytes;
	if (differs != DIFFERS_NOT)
		return warn_difference(comparison, level, cache, differs);
	if (!isfinite(level->size_bytes))
		return warn_end(comparison, level->name, cache);
	return 0;
}

/* `next`: the first level after it that is one that the OS reports; NULL: there is none. */
static int warn_unreported(const struct comparison *comparison, const struct fathom_level *level,
			   const struct fathom_level *next)
{
	char size[UNITS_TEXT_BYTES];
	format_size(level, size);
	if (next)
		return warnings_add(&comparison->result->warnings, "cache-not-reported",
				    level->name, NULL,
				    "the OS reports no cache of about %s: it may be a part of %s, "
				    "which begins to miss before it is full",
				    size, next->name);
	return warnings_add(&comparison->result->warnings, "cache-not-reported", level->name, NULL,
			    "the OS reports no cache of about %s (%s)", size,
			    comparison->result->machine->hypervisor
				    ? GUEST_CAUSE
				    : "a cache on the memory side, or in another part of the chip");
}

/* A step of unknown kind that may be the cache; NULL. */
static const struct fathom_level *find_maybe(const struct comparison *comparison, size_t cache)
{
	const struct fathom_result *result = comparison->result;
	double bytes = (double)comparison->caches[cache]->size_bytes;
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		bool translation = level->entry_bytes && !isfinite(level->increment_bytes);
		if (level->kind == FATHOM_LEVEL_UNKNOWN && level->name && !translation &&
		    &result->curves[level->curve] == comparison->curve &&
		    holds(level->size_low_bytes, level->size_high_bytes, bytes))
			return level;
	}
	return NULL;
}

/* A cache that may end there as well; NULL. */
static const struct fathom_level *find_wide(const struct comparison *comparison, size_t cache)
{
	double bytes = (double)comparison->caches[cache]->size_bytes;
	for (size_t i = 0; i < comparison->level_count; i++)
		if (isfinite(comparison->levels[i]->size_bytes) &&
		    holds(comparison->levels[i]->size_low_bytes,
			  comparison->levels[i]->size_high_bytes, bytes))
			return comparison->levels[i];
	return NULL;
}

/* Of a cache that no level stands for. One below the least size was not looked for. */
static int warn_unfound(const struct comparison *comparison, size_t cache)
{
	const struct fathom_curve *curve = comparison->curve;
	const struct fathom_result *result = comparison->result;
	uint64_t bytes = comparison->caches[cache]->size_bytes;
	char name[UNITS_TEXT_BYTES], reported[UNITS_TEXT_BYTES];
	bool memory = false;
	for (size_t i = 0; i < result->level_count; i++)
		memory |= result->levels[i].kind == FATHOM_LEVEL_MEMORY &&
			  &result->curves[result->levels[i].curve] == curve;
	snprintf(name, sizeof(name), "OS's L%u", comparison->caches[cache]->level);
	if (bytes < curve->points[0].spec.size_bytes)
		return 0;
	const struct fathom_level *maybe = find_maybe(comparison, cache);
	if (maybe)
		return warnings_add(&comparison->result->warnings, "cache-not-found", name, NULL,
				    "the %s that the OS reports are in the range of %s, which may "
				    "be this cache",
				    units_format_size(bytes, reported), maybe->name);
	const struct fathom_level *wide = find_wide(comparison, cache);
	if (wide)
		return warnings_add(&comparison->result->warnings, "cache-not-found", name,
				    "measure more sizes",
				    "the %s that the OS reports are in the range of %s: these "
				    "sizes do not tell the two apart",
				    units_format_size(bytes, reported), wide->name);
	if (!memory && NEAR_END * bytes >= largest_size(comparison))
		return warn_end(comparison, name, cache);
	return warnings_add(
		&comparison->result->warnings, "cache-not-found", name, NULL,
		"the curve does not show the %s that the OS reports (%s)",
		units_format_size(bytes, reported),
		result->machine->hypervisor
			? GUEST_CAUSE
			: "this CPU may be unable to use it, or it is as fast as the level before");
}

/* ---- names ---- */

/* A cache keeps the OS's number, also where the one before it was not found: an L3 is no L2 then.
 */
static void name_levels(const struct comparison *comparison, const int *pairs)
{
	unsigned next = 1;
	for (size_t l = 0; l < comparison->level_count; l++) {
		char *name = comparison->levels[l]->name;
		unsigned number = pairs[l] < 0 ? 0 : comparison->caches[pairs[l]]->level;
		number = number > next ? number : next;
		if (name && name[0] == 'L' && strlen(name) == 2 && number <= 9)
			name[1] = (char)('0' + number);
		next = number + 1;
	}
}

/* ---- all of a curve ---- */

static const struct fathom_level *next_reported(const struct comparison *comparison,
						const int *pairs, size_t l)
{
	while (++l < comparison->level_count)
		if (pairs[l] >= 0)
			return comparison->levels[l];
	return NULL;
}

static int compare_all(const struct comparison *comparison, const int *pairs)
{
	size_t next = 0;
	for (size_t l = 0; l < comparison->level_count; l++) {
		struct fathom_level *level = comparison->levels[l];
		if (pairs[l] < 0) {
			if (warn_unreported(comparison, level, next_reported(comparison, pairs, l)))
				return -1;
			continue;
		}
		for (; next < (size_t)pairs[l]; next++)
			if (warn_unfound(comparison, next))
				return -1;
		if (compare_pair(comparison, level, next++))
			return -1;
	}
	for (; next < comparison->cache_count; next++)
		if (warn_unfound(comparison, next))
			return -1;
	return 0;
}

static void collect(struct comparison *comparison, size_t curve, struct cpu_caches reported)
{
	struct fathom_result *result = comparison->result;
	for (size_t i = 0; i < result->level_count; i++)
		if (result->levels[i].curve == curve &&
		    result->levels[i].kind == FATHOM_LEVEL_CACHE)
			comparison->levels[comparison->level_count++] = &result->levels[i];
	for (size_t i = 0; i < reported.count; i++) {
		const struct fathom_cache *cache = &reported.items[i];
		if (cache->kind != FATHOM_CACHE_INSTRUCTION && cache->size_bytes)
			comparison->caches[comparison->cache_count++] = cache;
	}
}

static int compare_curve(struct fathom_result *result, size_t curve)
{
	struct comparison comparison = {.result = result, .curve = &result->curves[curve]};
	struct cpu_caches reported = cpu_caches_of(result->machine, result->curves[curve].cpu);
	size_t levels = result->level_count, caches = reported.count;
	double *costs = calloc((levels + 1) * (caches + 1), sizeof(*costs));
	int *pairs = calloc(levels + 1, sizeof(*pairs));
	int status = -1;
	comparison.levels = calloc(levels + 1, sizeof(struct fathom_level *));
	comparison.caches = calloc(caches + 1, sizeof(const struct fathom_cache *));
	if (!costs || !pairs || !comparison.levels || !comparison.caches)
		goto out;
	collect(&comparison, curve, reported);
	if (comparison.cache_count) {
		pair_all(&comparison, costs, pairs);
		name_levels(&comparison, pairs);
		status = compare_all(&comparison, pairs);
	} else {
		status = 0;
	}
out:
	free(costs);
	free(pairs);
	free(comparison.levels);
	free(comparison.caches);
	return status;
}

static bool on_several_cpus(const struct fathom_result *result)
{
	for (size_t i = 1; i < result->level_count; i++) {
		const struct fathom_curve *first = &result->curves[result->levels[0].curve];
		const struct fathom_curve *one = &result->curves[result->levels[i].curve];
		if (one->cpu != first->cpu || one->sibling != first->sibling)
			return true;
	}
	return false;
}

/* Where several CPUs have such levels, what is said of one names it. */
static int compare_on_cpu(struct fathom_result *result, size_t curve)
{
	const struct fathom_curve *at = &result->curves[curve];
	bool busy = at->sibling != FATHOM_SIBLING_ANY;
	struct fathom_warnings all = result->warnings;
	result->warnings = (struct fathom_warnings){0};
	int status = compare_curve(result, curve);
	struct fathom_warnings found = result->warnings;
	result->warnings = all;
	for (size_t i = 0; i < found.count && !status; i++) {
		char *where = found.items[i].where;
		found.items[i].where =
			text_format(busy ? "%s, CPU %d, sibling %s" : "%s, CPU %d",
				    where ? where : "", at->cpu, sibling_name((int)at->sibling));
		free(where);
		status = found.items[i].where
				 ? warnings_copy(&result->warnings, &found.items[i], NULL)
				 : -1;
	}
	warnings_free(&found);
	return status;
}

int reported_compare(struct fathom_result *result, struct fathom_error *error)
{
	static const char *const ids[] = {"reach-differs", "cache-not-reported", "cache-not-found",
					  "cache-not-reached"};
	const struct fathom_machine *machine = result->machine;
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		warnings_remove(&result->warnings, ids[i]);
	for (size_t i = 0; i < result->level_count; i++)
		result->levels[i].reported_bytes = 0;
	if (!machine)
		return 0;
	for (size_t i = 0; i < result->level_count; i++) {
		size_t index = result->levels[i].curve;
		const struct fathom_curve *curve = &result->curves[index];
		bool first = i == 0 || result->levels[i - 1].curve != index;
		if (!first || !curve->point_count)
			continue;
		if (on_several_cpus(result) ? compare_on_cpu(result, index)
					    : compare_curve(result, index))
			return error_no_memory(error);
	}
	return 0;
}
