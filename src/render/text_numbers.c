/* The numbers of a survey beside those that are quoted. */
#include <math.h>
#include <string.h>

#include "render/text_survey.h"

#define INDENT       2
#define NUMBER_NAME  23
#define NUMBER_TIME  11
#define NUMBER_HOW   28
#define NUMBER_QUOTE 8
#define EQUAL        1e-9

char *text_time(double ns, bool utf8, bool quoted)
{
	static const struct {
		double ns;
		const char *unit;
	} units[] = {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}};
	char number[UNITS_TEXT_BYTES];
	size_t i = 0;
	if (!isfinite(ns))
		return text_format("-");
	while (i + 1 < sizeof(units) / sizeof(*units) && ns >= 999.5 * units[i].ns)
		i++;
	bool micro = i == 1 && utf8;
	if (quoted) /* in as many digits as it has */
		return text_format("%g %s", ns / units[i].ns, micro ? "\u00b5s" : units[i].unit);
	return text_format("%s %s", units_format_number(ns / units[i].ns, number),
			   micro ? "\u00b5s" : units[i].unit);
}

static void add_number(const struct layout *layout, const struct fathom_number *number, bool quotes)
{
	text_add(layout->text, "%*s", INDENT, "");
	layout_cell(layout, NUMBER_NAME, false, number->name);
	layout_take_cell(layout, NUMBER_TIME - 2, true, text_time(number->ns, layout->utf8, false));
	text_add(layout->text, "  ");
	if (INDENT + NUMBER_NAME + NUMBER_TIME + NUMBER_HOW <= layout->columns)
		layout_cell(layout, quotes ? NUMBER_HOW : 0, false, number->how);
	if (quotes) {
		layout_take_cell(layout, NUMBER_QUOTE - 2, true,
				 text_time(number->dean_2009_ns, layout->utf8, true));
		layout_take_cell(layout, NUMBER_QUOTE, true,
				 text_time(number->scott_2020_ns, layout->utf8, true));
	}
	layout_end_line(layout);
}

/* A thousand times what a row above says, or not quoted and in the table of levels: the report has
 * it. */
static bool is_repeated(const struct fathom_result *result, size_t which)
{
	const struct fathom_number *number = &result->numbers[which];
	if (isnan(number->dean_2009_ns) && isnan(number->scott_2020_ns) &&
	    strncmp(number->name, "read ", strlen("read ")) != 0)
		return true;
	for (size_t i = 0; i < which; i++)
		if (fabs(number->ns / result->numbers[i].ns / 1000 - 1) < EQUAL)
			return true;
	return false;
}

void text_numbers(const struct layout *layout, const struct fathom_result *result)
{
	const unsigned width = INDENT + NUMBER_NAME + NUMBER_TIME + NUMBER_HOW + 2 * NUMBER_QUOTE;
	bool quotes = width - 2 <= layout->columns;
	struct text line = {0};
	if (result->number_count == 0)
		return;
	layout_end_part(layout);
	text_add(&line, "latency numbers every programmer should know, here and as quoted:");
	layout_item(layout, "", false, &line);
	if (quotes) {
		layout_cell(layout, INDENT + NUMBER_NAME, false, "");
		layout_cell(layout, NUMBER_TIME - 2, true, "here");
		layout_cell(layout, NUMBER_HOW + 2, false, "");
		layout_cell(layout, NUMBER_QUOTE - 2, true, "2009");
		layout_cell(layout, NUMBER_QUOTE, true, "2020");
		layout_end_line(layout);
	}
	for (size_t i = 0; i < result->number_count; i++)
		if (!is_repeated(result, i))
			add_number(layout, &result->numbers[i], quotes);
	if (!quotes)
		return;
	text_add(&line, "2009: J. Dean, LADIS; 2020: C. Scott's page; MB, GB: powers of ten");
	layout_item(layout, "  ", false, &line);
}
