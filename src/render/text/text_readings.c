/* Other ways to read latencies off a curve, beside the levels. */
#include <math.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "render/text/text_levels.h"
#include "render/text/text_table.h"

#define INDENT           2
#define LATENCY_COLUMNS  9
#define RESIDUAL_COLUMNS 11

/* The readings of one curve. */
struct readings {
	const struct fathom_result *result;
	const struct fathom_reading *items;
	size_t count;
	size_t curve;
	size_t latency_count; /* the most that one has */
	unsigned name_columns;
};

/* The name of the which-th level that readings speak of. */
static void add_level_name(const struct layout *layout, const struct readings *readings,
			   size_t which, struct text *text)
{
	size_t seen = 0;
	for (size_t i = 0; i < readings->result->level_count; i++) {
		const struct fathom_level *level = &readings->result->levels[i];
		if (level->curve != readings->curve || !text_level_is_read(level))
			continue;
		if (seen++ == which) {
			layout_outside(layout, text, level->name);
			return;
		}
	}
	text_add(text, "level %zu", which + 1);
}

static void add_latency(double latency, struct text *text)
{
	char number[UNITS_TEXT_BYTES];
	text_add(text, "%s", isfinite(latency) ? units_format_number(latency, number) : "-");
}

static void add_residual(double residual, struct text *text)
{
	if (isfinite(residual))
		text_add(text, "%.*f %%", residual < 0.0995 ? 1 : 0, 100 * residual);
	else
		text_add(text, "-");
}

static void add_heading(const struct layout *layout, const struct readings *readings)
{
	const struct fathom_curve *curve = &readings->result->curves[readings->curve];
	text_add(layout->text, "%*s", INDENT, "");
	layout_cell(layout, readings->name_columns, false,
		    table_count(curve, FATHOM_Y_NS) ? "reading, in ns" : "reading, in cycles");
	for (size_t i = 0; i < readings->latency_count; i++) {
		struct text name = {0};
		add_level_name(layout, readings, i, &name);
		layout_take_cell(layout, LATENCY_COLUMNS, true, text_take(&name));
	}
	layout_cell(layout, RESIDUAL_COLUMNS, true, "residual");
	layout_end_line(layout);
}

static void add_row(const struct layout *layout, const struct readings *readings,
		    const struct fathom_reading *reading)
{
	struct text cell = {0};
	text_add(layout->text, "%*s", INDENT, "");
	layout_outside(layout, &cell, reading->name);
	layout_take_cell(layout, readings->name_columns, false, text_take(&cell));
	for (size_t i = 0; i < readings->latency_count; i++) {
		add_latency(i < reading->latency_count ? reading->latency[i] : NAN, &cell);
		layout_take_cell(layout, LATENCY_COLUMNS, true, text_take(&cell));
	}
	add_residual(reading->residual, &cell);
	layout_take_cell(layout, RESIDUAL_COLUMNS, true, text_take(&cell));
	layout_end_line(layout);
}

/* The same in words, where the lines are too short for the table. */
static void add_item(const struct layout *layout, const struct readings *readings,
		     const struct fathom_reading *reading)
{
	const struct fathom_curve *curve = &readings->result->curves[readings->curve];
	const char *unit = table_count(curve, FATHOM_Y_NS) ? " ns" : " cycles";
	struct text line = {0};
	layout_outside(layout, &line, reading->name);
	text_add(&line, ":");
	for (size_t i = 0; i < reading->latency_count; i++) {
		text_add(&line, " ");
		add_level_name(layout, readings, i, &line);
		text_add(&line, " ");
		add_latency(reading->latency[i], &line);
		text_add(&line, "%s,", isfinite(reading->latency[i]) ? unit : "");
	}
	text_add(&line, " residual ");
	add_residual(reading->residual, &line);
	layout_item(layout, "  ", false, &line);
}

static unsigned width_of_names(const struct layout *layout, const struct readings *readings)
{
	size_t widest = utf8_columns("reading, in cycles");
	for (size_t i = 0; i < readings->count; i++) {
		struct text name = {0};
		layout_outside(layout, &name, readings->items[i].name);
		char *taken = text_take(&name);
		size_t width = taken ? utf8_columns(taken) : 0;
		layout->text->failed |= !taken;
		free(taken);
		widest = width > widest ? width : widest;
	}
	return (unsigned)widest;
}

static void add_readings(const struct layout *layout, struct readings *readings)
{
	for (size_t i = 0; i < readings->count; i++)
		if (readings->items[i].latency_count > readings->latency_count)
			readings->latency_count = readings->items[i].latency_count;
	readings->name_columns = width_of_names(layout, readings);
	bool table = INDENT + readings->name_columns + RESIDUAL_COLUMNS +
			     LATENCY_COLUMNS * readings->latency_count <=
		     layout->columns;
	if (table)
		add_heading(layout, readings);
	for (size_t i = 0; i < readings->count; i++) {
		struct text words = {0};
		if (table)
			add_row(layout, readings, &readings->items[i]);
		else
			add_item(layout, readings, &readings->items[i]);
		if (!readings->items[i].text)
			continue;
		layout_outside(layout, &words, readings->items[i].text);
		layout_item(layout, "      ", false, &words);
	}
}

void text_readings(const struct layout *layout, const struct fathom_result *result)
{
	for (size_t i = 0, end; i < result->reading_count; i = end) {
		size_t curve = result->readings[i].curve;
		for (end = i; end < result->reading_count && result->readings[end].curve == curve;)
			end++;
		if (curve >= result->curve_count)
			continue;
		struct readings readings = {.result = result,
					    .items = &result->readings[i],
					    .count = end - i,
					    .curve = curve};
		layout_end_part(layout);
		if (readings.count < result->reading_count)
			text_curve_title(layout, result, curve);
		add_readings(layout, &readings);
	}
}
