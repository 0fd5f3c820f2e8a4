/* The JSON of google-benchmark, for its compare.py and for what else reads it. A point is a
 * benchmark and each of its blocks a repetition, so that compare.py tests the difference of two
 * files by what was measured; the point's own value is the aggregate "median". */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/names.h"
#include "base/patterns.h"
#include "base/point.h"
#include "document/json_put.h"
#include "render/writers.h"

#define DIGITS 9

/* ---- the machine ---- */

static json_t *caches(const struct fathom_machine *machine)
{
	static const char *const kinds[] = {[FATHOM_CACHE_DATA] = "Data",
					    [FATHOM_CACHE_UNIFIED] = "Unified",
					    [FATHOM_CACHE_INSTRUCTION] = "Instruction"};
	json_t *list = json_array();
	for (size_t i = 0; machine && i < machine->cache_count; i++) {
		const struct fathom_cache *cache = &machine->caches[i];
		json_t *one = json_object();
		json_put_text(&one, "type", kinds[cache->kind]);
		json_put_integer(&one, "level", cache->level);
		json_put_bytes(&one, "size", cache->size_bytes);
		json_put_integer(&one, "num_sharing", cache->shared_cpus);
		json_put_next(&list, one);
	}
	return list;
}

static json_t *context(const struct fathom_result *result)
{
	const struct fathom_machine *machine = result->machine;
	json_t *object = json_object();
	json_put_text(&object, "executable", "fathom " FATHOM_VERSION);
	if (machine && machine->hostname)
		json_put_text(&object, "host_name", machine->hostname);
	if (machine && machine->cpu_model)
		json_put_text(&object, "cpu_model", machine->cpu_model);
	if (machine)
		json_put_integer(&object, "num_cpus", machine->online_cpus);
	if (isfinite(result->clock_median_hz))
		json_put_integer(&object, "mhz_per_cpu", llround(result->clock_median_hz / 1e6));
	json_put(&object, "caches", caches(machine));
	json_put_text(&object, "library_build_type", "release");
	json_put_integer(&object, "json_schema_version", 1);
	return object;
}

/* ---- the points ---- */

static void add_known(struct text *name, const char *word, uint64_t value)
{
	if (value)
		text_add(name, "/%s:%llu", word, (unsigned long long)value);
}

/* All that tells one point from another, so that two files meet by it. NULL: out of memory. */
static char *name_of(const struct fathom_curve *curve, const struct fathom_spec *spec)
{
	struct text name = {0};
	const char *pattern = fathom_pattern_name((int)spec->pattern);
	const char *page = page_name((int)spec->page), *link = link_name((int)spec->link);
	const char *warmth = warmth_name((int)spec->warmth);
	text_add(&name, "%s/%s/size:%llu", experiment_name((int)curve->experiment),
		 pattern       ? pattern
		 : curve->tool ? curve->tool
			       : "unknown",
		 (unsigned long long)spec->size_bytes);
	add_known(&name, "node", spec->node_bytes);
	add_known(&name, "window", spec->window_bytes);
	add_known(&name, "stride", spec->stride_bytes);
	add_known(&name, "laps", spec->laps);
	add_known(&name, "lap", spec->lap);
	add_known(&name, "vector", spec->vector_bytes);
	add_known(&name, "lanes", curve->axis == FATHOM_AXIS_LANES ? spec->lanes : 0);
	if (curve->axis == FATHOM_AXIS_PAGES)
		text_add(&name, "/by_pages");
	if (page)
		text_add(&name, "/pages:%s", page);
	if (warmth && spec->warmth != FATHOM_WARM)
		text_add(&name, "/%s", warmth);
	if (link && spec->link != FATHOM_LINK_POINTER)
		text_add(&name, "/%s", link);
	add_known(&name, "threads", spec->threads > 1 ? spec->threads : 0);
	return text_take(&name);
}

struct place { /* of a point among the others */
	size_t family, instance;
	const char *name;
};

static json_t *benchmark(const struct place *place, const struct fathom_point *point, double ns)
{
	json_t *object = json_object();
	json_put_integer(&object, "family_index", (int64_t)place->family);
	json_put_integer(&object, "per_family_instance_index", (int64_t)place->instance);
	json_put_text(&object, "run_name", place->name);
	json_put_integer(&object, "repetitions", (int64_t)point->block_count);
	json_put_integer(&object, "threads", point->spec.threads ? point->spec.threads : 1);
	json_put_number(&object, "real_time", ns);
	json_put_number(&object, "cpu_time", ns);
	json_put_text(&object, "time_unit", "ns");
	return object;
}

static void add_repetitions(json_t **list, const struct place *place,
			    const struct fathom_point *point)
{
	for (size_t i = 0; i < point->block_count; i++) {
		json_t *object = benchmark(place, point, point->blocks_ns[i]);
		json_put_text(&object, "name", place->name);
		json_put_text(&object, "run_type", "iteration");
		json_put_integer(&object, "repetition_index", (int64_t)i);
		uint64_t accesses = point->accesses / point->block_count;
		json_put_integer(&object, "iterations", (int64_t)(accesses ? accesses : 1));
		json_put_next(list, object);
	}
}

/* Without blocks the value is all that there is: a benchmark that ran once. */
static void add_value(json_t **list, const struct place *place, const struct fathom_point *point)
{
	bool aggregate = point->block_count > 0;
	json_t *object = benchmark(place, point, point_ns(point));
	char *name = text_format("%s%s", place->name, aggregate ? "_median" : "");
	json_put(&object, "name", name ? json_text(name) : NULL);
	json_put_text(&object, "run_type", aggregate ? "aggregate" : "iteration");
	if (aggregate) {
		json_put_text(&object, "aggregate_name", "median");
		json_put_text(&object, "aggregate_unit", "time");
	} else {
		json_put_integer(&object, "repetition_index", 0);
	}
	json_put_integer(&object, "iterations", aggregate ? (int64_t)point->block_count : 1);
	if (pattern_streams((int)point->spec.pattern))
		json_put_number(&object, "bytes_per_second", point->bandwidth_bytes_per_second);
	free(name);
	json_put_next(list, object);
}

static int add_curve(json_t **list, const struct fathom_result *result, size_t which)
{
	const struct fathom_curve *curve = &result->curves[which];
	for (size_t i = 0; i < curve->point_count; i++) {
		const struct fathom_point *point = &curve->points[i];
		char *name = isfinite(point_ns(point)) ? name_of(curve, &point->spec) : NULL;
		const struct place place = {which, i, name};
		if (!isfinite(point_ns(point)))
			continue;
		if (!name)
			return -1;
		add_repetitions(list, &place, point);
		add_value(list, &place, point);
		free(name);
	}
	return 0;
}

static bool has_times(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++)
			if (isfinite(point_ns(&result->curves[i].points[k])))
				return true;
	return false;
}

int benchmark_write(const struct content *content, const struct fathom_style *style,
		    struct text *text, struct fathom_error *error)
{
	const struct fathom_result *result = content->result;
	(void)style;
	if (!has_times(result))
		return error_set(
			error, FATHOM_BAD_INPUT, "--format json or csv has all of it",
			"the result has no points with a time, which benchmarks are made of");
	json_t *document = json_object(), *list = json_array();
	bool failed = false;
	for (size_t i = 0; i < result->curve_count; i++)
		failed |= add_curve(&list, result, i) != 0;
	json_put(&document, "context", context(result));
	json_put(&document, "benchmarks", list);
	if (failed) {
		json_decref(document);
		return error_no_memory(error);
	}
	return json_finish(document, DIGITS, text, error);
}
