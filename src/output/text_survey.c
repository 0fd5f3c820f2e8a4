#include "output/text_survey.h"

#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/past_caches.h"
#include "output/text_columns.h"
#include "output/text_parallelism.h"

#define INDENT     2
#define GB         1e9
#define SURE       0.9
#define LEAST_GAIN 1.05 /* that is worth a sentence */

/* What the experiments say of one level. */
struct row {
	const struct fathom_level *level;
	const struct fathom_parallelism *reading;         /* NULL: not measured */
	const struct fathom_parallelism *overlap;         /* NULL: not measured */
	const struct fathom_decomposition *decomposition; /* NULL: not measured */
};

size_t text_survey_sweep(const struct fathom_result *result)
{
	size_t count = 0;
	while (count < result->curve_count && result->curves[count].experiment == FATHOM_LATENCY)
		count++;
	return count;
}

/* ---- what belongs to a level ---- */

static bool is_row(const struct fathom_level *level)
{
	return level->name &&
	       (level->kind == FATHOM_LEVEL_CACHE || level->kind == FATHOM_LEVEL_MEMORY);
}

/* Memory is all that lies past the caches, whatever the steps there are called. */
static bool is_of(const struct fathom_result *result, const struct fathom_level *level,
		  const struct fathom_parallelism *one)
{
	if (level->kind == FATHOM_LEVEL_MEMORY)
		return past_caches(result, one);
	return one->level && strcmp(one->level, level->name) == 0;
}

/* At the largest size that is in the level, of the kinds of pages the one with which accesses
 * overlap most, or with `reading` the one that reading in order was measured on. */
static const struct fathom_parallelism *
find_parallelism(const struct fathom_result *result, const struct fathom_level *level, bool reading)
{
	const struct fathom_parallelism *found = NULL;
	double most = NAN;
	for (size_t i = 0; i < result->parallelism_count; i++) {
		const struct fathom_parallelism *one = &result->parallelism[i];
		double value = reading ? one->read_bytes_per_second : one->speedup;
		if (!is_of(result, level, one) || !isfinite(value))
			continue;
		if (!found || one->size_bytes > found->size_bytes ||
		    (one->size_bytes == found->size_bytes && value > most)) {
			found = one;
			most = value;
		}
	}
	return found;
}

/* The largest size that is more than the cache before holds and no more than this one. */
static const struct fathom_decomposition *find_decomposition(const struct fathom_result *result,
							     const struct fathom_level *level,
							     const struct fathom_level *before)
{
	const struct fathom_decomposition *found = NULL;
	for (size_t i = 0; i < result->decomposition_count; i++) {
		const struct fathom_decomposition *one = &result->decompositions[i];
		double bytes = (double)one->size_bytes;
		bool open = level->kind == FATHOM_LEVEL_MEMORY || !isfinite(level->size_bytes);
		if ((!before || bytes > before->size_bytes) && (open || bytes <= level->size_bytes))
			found = one;
	}
	return found;
}

/* The caches by reach, then memory. Returns false behind the last. */
static bool next_row(const struct fathom_result *result, size_t *at, struct row *row)
{
	const struct fathom_level *before = row->level;
	for (; *at < result->level_count; ++*at) {
		const struct fathom_level *level = &result->levels[*at];
		if (!is_row(level))
			continue;
		*row = (struct row){level, find_parallelism(result, level, true),
				    find_parallelism(result, level, false),
				    find_decomposition(result, level, before)};
		++*at;
		return true;
	}
	return false;
}

static struct row find_row(const struct fathom_result *result, const char *name)
{
	struct row row = {0};
	for (size_t at = 0; next_row(result, &at, &row);)
		if (strcmp(row.level->name, name) == 0)
			return row;
	return (struct row){0};
}

/* ---- the table ---- */

typedef char *make_cell(const struct layout *layout, const struct row *row);

/* Of a level whose latency has no interval nobody should be told. */
static bool is_sure(const struct fathom_level *level)
{
	return level->confidence >= SURE && isfinite(level->latency_low_ns);
}

static char *name_cell(const struct layout *layout, const struct row *row)
{
	struct text name = {0};
	layout_outside(layout, &name, row->level->name);
	text_add(&name, "%s", is_sure(row->level) ? "" : " ?");
	return text_take(&name);
}

static char *reach_cell(const struct layout *layout, const struct row *row)
{
	const struct fathom_level *level = row->level;
	char size[UNITS_TEXT_BYTES];
	bool memory = level->kind == FATHOM_LEVEL_MEMORY, open = !isfinite(level->size_bytes);
	double bytes = memory ? level->at_bytes : open ? level->size_low_bytes : level->size_bytes;
	(void)layout;
	if (!(bytes >= 0 && bytes < 0x1p63))
		return text_format("-");
	return text_format("%s%s",
			   memory ? "at "
			   : open ? "> "
				  : "",
			   layout_size((uint64_t)llround(bytes), false, size));
}

static char *reported_cell(const struct layout *layout, const struct row *row)
{
	char size[UNITS_TEXT_BYTES];
	(void)layout;
	if (!row->level->reported_bytes)
		return text_format("%s", "");
	return text_format("%s", layout_size(row->level->reported_bytes, false, size));
}

static char *latency_cell(const struct layout *layout, const struct row *row)
{
	(void)layout;
	return text_three_digits(row->level->latency_ns);
}

static char *spread_cell(const struct layout *layout, const struct row *row)
{
	double half = (row->level->latency_high_ns - row->level->latency_low_ns) / 2;
	double value = row->level->latency_ns;
	int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
	if (!isfinite(half))
		return text_format("%s", "");
	return text_format(" %s%.*f", layout_plus_minus(layout), decimals, half);
}

static char *cycles_cell(const struct layout *layout, const struct row *row)
{
	(void)layout;
	return text_three_digits(row->level->latency_cycles);
}

static char *bandwidth_cell(const struct layout *layout, const struct row *row)
{
	(void)layout;
	return text_three_digits(row->reading ? row->reading->read_bytes_per_second / GB : NAN);
}

static char *overlap_cell(const struct layout *layout, const struct row *row)
{
	const struct fathom_parallelism *overlap = row->overlap;
	(void)layout;
	if (!overlap)
		return text_format("-");
	if (!overlap->saturated) /* no more than was seen */
		return text_format("> %.1f", floor(10 * overlap->speedup) / 10);
	return text_format("%.*f", overlap->speedup < 9.95, overlap->speedup);
}

/* What translation is known to add. */
static double translation_ns(const struct fathom_decomposition *decomposition)
{
	if (!decomposition)
		return NAN;
	double tlb_ns = decomposition->parts[FATHOM_PART_TLB].ns;
	double walk_ns = decomposition->parts[FATHOM_PART_WALK].ns;
	return isnan(tlb_ns) ? walk_ns : isnan(walk_ns) ? tlb_ns : tlb_ns + walk_ns;
}

static char *translation_cell(const struct layout *layout, const struct row *row)
{
	(void)layout;
	return text_three_digits(translation_ns(row->decomposition));
}

/* What has no room goes, that of the highest rank first. */
static const struct column {
	const char *top, *bottom;
	unsigned columns;
	bool left;
	unsigned rank;
	make_cell *make;
} columns[] = {
	{"level", "", 8, true, 0, name_cell},
	{"reach", "", 11, true, 0, reach_cell},
	{"OS says", "", 9, true, 2, reported_cell},
	{"latency", "ns", 8, false, 0, latency_cell},
	{"", "", 8, true, 6, spread_cell},
	{"", "cycles", 7, false, 5, cycles_cell},
	{"1 core", "GB/s", 8, false, 3, bandwidth_cell},
	{"overlap", "", 9, false, 1, overlap_cell},
	{"pages", "+ns", 8, false, 4, translation_cell},
};

static char *cell_text(const void *layout, const void *row, size_t which)
{
	return columns[which].make(layout, row);
}

static void add_table(const struct layout *layout, const struct fathom_result *result)
{
	struct text_columns table = {.indent = INDENT};
	struct row row = {0};
	struct text line = {0};
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		text_columns_add(&table, (struct text_column){columns[i].top, columns[i].bottom,
							      columns[i].columns, columns[i].left,
							      columns[i].rank, cell_text, i});
	text_columns_fit(layout, &table);
	layout_end_part(layout);
	text_columns_heading(layout, &table);
	for (size_t at = 0; next_row(result, &at, &row);)
		text_columns_row(layout, &table, layout, &row);
	text_add(&line,
		 "latency: one access after the other, of a cache without translation, of "
		 "memory with it; GB/s: reading in order; overlap: how many accesses go on "
		 "at once; pages: what translation adds on base pages, where the level serves "
		 "most");
	layout_item(layout, "  ", false, &line);
}

static void add_tlbs(const struct layout *layout, const struct fathom_result *result)
{
	char size[UNITS_TEXT_BYTES];
	for (size_t i = 0; i < result->translation_count; i++) {
		const struct fathom_translation *one = &result->translations[i];
		struct text line = {0};
		if (one->tlb_count == 0)
			continue;
		text_add(&line, "TLBs, %s pages: ",
			 one->page_bytes ? layout_size(one->page_bytes, false, size) : "base");
		for (size_t k = 0; k < one->tlb_count; k++)
			text_add(&line, "%s%.0f entries (then +%.3g ns)", k ? ", " : "",
				 one->tlbs[k].entries, one->tlbs[k].penalty_ns);
		layout_item(layout, "  ", false, &line);
	}
}

/* ---- what a programmer should know ---- */

static void say_span(const struct layout *layout, const struct fathom_result *result)
{
	struct row first = find_row(result, "L1"), memory = find_row(result, "memory");
	char size[UNITS_TEXT_BYTES];
	struct text line = {0};
	if (!first.level || !memory.level)
		return;
	text_add(&line,
		 "An access that finds its line in the first %s costs %.3g ns, one that goes to "
		 "memory %.3g ns: %.0f times as much.",
		 layout_size((uint64_t)llround(first.level->size_bytes), false, size),
		 first.level->latency_ns, memory.level->latency_ns,
		 memory.level->latency_ns / first.level->latency_ns);
	layout_item(layout, "- ", false, &line);
}

/* The last cache whose end was seen. */
static void say_reach(const struct layout *layout, const struct fathom_result *result)
{
	char own[UNITS_TEXT_BYTES], last_size[UNITS_TEXT_BYTES], reported[UNITS_TEXT_BYTES];
	const struct fathom_level *last = NULL, *before = NULL;
	struct row row = {0};
	struct text line = {0};
	for (size_t at = 0; next_row(result, &at, &row);)
		if (row.level->kind == FATHOM_LEVEL_CACHE && isfinite(row.level->size_bytes) &&
		    is_sure(row.level)) {
			before = last;
			last = row.level;
		}
	if (!last || !before)
		return;
	text_add(&line, "Data that is used again should fit in %s (%s, %.3g ns), or else in %s ",
		 layout_size((uint64_t)llround(before->size_bytes), false, own), before->name,
		 before->latency_ns,
		 layout_size((uint64_t)llround(last->size_bytes), false, last_size));
	text_add(&line, "(%s, %.3g ns)", last->name, last->latency_ns);
	if (last->reported_bytes && (last->size_high_bytes < (double)last->reported_bytes ||
				     last->size_low_bytes > (double)last->reported_bytes))
		text_add(&line, ": that is what a core reaches here of the %s that the OS reports",
			 layout_size(last->reported_bytes, false, reported));
	text_add(&line, ".");
	layout_item(layout, "- ", false, &line);
}

static void say_overlap(const struct layout *layout, const struct fathom_result *result)
{
	const struct fathom_parallelism *overlap = find_row(result, "memory").overlap;
	struct text line = {0};
	if (!overlap)
		return;
	const char *page = page_name((int)result->curves[overlap->curve].points[0].spec.page);
	text_add(&line,
		 "Accesses that do not wait for each other overlap: of those to memory %s%.3g go "
		 "on at once, which makes %.3g ns each in place of %.3g (%s pages).",
		 overlap->saturated ? "" : "at least ", overlap->speedup, overlap->ns_per_access,
		 overlap->latency_ns, page ? page : "unknown");
	layout_item(layout, "- ", false, &line);
}

static void say_order(const struct layout *layout, const struct fathom_result *result)
{
	const struct fathom_parallelism *reading = find_row(result, "memory").reading;
	double line_bytes = result->measured_line_bytes ? (double)result->measured_line_bytes : 64;
	struct text line = {0};
	if (!reading || !isfinite(reading->latency_ns))
		return;
	char size[UNITS_TEXT_BYTES];
	const char *page = page_name((int)result->curves[reading->curve].points[0].spec.page);
	double waiting = line_bytes / reading->latency_ns * 1e9;
	text_add(&line,
		 "Reading memory in order brings %.3g GB/s to a core, %.0f times what a chain of "
		 "random accesses brings (%s pages, %s)",
		 reading->read_bytes_per_second / GB, reading->read_bytes_per_second / waiting,
		 page ? page : "unknown", layout_size(reading->size_bytes, false, size));
	if (reading->all_threads > 1 && isfinite(reading->all_bytes_per_second))
		text_add(&line, "; all %u cores together get %.3g GB/s, %.2g times one",
			 reading->all_threads, reading->all_bytes_per_second / GB,
			 reading->all_bytes_per_second / reading->read_bytes_per_second);
	text_add(&line, ".");
	layout_item(layout, "- ", false, &line);
}

static void say_translation(const struct layout *layout, const struct fathom_result *result)
{
	char size[UNITS_TEXT_BYTES];
	const struct fathom_decomposition *last =
		result->decomposition_count
			? &result->decompositions[result->decomposition_count - 1]
			: NULL;
	const struct fathom_page_difference *gain = NULL;
	struct text line = {0};
	double ns = translation_ns(last);
	if (!isfinite(ns))
		return;
	text_add(&line, "At random in %s of base pages %.3g of %.3g ns are address translation",
		 layout_size(last->size_bytes, false, size), ns, last->total.ns);
	for (size_t i = 0; i < result->page_difference_count; i++)
		if (result->page_differences[i].size_bytes == last->size_bytes &&
		    result->page_differences[i].large == last->memory_curve)
			gain = &result->page_differences[i];
	if (gain && gain->low_ns > 0 && last->total.ns / (last->total.ns - gain->ns) > LEAST_GAIN)
		text_add(&line, "; large pages save %.3g ns of an access", gain->ns);
	text_add(&line, ".");
	layout_item(layout, "- ", false, &line);
}

void text_survey_words(const struct layout *layout, const struct fathom_result *result)
{
	say_span(layout, result);
	say_reach(layout, result);
	say_overlap(layout, result);
	say_order(layout, result);
	say_translation(layout, result);
}

void text_survey(const struct layout *layout, const struct fathom_result *result)
{
	add_table(layout, result);
	add_tlbs(layout, result);
	layout_end_part(layout);
	text_survey_words(layout, result);
	text_numbers(layout, result);
	layout_end_part(layout);
}
