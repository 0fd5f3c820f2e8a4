#include "render/text/text_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/text/text_table.h"

#define INDENT        2
#define NAME_COLUMNS  10
#define REACH_COLUMNS 15
#define OS_COLUMNS    18
#define OS_SIZE       9   /* of these; the mark comes next */
#define WIDE_RATIO    1.2 /* a reach that is known no better is shown as its interval */
#define MOVED_RATIO   1.1 /* of blocks: more than measuring scatters */
#define SURE          0.9 /* what is less sure is marked */

/* The levels of one curve, and which columns their table has. */
struct levels {
	const struct fathom_result *result;
	const struct fathom_level *items;
	size_t count;
	const struct fathom_curve *curve;
	enum fathom_y y, beside;
	bool has_os, has_spread, has_beside;
};

/* ---- what is shown of a level ---- */

static bool has_penalty(const struct fathom_level *level)
{
	return isfinite(level->penalty_ns) || isfinite(level->penalty_cycles);
}

static struct table_value level_value(const struct fathom_level *level, enum fathom_y y)
{
	bool cycles = y == FATHOM_Y_CYCLES;
	if (has_penalty(level))
		return (struct table_value){cycles ? level->penalty_cycles : level->penalty_ns, NAN,
					    NAN};
	if (cycles)
		return (struct table_value){level->latency_cycles, level->latency_low_cycles,
					    level->latency_high_cycles};
	return (struct table_value){level->latency_ns, level->latency_low_ns,
				    level->latency_high_ns};
}

static bool is_unsure(const struct fathom_level *level)
{
	return level->kind != FATHOM_LEVEL_UNKNOWN && level->confidence < SURE;
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
static bool differs(const struct levels *levels, const struct fathom_level *level)
{
	const struct fathom_warnings *warnings = &levels->result->warnings;
	if (!level->name || !level->reported_bytes || !is_outside(level))
		return false;
	for (size_t i = 0; i < warnings->count; i++) {
		const struct fathom_warning *warning = &warnings->items[i];
		if (strcmp(warning->id, "reach-differs") == 0 && warning->where &&
		    strcmp(warning->where, level->name) == 0)
			return true;
	}
	return false;
}

/* Where the level before is small beside this one, its part is no more than an error of the reach.
 */
#define VICTIM_ADDS_MOST 0.9
static bool is_victim(const struct levels *levels, const struct fathom_level *level)
{
	double reported = (double)level->reported_bytes;
	return level->reported_bytes && isfinite(level->size_bytes) &&
	       reported < level->size_low_bytes && !differs(levels, level) &&
	       level->increment_bytes < VICTIM_ADDS_MOST * level->size_bytes &&
	       fabs(reported - level->increment_bytes) < fabs(reported - level->size_bytes);
}

/* ---- cells ---- */

static void add_name(const struct layout *layout, const struct fathom_level *level)
{
	struct text name = {0};
	layout_outside(layout, &name, level->name);
	text_add(&name, "%s", is_unsure(level) ? " ?" : "");
	layout_take_cell(layout, NAME_COLUMNS, false, text_take(&name));
}

static void add_reach(const struct layout *layout, const struct fathom_level *level)
{
	char size[UNITS_TEXT_BYTES];
	const char *before = "";
	double bytes = level->size_bytes;
	double low = level->size_low_bytes, high = level->size_high_bytes;
	if (level->kind == FATHOM_LEVEL_MEMORY) {
		before = "at ";
		bytes = level->at_bytes;
	} else if (!isfinite(bytes)) { /* its end was not reached */
		before = "> ";
		bytes = low;
	}
	if (isfinite(level->size_bytes) && high > WIDE_RATIO * low)
		layout_size_range(layout, low, high, size);
	else if (bytes >= 0 && bytes < 0x1p63)
		layout_size((uint64_t)llround(bytes), false, size);
	else
		size[0] = 0;
	layout_take_cell(layout, REACH_COLUMNS, false, text_format("%s%s", before, size));
}

static void add_os(const struct layout *layout, const struct levels *levels,
		   const struct fathom_level *level)
{
	char size[UNITS_TEXT_BYTES];
	if (level->kind == FATHOM_LEVEL_UNKNOWN) {
		layout_cell(layout, OS_COLUMNS, false,
			    has_penalty(level) ? "(cache or TLB?)" : "(cache or memory?)");
	} else if (level->kind == FATHOM_LEVEL_TLB && isfinite(level->entries)) {
		layout_take_cell(layout, OS_COLUMNS, false,
				 text_format("(%.0f %s %s)", level->entries,
					     layout->utf8 ? "\u00d7" : "x",
					     layout_size(level->entry_bytes, false, size)));
	} else {
		bool mark = differs(levels, level);
		layout_cell(layout, OS_SIZE, false,
			    level->reported_bytes ? layout_size(level->reported_bytes, false, size)
						  : "");
		layout_mark(layout, mark ? "!" : " ", mark);
		layout_cell(layout, OS_COLUMNS - OS_SIZE - 1, false, "");
	}
}

static void add_row(const struct layout *layout, const struct levels *levels,
		    const struct fathom_level *level)
{
	struct table_value value = level_value(level, levels->y);
	const char *sign = has_penalty(level) || levels->curve->over_first ? "+" : "";
	text_add(layout->text, "%*s", INDENT, "");
	add_name(layout, level);
	add_reach(layout, level);
	if (levels->has_os)
		add_os(layout, levels, level);
	table_add_number(layout, sign, value.value, levels->y);
	if (levels->has_spread)
		table_add_spread(layout, value);
	if (levels->has_beside)
		table_add_number(layout, sign, level_value(level, levels->beside).value,
				 levels->beside);
	layout_end_line(layout);
}

static void add_heading(const struct layout *layout, const struct levels *levels)
{
	bool os = false;
	for (size_t i = 0; i < levels->count; i++)
		os |= levels->items[i].reported_bytes > 0;
	text_add(layout->text, "%*s", INDENT, "");
	layout_cell(layout, NAME_COLUMNS, false, "level");
	layout_cell(layout, REACH_COLUMNS, false, "reach");
	if (levels->has_os)
		layout_cell(layout, OS_COLUMNS, false, os ? "OS says" : "");
	layout_cell(layout, TABLE_NUMBER_COLUMNS, true, table_quantity(levels->y)->name);
	if (levels->has_spread)
		layout_cell(layout, TABLE_SPREAD_COLUMNS, false, "");
	if (levels->has_beside)
		layout_cell(layout, TABLE_NUMBER_COLUMNS, true,
			    table_quantity(levels->beside)->name);
	layout_end_line(layout);
}

/* ---- what the table leaves open ---- */

static void add_evidence(const struct layout *layout, const struct fathom_level *level)
{
	struct text line = {0};
	bool unsure = is_unsure(level);
	bool open = level->kind == FATHOM_LEVEL_TLB || level->kind == FATHOM_LEVEL_UNKNOWN;
	if (!unsure && !open)
		return;
	layout_outside(layout, &line, level->name);
	if (unsure)
		text_add(&line, " (%.0f %% sure)", 100 * level->confidence);
	text_add(&line, ": ");
	layout_outside(layout, &line, level->evidence);
	layout_item(layout, unsure ? "? " : "  ", unsure, &line);
}

static void add_victim(const struct layout *layout, const struct levels *levels,
		       const struct fathom_level *level)
{
	char size[UNITS_TEXT_BYTES];
	struct text line = {0};
	if (!is_victim(levels, level))
		return;
	layout_outside(layout, &line, level->name);
	text_add(&line,
		 ": adds %s to the reach of the level before: it holds what that one evicts, and "
		 "not what is in it",
		 layout_size((uint64_t)llround(level->increment_bytes), false, size));
	layout_item(layout, "  ", false, &line);
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

static void add_replacement(const struct layout *layout, const struct fathom_level *level)
{
	static const char *const classes[FATHOM_REPLACEMENT_COUNT] = {
		[FATHOM_REPLACEMENT_UNDECIDABLE] = "cannot be told",
		[FATHOM_REPLACEMENT_LRU] = "like LRU",
		[FATHOM_REPLACEMENT_RANDOM] = "like random",
		[FATHOM_REPLACEMENT_RESISTANT] = "resists thrashing",
	};
	struct text line = {0};
	if (level->kind != FATHOM_LEVEL_CACHE || level->replacement >= FATHOM_REPLACEMENT_COUNT)
		return;
	layout_outside(layout, &line, level->name);
	text_add(&line, " replacement: %s", classes[level->replacement]);
	if (level->replacement_evidence) {
		text_add(&line, " (");
		layout_outside(layout, &line, level->replacement_evidence);
		text_add(&line, ")");
	}
	layout_item(layout, "  ", false, &line);
}

/* ---- all ---- */

void text_curve_title(const struct layout *layout, const struct fathom_result *result, size_t curve)
{
	struct text line = {0};
	char *label = view_label(layout, result, &result->curves[curve], false);
	text_add(&line, "%s:", label ? label : "");
	layout->text->failed |= !label;
	free(label);
	layout_item(layout, "", false, &line);
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

void text_memory(const struct layout *layout, const struct fathom_result *result,
		 const struct fathom_level *level)
{
	char least[UNITS_TEXT_BYTES], most[UNITS_TEXT_BYTES];
	double low, high;
	struct text line = {0};
	if (level->kind != FATHOM_LEVEL_MEMORY || level->curve >= result->curve_count ||
	    !find_blocks(&result->curves[level->curve], level, &low, &high))
		return;
	layout_outside(layout, &line, level->name);
	text_add(&line,
		 ": between %s and %s ns in the blocks of this run, as neighbours' traffic and "
		 "places in memory have it",
		 units_format_number(low, least), units_format_number(high, most));
	layout_item(layout, "  ", false, &line);
}

bool text_level_is_read(const struct fathom_level *level)
{
	return level->kind == FATHOM_LEVEL_CACHE || level->kind == FATHOM_LEVEL_MEMORY;
}

static bool has_value(const struct levels *levels, enum fathom_y y)
{
	for (size_t i = 0; i < levels->count; i++)
		if (isfinite(level_value(&levels->items[i], y).value))
			return true;
	return false;
}

/* What has no room goes: the second unit first, then the intervals, then what the OS says. */
static void find_columns(const struct layout *layout, enum fathom_y wanted, struct levels *levels)
{
	unsigned width = INDENT + NAME_COLUMNS + REACH_COLUMNS + TABLE_NUMBER_COLUMNS;
	bool cycles = wanted == FATHOM_Y_CYCLES ? has_value(levels, FATHOM_Y_CYCLES)
						: !has_value(levels, FATHOM_Y_NS);
	levels->y = cycles ? FATHOM_Y_CYCLES : FATHOM_Y_NS;
	levels->beside = cycles ? FATHOM_Y_NS : FATHOM_Y_CYCLES;
	for (size_t i = 0; i < levels->count; i++)
		levels->has_os |= levels->items[i].reported_bytes > 0 ||
				  levels->items[i].kind == FATHOM_LEVEL_TLB ||
				  levels->items[i].kind == FATHOM_LEVEL_UNKNOWN;
	levels->has_os &= width + OS_COLUMNS <= layout->columns;
	width += levels->has_os ? OS_COLUMNS : 0;
	levels->has_spread = width + TABLE_SPREAD_COLUMNS <= layout->columns;
	width += levels->has_spread ? TABLE_SPREAD_COLUMNS : 0;
	levels->has_beside = has_value(levels, levels->beside) &&
			     width + TABLE_NUMBER_COLUMNS <= layout->columns;
}

static void add_levels(const struct layout *layout, const struct levels *levels)
{
	add_heading(layout, levels);
	for (size_t i = 0; i < levels->count; i++)
		add_row(layout, levels, &levels->items[i]);
	for (size_t i = 0; i < levels->count; i++) {
		add_evidence(layout, &levels->items[i]);
		add_victim(layout, levels, &levels->items[i]);
		text_memory(layout, levels->result, &levels->items[i]);
	}
	for (size_t i = 0; i < levels->count && has_both_orders(levels); i++)
		add_replacement(layout, &levels->items[i]);
}

void text_levels(const struct layout *layout, const struct fathom_result *result,
		 enum fathom_y wanted)
{
	for (size_t i = 0, end; i < result->level_count; i = end) {
		size_t curve = result->levels[i].curve;
		for (end = i; end < result->level_count && result->levels[end].curve == curve;)
			end++;
		if (curve >= result->curve_count)
			continue;
		struct levels levels = {
			.result = result,
			.items = &result->levels[i],
			.count = end - i,
			.curve = &result->curves[curve],
		};
		layout_end_part(layout);
		if (levels.count < result->level_count)
			text_curve_title(layout, result, curve);
		find_columns(layout, wanted, &levels);
		add_levels(layout, &levels);
	}
}
