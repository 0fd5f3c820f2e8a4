#include "views/survey/survey.h"

#include <math.h>

#include "model/checks/misses.h"
#include "views/levels/levels.h"
#include "views/points.h"
#include "views/rounding.h"
#include "views/survey/survey_rows.h"

#define GB 1e9

size_t survey_sweep(const struct fathom_result *result)
{
	size_t count = 0;
	while (count < result->curve_count && result->curves[count].experiment == FATHOM_LATENCY)
		count++;
	return count;
}

/* In the digits that the level's interval leaves. */
static void add_latency(struct view *view, const struct fathom_level *level, double value)
{
	if (rounding_is_wide(survey_rows_latency(level)) && isfinite(value))
		view_quantity(view, "~%s", rounding_about(value).text);
	else
		view_number(view, value);
}

static void add_overlap(struct view *view, const struct fathom_parallelism *overlap)
{
	bool bound = overlap && (!overlap->saturated || overlap->limit == FATHOM_LIMIT_LOOP);
	view_rounded(view, rounding_overlap(overlap ? overlap->speedup : NAN, bound));
	view_before(view, bound ? "> " : "");
}

static void add_row(struct view *view, const struct fathom_result *result,
		    const struct survey_row *row)
{
	const struct fathom_level *level = row->level;
	view_row(view);
	view_name(view, "%s%s", level->name, survey_rows_is_sure(level) ? "" : " ?");
	levels_reach(view, level);
	if (level->reported_bytes)
		view_size(view, (double)level->reported_bytes);
	else
		view_empty(view);
	view_mark(view, levels_differ(result, level) ? '!' : 0);
	add_latency(view, level, level->latency_ns);
	view_spread(view, rounding_spread(survey_rows_latency(level)).text);
	add_latency(view, level, level->latency_cycles);
	view_number(view, row->reading ? row->reading->read_bytes_per_second / GB : NAN);
	add_overlap(view, row->overlap);
	double translation_ns = survey_rows_translation_ns(row->decomposition);
	view_number(view, translation_ns);
	if (isfinite(translation_ns) && survey_rows_translation_is_bound(row->decomposition))
		view_before(view, "> ");
}

/* Of memory, what other stages measured at another size than the one that the row names. */
static void add_other_sizes(struct text *legend, const struct survey_row *row)
{
	const struct {
		const char *name;
		uint64_t size_bytes;
	} columns[] = {{"read", row->reading ? row->reading->size_bytes : 0},
		       {"MLP", row->overlap ? row->overlap->size_bytes : 0},
		       {"TLB", row->decomposition ? row->decomposition->size_bytes : 0}};
	uint64_t said = 0;
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		uint64_t bytes = columns[i].size_bytes;
		if (!bytes || (double)bytes == row->level->at_bytes)
			continue;
		if (said && said != bytes)
			text_add(legend, " at %s", rounding_size(said).text);
		text_add(legend, "%s%s", said ? ", " : "; memory: ", columns[i].name);
		said = bytes;
	}
	if (said)
		text_add(legend, " at %s", rounding_size(said).text);
}

/* Of the columns that have a value. */
static void add_legend(struct view *view, const struct fathom_result *result)
{
	struct survey_row row = {0};
	struct text legend = {0};
	bool reading = false, lacking = false, overlap = false, translation = false;
	for (size_t at = 0; survey_rows_next(result, &at, &row);) {
		reading |= row.reading != NULL;
		lacking |= row.reading == NULL;
		overlap |= row.overlap != NULL;
		translation |= isfinite(survey_rows_translation_ns(row.decomposition));
	}
	text_add(&legend, "latency: dependent accesses (memory: with translation)%s%s%s%s",
		 reading ? "; GB/s: reading in order" : "",
		 reading && lacking ? " (-: not measured at the size of the lanes)" : "",
		 overlap ? "; MLP: accesses in flight (>: at least)" : "",
		 translation ? "; TLB: time that translation adds on base pages" : "");
	row = survey_rows_find(result, "memory");
	if (row.level)
		add_other_sizes(&legend, &row);
	view_take(view, VIEW_NOTE, &legend);
}

static void add_table(struct view *view, const struct fathom_result *result)
{
	struct survey_row row = {0};
	view_gap(view);
	VIEW_TABLE(view, COLUMN("level"), COLUMN("size"), COLUMN("OS says", .rank = 2),
		   COLUMN("latency", .unit = "ns", .spread_rank = 6),
		   COLUMN(NULL, .unit = "cycles", .rank = 5),
		   COLUMN("read", .unit = "GB/s", .rank = 3), COLUMN("MLP", .rank = 1),
		   COLUMN("TLB", .unit = "+ns", .rank = 4));
	for (size_t at = 0; survey_rows_next(result, &at, &row);)
		add_row(view, result, &row);
	add_legend(view, result);
	row = survey_rows_find(result, "memory");
	if (row.level)
		levels_memory(view, result, row.level);
}

static void add_tlbs(struct view *view, const struct fathom_result *result)
{
	for (size_t i = 0; i < result->translation_count; i++) {
		const struct fathom_translation *one = &result->translations[i];
		struct text line = {0};
		if (one->tlb_count == 0)
			continue;
		text_add(&line, "TLBs, %s pages: ",
			 one->page_bytes ? rounding_size(one->page_bytes).text : "base");
		for (size_t k = 0; k < one->tlb_count; k++) {
			const struct fathom_tlb *tlb = &one->tlbs[k];
			struct estimate entries = ESTIMATE(tlb, entries, );
			text_add(&line, "%s", k ? "; " : "");
			if (rounding_is_wide(entries))
				points_add_estimate(&line, entries, " entries");
			else
				text_add(&line, "%s entries", rounding_count(entries).text);
			text_add(&line, ", a miss adds ");
			points_add_estimate(&line, ESTIMATE(tlb, penalty, _ns), " ns");
			if (levels_is_unsure(tlb->confidence) || misses_are_doubtful(result, tlb))
				text_add(&line, " (or a cache ends there)");
		}
		view_take(view, VIEW_NOTE, &line);
	}
}

/* What the plot shows and no row says. */
static void add_undecided(struct view *view, const struct fathom_result *result)
{
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		if (level->kind != FATHOM_LEVEL_UNKNOWN || !isfinite(level->size_bytes))
			continue;
		view_say(view, VIEW_NOTE,
			 "%s, %s: a cache, a TLB or page tables end there; this curve does not "
			 "tell which",
			 view_known(level->name), levels_size(level).text);
	}
}

void survey_view(struct view *view, const struct fathom_result *result)
{
	view_part(view, "survey", "What each level costs");
	add_table(view, result);
	add_tlbs(view, result);
	if (!view->full) /* else in a table of its own */
		add_undecided(view, result);
	view_gap(view);
	if (result->number_count)
		survey_words(view, result);
}

void survey_numbers(struct view *view, const struct fathom_result *result)
{
	view_gap(view);
	numbers_view(view, result);
	if (!view->full)
		return;
	view_gap(view);
	levels_beside_survey(view, result);
}
