#include <math.h>

#include "base/names.h"
#include "document/document.h"
#include "document/json_put.h"

/* Other tools' curves alone: nothing that a seed of ours decided. */
static bool is_foreign(const struct fathom_result *result)
{
	size_t foreign = 0;
	while (foreign < result->curve_count && result->curves[foreign].tool)
		foreign++;
	return foreign && foreign == result->curve_count;
}

static json_t *fathom_object(const struct fathom_result *result)
{
	json_t *argv = json_array();
	json_t *object = json_object();
	json_put_text(&object, "version", FATHOM_VERSION);
	for (char **argument = result->argv; argument && *argument; argument++)
		json_put_next(&argv, json_text(*argument));
	json_put(&object, "argv", argv);
	if (is_foreign(result))
		json_put(&object, "seed", json_null());
	else
		json_put_seed(&object, "seed", result->seed);
	return object;
}

static json_t *rejected(const struct fathom_point *point)
{
	json_t *object = json_object();
	for (int i = 0; i < FATHOM_REJECTION_COUNT; i++)
		if (point->rejected[i])
			json_put_bytes(&object, fathom_rejection_name(i), point->rejected[i]);
	return object;
}

static json_t *counts(const struct fathom_point *point)
{
	json_t *list = json_array();
	for (size_t i = 0; i < point->event_count; i++) {
		const struct fathom_count *count = &point->counts[i];
		json_t *object = json_object();
		json_put_text(&object, "event", count->event);
		json_put_text(&object, "state", count_state_name(count->state));
		json_put_number(&object, "per_access", count->per_access);
		json_put_number(&object, "running_share", count->running_share);
		json_put_text(&object, "reason", count->reason);
		json_put_text(&object, "hint", count->hint);
		json_put_next(&list, object);
	}
	return list;
}

static void put_per_access(json_t **object, const struct fathom_point *point)
{
	json_put_number(object, "ns_per_access", point->ns_per_access);
	json_put_number(object, "ns_per_access_low", point->ns_per_access_low);
	json_put_number(object, "ns_per_access_high", point->ns_per_access_high);
	json_put_number(object, "cycles_per_access", point->cycles_per_access);
	json_put_number(object, "cycles_per_access_low", point->cycles_per_access_low);
	json_put_number(object, "cycles_per_access_high", point->cycles_per_access_high);
}

static void put_bandwidth(json_t **object, const struct fathom_point *point)
{
	json_put_number(object, "bandwidth_bytes_per_second", point->bandwidth_bytes_per_second);
	json_put_number(object, "bandwidth_low", point->bandwidth_low);
	json_put_number(object, "bandwidth_high", point->bandwidth_high);
	json_put_number(object, "bandwidth_best", point->bandwidth_best);
	json_put_number(object, "bandwidth_slowest_thread", point->bandwidth_slowest_thread);
	json_put_number(object, "bandwidth_fastest_thread", point->bandwidth_fastest_thread);
	json_put_number(object, "traffic_bytes_per_second", point->traffic_bytes_per_second);
}

static void put_batches(json_t **object, const struct fathom_point *point)
{
	bool overlaps = fathom_spec_overlaps(&point->spec);
	json_put_text(object, "estimator", estimator_name((int)point->estimator));
	json_put_number(object, overlaps ? "ns_per_access_mean" : "latency_mean_ns",
			overlaps ? point->ns_per_access_mean : point->latency_mean_ns);
	json_put_number(object, "disturbed_share", point->disturbed_share);
}

static json_t *point_object(const struct fathom_point *point)
{
	json_t *object = json_object();
	json_put_spec(&object, &point->spec);
	json_put_known(&object, "nodes", point->nodes);
	json_put_known(&object, "lines_touched", point->lines_touched);
	json_put_known(&object, "page_bytes", point->page_bytes);
	json_put_number(&object, "page_share", point->page_bytes ? point->page_share : NAN);
	json_put_number(&object, "latency_ns", point->latency_ns);
	json_put_number(&object, "latency_low_ns", point->latency_low_ns);
	json_put_number(&object, "latency_high_ns", point->latency_high_ns);
	json_put_number(&object, "latency_cycles", point->latency_cycles);
	json_put_number(&object, "latency_low_cycles", point->latency_low_cycles);
	json_put_number(&object, "latency_high_cycles", point->latency_high_cycles);
	if (fathom_spec_overlaps(&point->spec))
		put_per_access(&object, point);
	if (point->instructions_per_access)
		json_put_integer(&object, "instructions_per_access",
				 point->instructions_per_access);
	if (point->spec.axis == FATHOM_AXIS_LANES) {
		json_put_number(&object, "floor_ns", point->floor_ns);
		json_put_text(&object, "lane_store", lane_store_name((int)point->lane_store));
	}
	if (fathom_pattern_streams(point->spec.pattern))
		put_bandwidth(&object, point);
	json_put_number(&object, "clock_hz", point->clock_hz);
	json_put_number(&object, "overhead_ns", point->overhead_ns);
	bool wanted = point->target > 0;
	json_put_number(&object, "target", wanted ? point->target : NAN);
	json_put(&object, "within_target",
		 wanted ? json_boolean(point->within_target) : json_null());
	if (point->estimator != FATHOM_ESTIMATOR_UNKNOWN)
		put_batches(&object, point);
	json_put(&object, "blocks_ns", json_numbers(point->blocks_ns, point->block_count));
	json_put_bytes(&object, "placements", point->placements);
	if (isfinite(point->noise_spread_ns)) {
		json_put_number(&object, "placement_spread_ns", point->placement_spread_ns);
		json_put_number(&object, "noise_spread_ns", point->noise_spread_ns);
	}
	json_put_bytes(&object, "samples", point->sample_count);
	if (point->accesses)
		json_put_bytes(&object, "accesses", point->accesses);
	if (point->samples_ns)
		json_put(&object, "samples_ns",
			 json_numbers(point->samples_ns, point->sample_count));
	json_put(&object, "rejected", rejected(point));
	if (point->event_count)
		json_put(&object, "counts", counts(point));
	return object;
}

static json_t *curves(const struct fathom_result *result)
{
	json_t *list = json_array();
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		json_t *points = json_array();
		for (size_t j = 0; j < curve->point_count; j++)
			json_put_next(&points, point_object(&curve->points[j]));
		json_t *object = json_object();
		json_put_text(&object, "experiment", experiment_name(curve->experiment));
		json_put_text(&object, "axis", axis_name(curve->axis));
		json_put(&object, "cpu", curve->cpu < 0 ? json_null() : json_integer(curve->cpu));
		json_put_text(&object, "tool", curve->tool);
		json_put_boolean(&object, "over_first", curve->over_first);
		json_put(&object, "points", points);
		json_put_next(&list, object);
	}
	return list;
}

static json_t *effects(const struct fathom_result *result)
{
	json_t *list = json_array();
	for (size_t i = 0; i < result->effect_count; i++) {
		const struct fathom_effect *effect = &result->effects[i];
		json_t *object = json_object();
		json_put_text(&object, "name", effect->name);
		json_put_bytes(&object, "size_bytes", effect->size_bytes);
		json_put_bytes(&object, "without", effect->without);
		json_put_bytes(&object, "with", effect->with);
		json_put_number(&object, "ns", effect->ns);
		json_put_number(&object, "low_ns", effect->low_ns);
		json_put_number(&object, "high_ns", effect->high_ns);
		json_put_boolean(&object, "acts", effect->acts);
		json_put_next(&list, object);
	}
	return list;
}

static json_t *clock_object(const struct fathom_result *result)
{
	json_t *object = json_object();
	json_put_number(&object, "min_hz", result->clock_min_hz);
	json_put_number(&object, "median_hz", result->clock_median_hz);
	json_put_number(&object, "max_hz", result->clock_max_hz);
	json_put_number(&object, "drift", result->clock_drift);
	json_put_text(&object, "missing", result->clock_missing);
	return object;
}

static json_t *numbers(const struct fathom_result *result)
{
	json_t *array = json_array();
	for (size_t i = 0; i < result->number_count; i++) {
		const struct fathom_number *number = &result->numbers[i];
		json_t *object = json_object();
		json_put_text(&object, "name", number->name);
		json_put_text(&object, "how", number->how);
		json_put_number(&object, "ns", number->ns);
		json_put_number(&object, "low_ns", number->low_ns);
		json_put_number(&object, "high_ns", number->high_ns);
		json_put_number(&object, "dean_2009_ns", number->dean_2009_ns);
		json_put_number(&object, "scott_2020_ns", number->scott_2020_ns);
		json_put_next(&array, object);
	}
	return array;
}

json_t *json_result(const struct fathom_result *result)
{
	json_t *document = json_document("result");
	json_put(&document, "fathom", fathom_object(result));
	json_put(&document, "machine",
		 result->machine ? json_machine(result->machine) : json_null());
	json_put_boolean(&document, "interrupted", result->interrupted);
	if (result->survey)
		json_put_boolean(&document, "survey", true);
	json_put_text(&document, "measured_at", result->measured_at);
	json_put_number(&document, "elapsed_s", result->elapsed_s);
	json_put_known(&document, "measured_line_bytes", result->measured_line_bytes);
	json_put(&document, "clock", clock_object(result));
	json_put_warnings(&document, "warnings", &result->warnings);
	json_put(&document, "curves", curves(result));
	json_put(&document, "levels", json_levels(result));
	if (result->effect_count)
		json_put(&document, "effects", effects(result));
	if (result->parallelism_count)
		json_put(&document, "parallelism", json_parallelism(result));
	if (result->translation_count) {
		json_put(&document, "translations", json_translations(result));
		json_put(&document, "page_differences", json_page_differences(result));
		json_put(&document, "decompositions", json_decompositions(result));
	}
	if (result->number_count)
		json_put(&document, "numbers", numbers(result));
	if (result->clock_count) {
		json_put(&document, "clocks", json_clocks(result));
		json_put(&document, "clock_laws", json_clock_laws(result));
	}
	if (result->reading_count)
		json_put(&document, "readings", json_readings(result));
	return document;
}

int json_write_result(const struct fathom_result *result, const struct fathom_style *style,
		      struct text *text, struct fathom_error *error)
{
	(void)style;
	return json_finish(json_result(result), JSON_RESULT_DIGITS, text, error);
}
