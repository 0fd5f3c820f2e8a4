#include "views/survey/survey.h"

#include <math.h>

#include "views/levels.h"
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
	char about[UNITS_TEXT_BYTES];
	bool wide =
		rounding_is_wide(level->latency_ns, level->latency_low_ns, level->latency_high_ns);
	if (wide && isfinite(value))
		view_name(view, "~%s", rounding_about(value, about));
	else
		view_number(view, value);
}

static void add_overlap(struct view *view, const struct fathom_parallelism *overlap)
{
	char speedup[UNITS_TEXT_BYTES];
	if (overlap)
		view_name(view, "%s%s", overlap->saturated ? "" : "> ",
			  units_format_overlap(overlap->speedup, !overlap->saturated, speedup));
	else
		view_name(view, "-");
}

static void add_row(struct view *view, const struct survey_row *row)
{
	const struct fathom_level *level = row->level;
	char spread[UNITS_TEXT_BYTES];
	view_row(view);
	view_name(view, "%s%s", level->name, survey_rows_is_sure(level) ? "" : " ?");
	levels_reach(view, level, false);
	if (level->reported_bytes)
		view_size(view, (double)level->reported_bytes);
	else
		view_empty(view);
	add_latency(view, level, level->latency_ns);
	view_spread(view, rounding_spread(level->latency_ns, level->latency_low_ns,
					  level->latency_high_ns, spread));
	add_latency(view, level, level->latency_cycles);
	view_number(view, row->reading ? row->reading->read_bytes_per_second / GB : NAN);
	add_overlap(view, row->overlap);
	view_number(view, survey_rows_translation_ns(row->decomposition));
}

static void add_table(struct view *view, const struct fathom_result *result)
{
	struct survey_row row = {0};
	view_gap(view);
	view_table(view, 2, VIEW_DROP);
	view_column(view, "level", NULL, (struct view_column){.left = true, .width = 8});
	view_column(view, "size", NULL, (struct view_column){.left = true, .width = 11});
	view_column(view, "OS says", NULL,
		    (struct view_column){.left = true, .width = 9, .rank = 2});
	view_column(view, "latency", "ns",
		    (struct view_column){.width = 8, .gap = 1, .spread = 9, .spread_rank = 6});
	view_column(view, NULL, "cycles", (struct view_column){.width = 7, .rank = 5});
	view_column(view, "read", "GB/s", (struct view_column){.width = 8, .rank = 3});
	view_column(view, "MLP", NULL, (struct view_column){.width = 9, .rank = 1});
	view_column(view, "TLB", "+ns", (struct view_column){.width = 8, .rank = 4});
	for (size_t at = 0; survey_rows_next(result, &at, &row);)
		add_row(view, &row);
	view_say(view, VIEW_NOTE,
		 "latency: dependent accesses (memory: with translation); GB/s: reading in order; "
		 "MLP: accesses in flight; TLB: time that translation adds on base pages");
	row = survey_rows_find(result, "memory");
	if (row.level)
		levels_memory(view, result, row.level);
}

static void add_tlbs(struct view *view, const struct fathom_result *result)
{
	char size[UNITS_TEXT_BYTES];
	for (size_t i = 0; i < result->translation_count; i++) {
		const struct fathom_translation *one = &result->translations[i];
		struct text line = {0};
		if (one->tlb_count == 0)
			continue;
		text_add(&line, "TLBs, %s pages: ",
			 one->page_bytes ? rounding_size(one->page_bytes, false, size) : "base");
		for (size_t k = 0; k < one->tlb_count; k++)
			text_add(&line, "%s%.0f entries (then +%.3g ns)", k ? ", " : "",
				 one->tlbs[k].entries, one->tlbs[k].penalty_ns);
		view_take(view, VIEW_NOTE, &line);
	}
}

void survey_view(struct view *view, const struct fathom_result *result)
{
	view_part(view, "survey", "What each level costs");
	add_table(view, result);
	add_tlbs(view, result);
	view_gap(view);
	if (result->number_count)
		survey_words(view, result);
	numbers_view(view, result);
	view_gap(view);
}
