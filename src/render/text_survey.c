#include "render/text_survey.h"

#include <math.h>
#include <stdlib.h>

#include "render/experiments/text_parallelism.h"
#include "render/text/text_columns.h"
#include "render/text/text_levels.h"
#include "views/survey_rows.h"

#define INDENT 2
#define GB     1e9

size_t text_survey_sweep(const struct fathom_result *result)
{
	size_t count = 0;
	while (count < result->curve_count && result->curves[count].experiment == FATHOM_LATENCY)
		count++;
	return count;
}

/* ---- the table ---- */

typedef char *make_cell(const struct layout *layout, const struct survey_row *row);

static char *name_cell(const struct layout *layout, const struct survey_row *row)
{
	struct text name = {0};
	layout_outside(layout, &name, row->level->name);
	text_add(&name, "%s", survey_rows_is_sure(row->level) ? "" : " ?");
	return text_take(&name);
}

static char *reach_cell(const struct layout *layout, const struct survey_row *row)
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

static char *reported_cell(const struct layout *layout, const struct survey_row *row)
{
	char size[UNITS_TEXT_BYTES];
	(void)layout;
	if (!row->level->reported_bytes)
		return text_format("%s", "");
	return text_format("%s", layout_size(row->level->reported_bytes, false, size));
}

/* In the digits that the level's interval leaves. */
static char *in_its_digits(const struct fathom_level *level, double value)
{
	char about[UNITS_TEXT_BYTES];
	if (layout_is_wide(level->latency_ns, level->latency_low_ns, level->latency_high_ns) &&
	    isfinite(value))
		return text_format("~%s", layout_about(value, about));
	return text_three_digits(value);
}

static char *latency_cell(const struct layout *layout, const struct survey_row *row)
{
	(void)layout;
	return in_its_digits(row->level, row->level->latency_ns);
}

static char *spread_cell(const struct layout *layout, const struct survey_row *row)
{
	const struct fathom_level *level = row->level;
	char *spread = layout_spread(layout, level->latency_ns, level->latency_low_ns,
				     level->latency_high_ns);
	char *cell = spread ? text_format(" %s", spread) : NULL;
	free(spread);
	return cell;
}

static char *cycles_cell(const struct layout *layout, const struct survey_row *row)
{
	(void)layout;
	return in_its_digits(row->level, row->level->latency_cycles);
}

static char *bandwidth_cell(const struct layout *layout, const struct survey_row *row)
{
	(void)layout;
	return text_three_digits(row->reading ? row->reading->read_bytes_per_second / GB : NAN);
}

static char *overlap_cell(const struct layout *layout, const struct survey_row *row)
{
	const struct fathom_parallelism *overlap = row->overlap;
	char speedup[UNITS_TEXT_BYTES];
	(void)layout;
	if (!overlap)
		return text_format("-");
	return text_format("%s%s", overlap->saturated ? "" : "> ",
			   units_format_overlap(overlap->speedup, !overlap->saturated, speedup));
}

static char *translation_cell(const struct layout *layout, const struct survey_row *row)
{
	(void)layout;
	return text_three_digits(survey_rows_translation_ns(row->decomposition));
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
	{"", "", 9, true, 6, spread_cell},
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
	struct survey_row row = {0};
	struct text line = {0};
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		text_columns_add(&table, (struct text_column){columns[i].top, columns[i].bottom,
							      columns[i].columns, columns[i].left,
							      columns[i].rank, cell_text, i});
	text_columns_fit(layout, &table);
	layout_end_part(layout);
	text_columns_heading(layout, &table);
	for (size_t at = 0; survey_rows_next(result, &at, &row);)
		text_columns_row(layout, &table, layout, &row);
	text_add(&line,
		 "latency: one access after the other (memory: with translation); GB/s: in "
		 "order; overlap: accesses at once; pages: what translation adds on base ones");
	layout_item(layout, "  ", false, &line);
	row = survey_rows_find(result, "memory");
	if (row.level)
		text_memory(layout, result, row.level);
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

void text_survey(const struct layout *layout, const struct fathom_result *result)
{
	add_table(layout, result);
	add_tlbs(layout, result);
	layout_end_part(layout);
	text_survey_words(layout, result);
	text_numbers(layout, result);
	layout_end_part(layout);
}
