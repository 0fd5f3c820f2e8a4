#include <math.h>
#include <stdlib.h>

#include "base/names.h"
#include "base/text.h"
#include "render/experiments/text_patterns.h"

#define LAP_COLUMNS   6
#define CURVE_COLUMNS 14
#define WARM_SHARE    0.02 /* of the last lap: no longer falling */

static const char *kind_name(enum fathom_warmth warmth)
{
	return warmth == FATHOM_COLD_MAPPED ? "mapped" : "flushed";
}

static void add_part(const struct layout *layout, const struct fathom_curve *curves, size_t count)
{
	char size[UNITS_TEXT_BYTES];
	size_t laps = 0;
	layout_cell(layout, LAP_COLUMNS, true, "");
	for (size_t i = 0; i < count; i++) {
		layout_take_cell(layout, CURVE_COLUMNS - 1, true,
				 text_row_name(&curves[i].points[0].spec));
		text_add(layout->text, " ");
		laps = curves[i].point_count > laps ? curves[i].point_count : laps;
	}
	layout_end_line(layout);
	layout_cell(layout, LAP_COLUMNS, true, "lap");
	for (size_t i = 0; i < count; i++)
		layout_take_cell(
			layout, CURVE_COLUMNS, true,
			text_format("%s %s ", kind_name(curves[i].points[0].spec.warmth),
				    layout_size(curves[i].points[0].spec.size_bytes, true, size)));
	layout_end_line(layout);
	for (size_t lap = 0; lap < laps; lap++) {
		layout_take_cell(layout, LAP_COLUMNS, true, text_format("%zu", lap + 1));
		for (size_t i = 0; i < count; i++) {
			bool there = lap < curves[i].point_count;
			text_time_cell(layout, CURVE_COLUMNS,
				       there ? text_time_of(&curves[i].points[lap]).ns : NAN,
				       there ? text_mark(&curves[i].points[lap]) : 0);
		}
		layout_end_line(layout);
	}
	layout_end_part(layout);
}

/* How many laps it takes until all that follow cost as much as the last. */
static void add_words(const struct layout *layout, const struct fathom_curve *curve)
{
	char size[UNITS_TEXT_BYTES];
	struct text line = {0};
	double first_ns = text_time_of(&curve->points[0]).ns;
	double last_ns = text_time_of(&curve->points[curve->point_count - 1]).ns;
	size_t warm = curve->point_count - 1;
	while (warm && fabs(text_time_of(&curve->points[warm - 1]).ns / last_ns - 1) < WARM_SHARE)
		warm--;
	char *name = text_row_name(&curve->points[0].spec);
	text_add(&line, "%s, %s, %s: the first lap costs %.3g ns an access, %.2f x the last; ",
		 name ? name : "", layout_size(curve->points[0].spec.size_bytes, false, size),
		 kind_name(curve->points[0].spec.warmth), first_ns, first_ns / last_ns);
	line.failed |= !name;
	if (warm + 1 < curve->point_count)
		text_add(&line, "from lap %zu on it stays within 2 %%", warm + 1);
	else
		text_add(&line, "it still changes at lap %zu", curve->point_count);
	free(name);
	layout_item(layout, "  ", false, &line);
}

void text_laps(const struct layout *layout, const struct fathom_result *result)
{
	size_t room = (layout->columns - LAP_COLUMNS) / CURVE_COLUMNS;
	struct text line = {0};
	text_add(&line, "ns an access, lap by lap since the memory was flushed or mapped anew:");
	layout_item(layout, "", false, &line);
	for (size_t i = 0; i < result->curve_count;) {
		size_t count = 0;
		while (count < room && i + count < result->curve_count &&
		       result->curves[i + count].point_count)
			count++;
		if (count)
			add_part(layout, &result->curves[i], count);
		i += count ? count : 1;
	}
	text_exactness(layout, result);
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].point_count > 1)
			add_words(layout, &result->curves[i]);
}
