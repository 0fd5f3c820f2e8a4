/* What tables of patterns have in common. */
#include <math.h>
#include <string.h>

#include "base/patterns.h"
#include "base/text.h"
#include "render/experiments/text_patterns.h"

enum fathom_experiment text_experiment(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->curve_count; i++)
		if (!result->curves[i].tool && result->curves[i].point_count &&
		    result->curves[i].experiment != FATHOM_LATENCY)
			return result->curves[i].experiment;
	return FATHOM_LATENCY;
}

char *text_row_name(const struct fathom_spec *spec)
{
	const struct pattern_traits *traits = pattern_traits(spec->pattern);
	const char *label = traits->label ? traits->label : traits->name;
	const char *gap = strstr(label, "{}");
	char size[UNITS_TEXT_BYTES];
	if (!gap)
		return text_format("%s", label);
	int before = (int)(gap - label);
	if (traits->has_laps)
		return text_format("%.*s%u%s", before, label, spec->laps, gap + 2);
	layout_size(traits->has_window ? spec->window_bytes : spec->stride_bytes,
		    fathom_pattern_overlaps(spec->pattern), size);
	return text_format("%.*s%s%s", before, label, size, gap + 2);
}

struct text_time text_time_of(const struct fathom_point *point)
{
	if (fathom_spec_overlaps(&point->spec))
		return (struct text_time){point->ns_per_access, point->ns_per_access_low,
					  point->ns_per_access_high, point->cycles_per_access};
	return (struct text_time){point->latency_ns, point->latency_low_ns, point->latency_high_ns,
				  point->latency_cycles};
}

char text_mark(const struct fathom_point *point)
{
	struct text_time time = text_time_of(point);
	if (!isfinite(time.ns))
		return 0;
	if (!isfinite(time.low_ns))
		return '?';
	return point->within_target ? 0 : '~';
}

void text_exactness(const struct layout *layout, const struct fathom_result *result)
{
	struct text line = {0};
	size_t points = 0, within = 0;
	double target = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			target = points++ ? target : result->curves[i].points[k].target;
			within += result->curves[i].points[k].within_target;
		}
	if (!(target > 0))
		return;
	text_add(&line,
		 "%zu of %zu points are within the wanted %s%.3g %%; ~ marks wider ones, ? those "
		 "without an interval",
		 within, points, layout_plus_minus(layout), 100 * target);
	layout_item(layout, "  ", false, &line);
}

void text_time_cell(const struct layout *layout, unsigned columns, double value, char mark)
{
	int decimals = fabs(value) < 9.995 ? 2 : fabs(value) < 99.95 ? 1 : 0;
	layout_take_cell(layout, columns - 1, true,
			 isfinite(value) ? text_format("%.*f", decimals, value) : text_format("-"));
	text_add(layout->text, "%c", mark ? mark : ' ');
}
