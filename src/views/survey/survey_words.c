/* What a programmer should know of this machine, in sentences. */
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/point.h"
#include "views/levels/levels.h"
#include "views/points.h"
#include "views/rounding.h"
#include "views/survey/survey.h"
#include "views/survey/survey_rows.h"

#define GB         1e9
#define LEAST_GAIN 1.05 /* that is worth a sentence */
#define LEAST_TOLD 9e-4 /* of single accesses: 1 in 1000 */

static bool is_wide(const struct fathom_level *level)
{
	return rounding_is_wide(survey_rows_latency(level));
}

static void add_latency(struct text *line, const struct fathom_level *level)
{
	points_add_estimate(line, survey_rows_latency(level), " ns");
}

static void add_bandwidth(struct text *line, struct estimate bytes_per_second)
{
	points_add_estimate(line, estimate_times(bytes_per_second, 1 / GB), " GB/s");
}

static void say_span(struct view *view, const struct fathom_result *result)
{
	struct survey_row first = survey_rows_find(result, "L1"),
			  memory = survey_rows_find(result, "memory");
	struct text line = {0};
	if (!first.level || !memory.level || !isfinite(first.level->size_bytes) ||
	    !isfinite(first.level->latency_ns) || !isfinite(memory.level->latency_ns))
		return;
	text_add(&line, "L1 answers in ");
	add_latency(&line, first.level);
	text_add(&line, ", memory in ");
	add_latency(&line, memory.level);
	if (!is_wide(first.level) && !is_wide(memory.level)) {
		text_add(&line, ": ");
		points_add_times(&line, estimate_over(survey_rows_latency(memory.level),
						      survey_rows_latency(first.level)));
		text_add(&line, " as long");
	}
	text_add(&line, ".");
	view_take(view, VIEW_ITEM, &line);
}

/* The last cache whose end was seen. */
static void say_reach(struct view *view, const struct fathom_result *result)
{
	const struct fathom_level *last = NULL, *before = NULL;
	struct survey_row row = {0};
	struct text line = {0};
	for (size_t at = 0; survey_rows_next(result, &at, &row);)
		if (row.level->kind == FATHOM_LEVEL_CACHE && isfinite(row.level->size_bytes) &&
		    survey_rows_is_sure(row.level)) {
			before = last;
			last = row.level;
		}
	if (!last || !before)
		return;
	text_add(&line, "Keep data that is used again within %s (%s, ", levels_size(before).text,
		 before->name);
	add_latency(&line, before);
	text_add(&line, "), or at least within %s (%s, ", levels_size(last).text, last->name);
	add_latency(&line, last);
	text_add(&line, ")");
	if (last->reported_bytes && (last->size_high_bytes < (double)last->reported_bytes ||
				     last->size_low_bytes > (double)last->reported_bytes))
		text_add(&line, ", of the %s that the OS reports",
			 rounding_size(last->reported_bytes).text);
	text_add(&line, ".");
	view_take(view, VIEW_ITEM, &line);
}

/* Of the last cache, as the OS says; 0: it does not. */
static uint64_t last_cache_bytes(const struct fathom_result *result)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < result->level_count; i++)
		if (result->levels[i].reported_bytes > largest)
			largest = result->levels[i].reported_bytes;
	return largest;
}

static void say_overlap(struct view *view, const struct fathom_result *result)
{
	const struct fathom_parallelism *overlap = survey_rows_find(result, "memory").overlap;
	struct text line = {0};
	if (!overlap)
		return;
	struct estimate speedup = ESTIMATE(overlap, speedup, );
	text_add(&line, "Independent accesses overlap: a core keeps %s",
		 overlap->saturated ? "" : "at least ");
	if (rounding_is_wide(speedup))
		points_add_estimate(&line, speedup, "");
	else
		text_add(&line, "%s", rounding_overlap(overlap->speedup, !overlap->saturated).text);
	text_add(&line, overlap->size_bytes > last_cache_bytes(result)
				? " of them to memory in flight, "
				: " of them to memory and the last cache in flight, ");
	points_add_estimate(&line, ESTIMATE_PLAIN(overlap, ns_per_access), " ns");
	text_add(&line, " per access instead of ");
	points_add_estimate(&line, ESTIMATE(overlap, latency, _ns), "");
	text_add(&line, " (%s pages, %s%s).",
		 points_page(&result->curves[overlap->curve].points[0].spec),
		 rounding_size(overlap->size_bytes).text,
		 isfinite(overlap->speedup_low) ? "" : ", too few blocks for an interval");
	view_take(view, VIEW_ITEM, &line);
}

/* What all read together may be in a cache of which one core alone gets little. */
static void add_together(struct text *line, const struct fathom_parallelism *reading,
			 uint64_t cache_bytes)
{
	text_add(line, "; all %u cores together at ", reading->all_threads);
	add_bandwidth(line, ESTIMATE(reading, all, _bytes_per_second));
	text_add(line, ", ");
	points_add_times(line, estimate_over(ESTIMATE(reading, all, _bytes_per_second),
					     ESTIMATE(reading, read, _bytes_per_second)));
	text_add(line, " that");
	if (reading->size_bytes < cache_bytes)
		text_add(line,
			 " (in part from the last cache, if it has the %s that the OS reports)",
			 rounding_size(cache_bytes).text);
}

static void say_order(struct view *view, const struct fathom_result *result)
{
	const struct fathom_parallelism *reading = survey_rows_find(result, "memory").reading;
	double line_bytes = line_bytes_likely(result);
	struct text line = {0};
	if (!reading || !isfinite(reading->latency_ns))
		return;
	struct estimate lines =
		estimate_times(ESTIMATE(reading, read, _bytes_per_second), 1 / (line_bytes * GB));
	struct estimate latency = ESTIMATE(reading, latency, _ns);
	text_add(&line, "One core reads memory in order at ");
	add_bandwidth(&line, ESTIMATE(reading, read, _bytes_per_second));
	text_add(&line, ", ");
	points_add_times(&line,
			 (struct estimate){lines.value * latency.value, lines.low * latency.low,
					   lines.high * latency.high});
	text_add(&line, " the rate of a random chain (%s pages, %s)",
		 points_page(&result->curves[reading->curve].points[0].spec),
		 rounding_size(reading->size_bytes).text);
	if (reading->all_threads > 1 && isfinite(reading->all_bytes_per_second))
		add_together(&line, reading, last_cache_bytes(result));
	text_add(&line, ".");
	view_take(view, VIEW_ITEM, &line);
}

/* TLBs hold them in small ones, so that what they save is no translation. */
static bool is_splintered(const struct fathom_result *result, size_t large)
{
	for (size_t i = 0; i < result->translation_count; i++)
		if (result->translations[i].by_size == large)
			return result->translations[i].splintered == 1;
	return false;
}

static void say_translation(struct view *view, const struct fathom_result *result)
{
	const struct fathom_decomposition *last =
		result->decomposition_count
			? &result->decompositions[result->decomposition_count - 1]
			: NULL;
	const struct fathom_page_difference *gain = NULL;
	struct text line = {0};
	double ns = survey_rows_translation_ns(last);
	if (!isfinite(ns))
		return;
	text_add(&line,
		 "Of a random access in %s of base pages, address translation takes %s%s of %s ns",
		 rounding_size(last->size_bytes).text,
		 survey_rows_translation_is_bound(last) ? "at least " : "",
		 rounding_number(ns).text, rounding_number(last->total.ns).text);
	for (size_t i = 0; i < result->page_difference_count; i++)
		if (result->page_differences[i].size_bytes == last->size_bytes &&
		    result->page_differences[i].large == last->memory_curve)
			gain = &result->page_differences[i];
	if (gain && gain->low_ns > 0 && !is_splintered(result, gain->large) &&
	    last->total.ns / (last->total.ns - gain->ns) > LEAST_GAIN) {
		struct estimate saved = ESTIMATE_PLAIN(gain, ns);
		text_add(&line, "; large pages save %s ns per access (%s)",
			 rounding_known(saved).text, rounding_interval(saved).text);
	}
	text_add(&line, ".");
	view_take(view, VIEW_ITEM, &line);
}

/* Of the predictions that a survey makes by itself. */
static void say_lookups(struct view *view, const struct fathom_result *result)
{
	struct text line = {0};
	size_t same = result->prediction_count;
	if (!same || !predictions_are_usual(result))
		return;
	text_add(&line, "Predicted lookup in %s M keys: ",
		 rounding_about((double)result->predictions[0].keys / 1e6).text);
	for (size_t i = 0; i < same; i++) {
		const struct fathom_prediction *one = &result->predictions[i];
		text_add(&line, "%s%s ", i ? ", " : "", one->structure);
		points_add_estimate(&line, ESTIMATE(one, predicted, _ns), i ? "" : " ns");
	}
	text_add(&line, ".");
	view_take(view, VIEW_ITEM, &line);
}

/* How far the reads of other CPUs lengthen an access. */
static void say_load(struct view *view, const struct fathom_result *result)
{
	const struct fathom_load_law *law = result->load_law_count ? &result->load_laws[0] : NULL;
	const struct fathom_load *last = NULL;
	struct text line = {0};
	if (!law || !result->curves[law->curve].load_count)
		return;
	const struct fathom_curve *curve = &result->curves[law->curve];
	for (size_t i = 0; i < curve->load_count; i++)
		if (!last || curve->loads[i].latency_ns > last->latency_ns)
			last = &curve->loads[i];
	text_add(&line, "While other CPUs read memory an access takes ");
	if (isfinite(law->knee_bytes_per_second)) {
		text_add(&line, "1.5 times as long at ");
		add_bandwidth(&line, ESTIMATE(law, knee, _bytes_per_second));
	} else {
		points_add_estimate(&line, ESTIMATE(last, latency, _ns), " ns");
		text_add(&line, " at ");
		add_bandwidth(&line, ESTIMATE(last, bandwidth, _bytes_per_second));
		text_add(&line, ", the most that was reached");
	}
	text_add(&line, ", instead of ");
	points_add_estimate(&line, ESTIMATE(law, idle_latency, _ns), " ns");
	text_add(&line, " (%s pages).", view_known(page_name((int)curve->page)));
	view_take(view, VIEW_ITEM, &line);
}

/* Of the largest working set. */
static void say_tail(struct view *view, const struct fathom_result *result)
{
	const struct fathom_distribution *largest = NULL;
	uint64_t size_bytes = 0;
	struct text line = {0};
	for (size_t i = 0; i < result->distribution_count; i++) {
		const struct fathom_distribution *one = &result->distributions[i];
		const struct fathom_curve *curve = &result->curves[one->curve];
		if (curve->warmth != FATHOM_WARM || curve->size_bytes <= size_bytes)
			continue;
		largest = one;
		size_bytes = curve->size_bytes;
	}
	if (!largest)
		return;
	text_add(&line, "Of single accesses in %s", rounding_size((double)size_bytes).text);
	for (size_t i = 0, told = 0; i < largest->quantile_count; i++) {
		const struct fathom_quantile *one = &largest->quantiles[i];
		double rest = 1 - one->share;
		if (one->share < 0.5 || rest < LEAST_TOLD)
			continue;
		text_add(&line, told++ ? ", " : " ");
		if (one->share == 0.5)
			text_add(&line, "half take over ");
		else
			text_add(&line, "1 in %.0f over ", 1 / rest);
		points_add_estimate(&line, ESTIMATE(one, latency, _ns), told > 1 ? "" : " ns");
	}
	text_add(&line, ".");
	view_take(view, VIEW_ITEM, &line);
}

void survey_words(struct view *view, const struct fathom_result *result)
{
	say_span(view, result);
	say_reach(view, result);
	say_overlap(view, result);
	say_order(view, result);
	say_translation(view, result);
	say_load(view, result);
	say_tail(view, result);
	say_lookups(view, result);
}
