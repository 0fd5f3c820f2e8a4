/* Latency against the traffic of others. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/loaded/load_law.h"
#include "views/figure.h"
#include "views/rounding.h"

#define GIGA       1e9
#define LAW_PLACES 60

static bool is_of_one_tool(const struct fathom_result *result)
{
	const char *first = result->curves[result->load_laws[0].curve].tool;
	for (size_t i = 1; i < result->load_law_count; i++) {
		const char *other = result->curves[result->load_laws[i].curve].tool;
		if (!first || !other ? first != other : strcmp(first, other) != 0)
			return false;
	}
	return true;
}

/* Have all chains such pages? */
static bool has_pages(const struct fathom_result *result, uint64_t page_bytes)
{
	for (size_t i = 0; i < result->load_law_count; i++)
		if (result->curves[result->load_laws[i].curve].page_bytes != page_bytes)
			return false;
	return true;
}

static uint64_t largest_pages(const struct fathom_result *result)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < result->load_law_count; i++)
		if (result->curves[result->load_laws[i].curve].page_bytes > largest)
			largest = result->curves[result->load_laws[i].curve].page_bytes;
	return largest;
}

void figure_name_loads(struct text *text, const struct fathom_result *result, size_t curve)
{
	const struct fathom_curve *named = &result->curves[curve];
	double share = named->loads[0].read_share;
	if (named->traffic == FATHOM_TRAFFIC_NT)
		text_add(text, "non-temporal writes");
	else if (isnan(share))
		text_add(text, "traffic");
	else
		text_add(text, "%s reads", rounding_percent(share).text);
	if (named->page_bytes && !has_pages(result, named->page_bytes))
		text_add(text, ", %s pages", rounding_size(named->page_bytes).text);
	if (named->tool && !is_of_one_tool(result))
		text_add(text, ", %s", named->tool);
}

static int by_bandwidth(const void *left, const void *right)
{
	const struct figure_row *a = left, *b = right;
	return (a->x > b->x) - (a->x < b->x);
}

static int add_measured(const struct fathom_result *result, const struct fathom_load_law *law,
			struct figure *figure)
{
	const struct fathom_curve *curve = &result->curves[law->curve];
	struct figure_series *series;
	struct text name = {0};
	figure_name_loads(&name, result, law->curve);
	if (figure_add_series(figure, &name, curve->load_count, &series))
		return -1;
	for (size_t i = 0; i < curve->load_count; i++)
		figure_add_row(series, fmax(0, curve->loads[i].bandwidth_bytes_per_second) / GIGA,
			       ESTIMATE_ALONE(curve->loads[i].latency_ns));
	if (!law->bends_back) /* else the line goes from rate to rate */
		qsort(series->rows, series->count, sizeof(*series->rows), by_bandwidth);
	return 0;
}

static int add_law(const struct fathom_load_law *law, struct figure *figure)
{
	const struct load_law shown = {
		.idle_ns.value = law->idle_latency_ns,
		.rise_ns = law->rise_ns,
		.peak.value = law->peak_bytes_per_second,
		.exponent.value = law->exponent,
	};
	struct figure_series *series;
	struct text name = {0};
	text_add(&name, "its law");
	if (figure_add_series(figure, &name, LAW_PLACES + 1, &series))
		return -1;
	series->is_law = true;
	for (size_t i = 0; i <= LAW_PLACES; i++) {
		double bandwidth = law->greatest_bytes_per_second * (double)i / LAW_PLACES;
		double ns = load_law_ns(&shown, bandwidth);
		if (isfinite(ns)) /* not at a peak that was measured */
			figure_add_row(series, bandwidth / GIGA, ESTIMATE_ALONE(ns));
	}
	return 0;
}

/* Of chains on several kinds of pages those with the largest, whose latencies are memory's alone.
 */
int figure_add_loads(struct figure *figure, const struct fathom_result *result)
{
	uint64_t page_bytes = largest_pages(result);
	size_t shown = 0;
	for (size_t i = 0; i < result->load_law_count; i++)
		shown += result->curves[result->load_laws[i].curve].page_bytes == page_bytes;
	bool laws = 2 * shown <= FIGURE_MOST_SERIES;
	for (size_t i = 0; i < result->load_law_count; i++) {
		const struct fathom_load_law *law = &result->load_laws[i];
		if (result->curves[law->curve].page_bytes != page_bytes)
			continue;
		if (figure->series_count == FIGURE_MOST_SERIES)
			figure->left_out++;
		else if (add_measured(result, law, figure) || (laws && add_law(law, figure)))
			return -1;
	}
	return 0;
}
