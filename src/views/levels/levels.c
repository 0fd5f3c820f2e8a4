#include "views/levels/levels.h"

#include <math.h>

#include "base/warnings.h"
#include "views/curve_names.h"
#include "views/points.h"
#include "views/result.h"
#include "views/rounding.h"

#define MOVED_RATIO 1.1 /* of blocks: more than measuring scatters */
#define SURE        0.9

/* The levels of one curve. */
struct levels {
	const struct fathom_result *result;
	const struct fathom_level *items;
	size_t count;
	const struct fathom_curve *curve;
	enum fathom_y y, beside;
};

/* ---- what is shown of a level ---- */

static bool has_penalty(const struct fathom_level *level)
{
	return isfinite(level->penalty_ns) || isfinite(level->penalty_cycles);
}

static struct estimate level_value(const struct fathom_level *level, enum fathom_y y)
{
	bool cycles = y == FATHOM_Y_CYCLES;
	if (has_penalty(level))
		return ESTIMATE_ALONE(cycles ? level->penalty_cycles : level->penalty_ns);
	if (cycles)
		return ESTIMATE(level, latency, _cycles);
	return ESTIMATE(level, latency, _ns);
}

bool levels_is_wide(const struct fathom_level *level)
{
	return units_size_is_wide(level->size_low_bytes, level->size_high_bytes);
}

bool levels_is_unsure(double confidence)
{
	return confidence < SURE;
}

static bool is_unsure(const struct fathom_level *level)
{
	return level->kind != FATHOM_LEVEL_UNKNOWN && levels_is_unsure(level->confidence);
}

static bool is_outside(const struct fathom_level *level)
{
	double reported = (double)level->reported_bytes;
	if (!isfinite(level->size_bytes)) /* its end was not reached */
		return level->size_low_bytes > reported;
	return level->size_low_bytes > reported || level->size_high_bytes < reported;
}

/* The one door to that decision is reported.c, which warned. It names the level alone: of the
 * levels of that name in several curves those are meant that what is reported lies outside of. */
bool levels_differ(const struct fathom_result *result, const struct fathom_level *level)
{
	return level->name && level->reported_bytes && is_outside(level) &&
	       warnings_find_at(&result->warnings, "reach-differs", level->name);
}

/* Where the level before is small beside this one, its part is no more than an error of the reach.
 */
#define VICTIM_ADDS_MOST 0.9
static bool is_victim(const struct levels *levels, const struct fathom_level *level)
{
	double reported = (double)level->reported_bytes;
	return level->reported_bytes && isfinite(level->size_bytes) &&
	       reported < level->size_low_bytes && !levels_differ(levels->result, level) &&
	       level->increment_bytes < VICTIM_ADDS_MOST * level->size_bytes &&
	       fabs(reported - level->increment_bytes) < fabs(reported - level->size_bytes);
}

/* ---- the table ---- */

struct rounded levels_size(const struct fathom_level *level)
{
	return rounding_size_of(ESTIMATE(level, size, _bytes));
}

void levels_reach(struct view *view, const struct fathom_level *level)
{
	if (level->kind == FATHOM_LEVEL_MEMORY) {
		view_size(view, level->at_bytes);
		view_before(view, "at ");
	} else if (!isfinite(level->size_bytes)) { /* its end was not reached */
		view_size(view, level->size_low_bytes);
		view_before(view, "> ");
	} else {
		view_rounded(view, levels_size(level));
	}
}

struct estimate levels_entries(const struct fathom_level *level)
{
	double bytes = (double)level->entry_bytes;
	return (struct estimate){level->entries, level->size_low_bytes / bytes,
				 level->size_high_bytes / bytes};
}

/* "(70 × 4 KiB)"; of a reach that is shown as a range, "(38–82 × 4 KiB)". */
static void add_entries(struct view *view, const struct fathom_level *level)
{
	struct estimate entries = levels_entries(level);
	view_quantity(view, "(%s \u00d7 %s)",
		      levels_is_wide(level) ? rounding_count_range(entries).text
					    : rounding_count(entries).text,
		      rounding_size(level->entry_bytes).text);
}

/* What a level of unknown kind may be. A document of an older version does not tell. */
static const char *question(const struct fathom_level *level)
{
	bool cache = isfinite(level->increment_bytes), translation = level->entry_bytes > 0;
	if (!has_penalty(level))
		return "(cache or memory?)";
	if (cache == translation)
		return "(cache or TLB?)";
	return cache ? "(cache?)" : "(TLB or walk?)";
}

static void add_os(struct view *view, const struct levels *levels, const struct fathom_level *level)
{
	if (level->kind == FATHOM_LEVEL_UNKNOWN)
		view_name(view, "%s", question(level));
	else if (level->kind == FATHOM_LEVEL_TLB && isfinite(level->entries))
		add_entries(view, level);
	else if (level->reported_bytes)
		view_size(view, (double)level->reported_bytes);
	else
		view_empty(view);
	view_mark(view, levels_differ(levels->result, level) ? '!' : 0);
}

static void add_value(struct view *view, const struct levels *levels,
		      const struct fathom_level *level, enum fathom_y y)
{
	struct estimate value = level_value(level, y);
	if (has_penalty(level) && isfinite(value.value)) /* a fit's, which has no interval */
		view_rounded(view, rounding_about(value.value));
	else
		view_estimate(view, value);
	view_before(view, has_penalty(level) || levels->curve->relative_to_l1 ? "+" : "");
	view_after(view, points_quantity(y)->unit);
}

static bool has_value(const struct levels *levels, enum fathom_y y)
{
	for (size_t i = 0; i < levels->count; i++)
		if (isfinite(level_value(&levels->items[i], y).value))
			return true;
	return false;
}

/* What has no room goes: the second unit first, then the intervals, then what the OS says. */
static void add_columns(struct view *view, const struct levels *levels)
{
	bool reports = false;
	for (size_t i = 0; i < levels->count; i++)
		reports |= levels->items[i].reported_bytes > 0;
	VIEW_TABLE(view, COLUMN("level"), COLUMN("size"),
		   COLUMN(reports ? "OS says" : NULL, .rank = 1), COLUMN("/OS", .rank = 4),
		   COLUMN(result_quantity(levels->result, levels->y), .spread_rank = 2),
		   COLUMN(result_quantity(levels->result, levels->beside), .rank = 3,
			  .spread_rank = 5));
}

static void add_row(struct view *view, const struct levels *levels,
		    const struct fathom_level *level)
{
	view_row(view);
	view_name(view, "%s%s", view_known(level->name), is_unsure(level) ? " ?" : "");
	levels_reach(view, level);
	add_os(view, levels, level);
	view_number(view, level->reported_bytes && !levels_is_wide(level)
				  ? level->size_bytes / (double)level->reported_bytes
				  : NAN);
	add_value(view, levels, level, levels->y);
	add_value(view, levels, level, levels->beside);
}

/* ---- what the table leaves open ---- */

static void add_evidence(struct view *view, const struct fathom_level *level)
{
	struct text line = {0};
	bool unsure = is_unsure(level);
	bool open = level->kind == FATHOM_LEVEL_TLB || level->kind == FATHOM_LEVEL_UNKNOWN;
	if (!unsure && !open)
		return;
	text_add(&line, "%s", view_known(level->name));
	if (unsure)
		text_add(&line, " (%s sure)", rounding_percent(level->confidence).text);
	text_add(&line, ": %s", view_known(level->evidence));
	view_take(view, unsure ? VIEW_UNSURE : VIEW_NOTE, &line);
}

static void add_victim(struct view *view, const struct levels *levels,
		       const struct fathom_level *level)
{
	if (is_victim(levels, level))
		view_say(view, VIEW_NOTE,
			 "%s: a victim cache that adds %s to the level before: it holds the lines "
			 "which that level evicts",
			 view_known(level->name),
			 rounding_size((uint64_t)llround(level->increment_bytes)).text);
}

static bool has_order(const struct fathom_result *result, enum fathom_pattern pattern)
{
	for (size_t i = 0; i < result->curve_count; i++)
		if (!result->curves[i].tool && result->curves[i].point_count &&
		    result->curves[i].points[0].spec.pattern == pattern)
			return true;
	return false;
}

/* One order alone hardly tells the replacement. */
static bool has_both_orders(const struct levels *levels)
{
	return !levels->curve->tool && has_order(levels->result, FATHOM_INDEPENDENT) &&
	       (has_order(levels->result, FATHOM_RANDOM_CYCLE) ||
		has_order(levels->result, FATHOM_RANDOM_LAPS));
}

static void add_replacement(struct view *view, const struct fathom_level *level)
{
	static const char *const classes[FATHOM_REPLACEMENT_COUNT] = {
		[FATHOM_REPLACEMENT_UNDECIDABLE] = "undecided",
		[FATHOM_REPLACEMENT_LRU] = "like LRU",
		[FATHOM_REPLACEMENT_RANDOM] = "like random",
		[FATHOM_REPLACEMENT_RESISTANT] = "resists thrashing",
	};
	struct text line = {0};
	if (level->kind != FATHOM_LEVEL_CACHE || level->replacement >= FATHOM_REPLACEMENT_COUNT)
		return;
	text_add(&line, "%s replacement: %s", view_known(level->name), classes[level->replacement]);
	if (level->replacement_evidence)
		text_add(&line, " (%s)", level->replacement_evidence);
	view_take(view, VIEW_NOTE, &line);
}

/* The least and the greatest of its blocks at the size that is quoted. */
static bool find_blocks(const struct fathom_curve *curve, const struct fathom_level *level,
			double *low, double *high)
{
	*low = INFINITY;
	*high = 0;
	for (size_t i = 0; i < curve->point_count; i++) {
		const struct fathom_point *point = &curve->points[i];
		bool quoted = fabs((double)point->spec.size_bytes - level->at_bytes) < 1;
		for (size_t k = 0; quoted && k < point->block_count; k++) {
			*low = fmin(*low, point->blocks_ns[k]);
			*high = fmax(*high, point->blocks_ns[k]);
		}
	}
	return *high > MOVED_RATIO * *low;
}

void levels_memory(struct view *view, const struct fathom_result *result,
		   const struct fathom_level *level)
{
	double low, high;
	if (level->kind != FATHOM_LEVEL_MEMORY || level->curve >= result->curve_count ||
	    !find_blocks(&result->curves[level->curve], level, &low, &high))
		return;
	bool told = result->page_difference_count || result->decomposition_count;
	view_say(view, VIEW_NOTE,
		 "%s: %s to %s ns from block to block, by placement and by other load%s",
		 view_known(level->name), rounding_number(low).text, rounding_number(high).text,
		 told ? "" : "; 'fathom pages' shows how much of it is page walks");
}

bool levels_is_read(const struct fathom_level *level)
{
	return level->kind == FATHOM_LEVEL_CACHE || level->kind == FATHOM_LEVEL_MEMORY;
}

/* ---- all ---- */

void levels_curve(struct view *view, const struct fathom_result *result, size_t curve)
{
	struct text line = {0};
	curve_names_add(&line, result, &result->curves[curve]);
	text_add(&line, ":");
	view_take(view, VIEW_PLAIN, &line);
}

/* Is it neither a cache, a TLB nor memory: unknown, or page tables that outgrow a cache? */
static bool is_other(const struct fathom_level *level)
{
	return !levels_is_read(level) && !isfinite(level->entries);
}

static void choose_units(struct levels *levels, enum fathom_y wanted)
{
	bool cycles = wanted == FATHOM_Y_CYCLES ? has_value(levels, FATHOM_Y_CYCLES)
						: !has_value(levels, FATHOM_Y_NS);
	levels->y = cycles ? FATHOM_Y_CYCLES : FATHOM_Y_NS;
	levels->beside = cycles ? FATHOM_Y_NS : FATHOM_Y_CYCLES;
}

static void add_rows(struct view *view, const struct levels *levels, bool beside_survey)
{
	size_t others = 0;
	for (size_t i = 0; i < levels->count; i++)
		others += is_other(&levels->items[i]);
	if (beside_survey && others == 0)
		return;
	add_columns(view, levels);
	for (size_t i = 0; i < levels->count; i++)
		if (!beside_survey || is_other(&levels->items[i]))
			add_row(view, levels, &levels->items[i]);
}

static void add_levels(struct view *view, struct levels *levels, enum fathom_y wanted,
		       bool beside_survey)
{
	choose_units(levels, wanted);
	add_rows(view, levels, beside_survey);
	for (size_t i = 0; i < levels->count; i++) {
		add_evidence(view, &levels->items[i]);
		add_victim(view, levels, &levels->items[i]);
		if (!beside_survey)
			levels_memory(view, levels->result, &levels->items[i]);
	}
	for (size_t i = 0; i < levels->count && has_both_orders(levels); i++)
		add_replacement(view, &levels->items[i]);
}

/* Those of one curve stand together. */
static bool next_levels(const struct fathom_result *result, struct levels *levels)
{
	size_t first = levels->items ? (size_t)(levels->items - result->levels) + levels->count : 0;
	*levels = (struct levels){.result = result};
	for (; first < result->level_count && !levels->items; first += levels->count) {
		size_t curve = result->levels[first].curve;
		levels->count = 1;
		while (first + levels->count < result->level_count &&
		       result->levels[first + levels->count].curve == curve)
			levels->count++;
		if (curve < result->curve_count) {
			levels->items = &result->levels[first];
			levels->curve = &result->curves[curve];
		}
	}
	return levels->items;
}

void levels_view(struct view *view, const struct fathom_result *result, enum fathom_y wanted)
{
	struct levels levels = {0};
	while (next_levels(result, &levels)) {
		view_part(view, "levels", "Levels");
		view_gap(view);
		if (levels.count < result->level_count)
			levels_curve(view, result, levels.items->curve);
		add_levels(view, &levels, wanted, false);
	}
}

void levels_beside_survey(struct view *view, const struct fathom_result *result)
{
	struct levels levels = {0};
	view_part(view, "levels", "What the levels rest on");
	while (next_levels(result, &levels))
		add_levels(view, &levels, FATHOM_Y_NS, true);
}
