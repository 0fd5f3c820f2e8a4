#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "render/experiments/text_patterns.h"

#define LEAST_SHOWN_NS 1e-3
#define NAME_COLUMNS   24
#define TIME_COLUMNS   12
#define EFFECT_COLUMNS 16

static void add_rows(const struct layout *layout, const struct fathom_result *result)
{
	char size[UNITS_TEXT_BYTES], node[UNITS_TEXT_BYTES];
	layout_cell(layout, NAME_COLUMNS, false, "  order");
	layout_cell(layout, TIME_COLUMNS, true, "nodes of");
	layout_cell(layout, TIME_COLUMNS, true, "size");
	layout_cell(layout, TIME_COLUMNS, true, "ns ");
	layout_cell(layout, TIME_COLUMNS, true, "cycles ");
	layout_end_line(layout);
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			const struct fathom_point *point = &result->curves[i].points[k];
			struct text_time time = text_time_of(point);
			text_add(layout->text, "  ");
			layout_take_cell(layout, NAME_COLUMNS - 2, false,
					 text_row_name(&point->spec));
			layout_cell(layout, TIME_COLUMNS, true,
				    layout_size(point->spec.node_bytes, false, node));
			layout_cell(layout, TIME_COLUMNS, true,
				    layout_size(point->spec.size_bytes, false, size));
			text_time_cell(layout, TIME_COLUMNS, time.ns, text_mark(point));
			text_time_cell(layout, TIME_COLUMNS, time.cycles, 0);
			layout_end_line(layout);
		}
}

static const char *verdict(const struct fathom_effect *effect)
{
	if (effect->acts)
		return "acts";
	return isfinite(effect->low_ns) ? "not seen" : "cannot be told";
}

/* A picosecond is more than any clock tells: less is nothing. */
static double shown(double ns)
{
	return fabs(ns) < LEAST_SHOWN_NS ? 0 : ns;
}

static char *interval_text(const struct fathom_effect *effect)
{
	if (!isfinite(effect->low_ns) || !isfinite(effect->high_ns))
		return text_format("unknown");
	return text_format("%.3g to %.3g", shown(effect->low_ns), shown(effect->high_ns));
}

static void add_name(const struct layout *layout, const char *name)
{
	struct text escaped = {0};
	layout_outside(layout, &escaped, name);
	layout_take_cell(layout, EFFECT_COLUMNS - 2, false, text_take(&escaped));
}

static void add_counts(const struct layout *layout, const struct fathom_result *result)
{
	uint64_t largest_bytes = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++)
			if (result->curves[i].points[k].spec.size_bytes > largest_bytes)
				largest_bytes = result->curves[i].points[k].spec.size_bytes;
	text_counts(layout, result, largest_bytes);
}

static void add_effects(const struct layout *layout, const struct fathom_result *result)
{
	char size[UNITS_TEXT_BYTES];
	struct text line = {0};
	layout_cell(layout, EFFECT_COLUMNS, false, "  prefetcher");
	layout_cell(layout, TIME_COLUMNS, true, "size");
	layout_cell(layout, TIME_COLUMNS, true, "worth ns");
	layout_cell(layout, NAME_COLUMNS, true, "95 %");
	layout_end_line(layout);
	for (size_t i = 0; i < result->effect_count; i++) {
		const struct fathom_effect *effect = &result->effects[i];
		text_add(layout->text, "  ");
		add_name(layout, effect->name);
		layout_cell(layout, TIME_COLUMNS, true,
			    layout_size(effect->size_bytes, false, size));
		layout_take_cell(layout, TIME_COLUMNS, true,
				 text_format("%.3g", shown(effect->ns)));
		layout_take_cell(layout, NAME_COLUMNS, true, interval_text(effect));
		text_add(layout->text, "  %s\n", verdict(effect));
	}
	layout_end_part(layout);
	text_add(&line, "stride: page-local against sequential; adjacent line: the second hop of a "
			"pair; temporal: other orders against the same again. Worth is what an "
			"access costs less.");
	layout_item(layout, "  ", false, &line);
}

void text_effects(const struct layout *layout, const struct fathom_result *result)
{
	add_rows(layout, result);
	layout_end_part(layout);
	text_exactness(layout, result);
	add_counts(layout, result);
	if (result->effect_count)
		add_effects(layout, result);
}
