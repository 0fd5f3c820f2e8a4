/* Other ways to read latencies off a curve, beside the levels. */
#include <math.h>
#include <stdio.h>

#include "views/levels.h"
#include "views/points.h"

/* The readings of one curve. */
struct readings {
	const struct fathom_result *result;
	const struct fathom_reading *items;
	size_t count;
	size_t curve;
	size_t latency_count; /* the most that one has */
};

/* For the which-th level that readings speak of. */
static void add_column(struct view *view, const struct readings *readings, size_t which)
{
	char number[32];
	size_t seen = 0;
	for (size_t i = 0; i < readings->result->level_count; i++) {
		const struct fathom_level *level = &readings->result->levels[i];
		if (level->curve != readings->curve || !levels_is_read(level))
			continue;
		if (seen++ == which) {
			view_column(view, level->name ? level->name : "unknown", NULL);
			return;
		}
	}
	snprintf(number, sizeof(number), "level %zu", which + 1);
	view_column(view, number, NULL);
}

static void add_row(struct view *view, const struct readings *readings,
		    const struct fathom_reading *reading)
{
	view_row(view);
	view_name(view, "%s", reading->name ? reading->name : "unknown");
	for (size_t i = 0; i < readings->latency_count; i++)
		view_number(view, i < reading->latency_count ? reading->latency[i] : NAN);
	view_quantity(view, "%s", rounding_percent(reading->residual).text);
	view_row_words(view, reading->text);
}

static void add_readings(struct view *view, struct readings *readings)
{
	const struct fathom_curve *curve = &readings->result->curves[readings->curve];
	for (size_t i = 0; i < readings->count; i++)
		if (readings->items[i].latency_count > readings->latency_count)
			readings->latency_count = readings->items[i].latency_count;
	view_table(view);
	view_column(view,
		    points_count(curve, FATHOM_Y_NS) ? "reading, in ns" : "reading, in cycles",
		    NULL);
	for (size_t i = 0; i < readings->latency_count; i++)
		add_column(view, readings, i);
	view_column(view, "residual", NULL);
	for (size_t i = 0; i < readings->count; i++)
		add_row(view, readings, &readings->items[i]);
}

void readings_view(struct view *view, const struct fathom_result *result)
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
		view_part(view, "readings", "Textbook readings of the curve");
		view_gap(view);
		if (readings.count < result->reading_count)
			levels_curve(view, result, curve);
		add_readings(view, &readings);
	}
}
