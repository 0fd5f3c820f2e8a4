/* What the curves say, as the parts "levels", "parallelism" and "readings" of a result. */
#include <math.h>

#include "base/names.h"
#include "document/json_put.h"

/* Bytes that a fit gave: a whole number of them, NAN: null. */
static void put_fitted_bytes(json_t **object, const char *key, double bytes)
{
	bool known = bytes >= 0.5 && bytes < 0x1p63;
	json_put(object, key, known ? json_integer((json_int_t)llround(bytes)) : json_null());
}

static void put_latency(json_t **object, const struct fathom_level *level)
{
	json_put_number(object, "latency_ns", level->latency_ns);
	json_put_number(object, "latency_low_ns", level->latency_low_ns);
	json_put_number(object, "latency_high_ns", level->latency_high_ns);
	json_put_number(object, "latency_cycles", level->latency_cycles);
	json_put_number(object, "latency_low_cycles", level->latency_low_cycles);
	json_put_number(object, "latency_high_cycles", level->latency_high_cycles);
}

static json_t *level_object(const struct fathom_level *level)
{
	json_t *object = json_object();
	json_put_text(&object, "name", level->name);
	json_put_text(&object, "kind", level_kind_name(level->kind));
	json_put_bytes(&object, "curve", level->curve);
	json_put_number(&object, "confidence", level->confidence);
	put_fitted_bytes(&object, "size_bytes", level->size_bytes);
	put_fitted_bytes(&object, "size_low_bytes", level->size_low_bytes);
	put_fitted_bytes(&object, "size_high_bytes", level->size_high_bytes);
	put_fitted_bytes(&object, "increment_bytes", level->increment_bytes);
	put_latency(&object, level);
	put_fitted_bytes(&object, "at_bytes", level->at_bytes);
	json_put_known(&object, "reported_bytes", level->reported_bytes);
	json_put_number(&object, "entries", level->entries);
	json_put_known(&object, "entry_bytes", level->entry_bytes);
	json_put_number(&object, "penalty_ns", level->penalty_ns);
	json_put_number(&object, "penalty_cycles", level->penalty_cycles);
	bool cache = level->kind == FATHOM_LEVEL_CACHE;
	json_put_text(&object, "replacement",
		      cache ? replacement_name((int)level->replacement) : NULL);
	json_put_text(&object, "replacement_evidence", level->replacement_evidence);
	json_put_text(&object, "evidence", level->evidence);
	return object;
}

json_t *json_levels(const struct fathom_result *result)
{
	json_t *list = json_array();
	for (size_t i = 0; i < result->level_count; i++)
		json_put_next(&list, level_object(&result->levels[i]));
	return list;
}

json_t *json_readings(const struct fathom_result *result)
{
	json_t *list = json_array();
	for (size_t i = 0; i < result->reading_count; i++) {
		const struct fathom_reading *reading = &result->readings[i];
		json_t *object = json_object();
		json_put_text(&object, "name", reading->name);
		json_put_bytes(&object, "curve", reading->curve);
		json_put(&object, "latency",
			 json_numbers(reading->latency, reading->latency_count));
		json_put_number(&object, "residual", reading->residual);
		if (reading->values)
			json_put(&object, "values",
				 json_numbers(reading->values, reading->value_count));
		json_put_text(&object, "text", reading->text);
		json_put_next(&list, object);
	}
	return list;
}

static json_t *parallelism_object(const struct fathom_parallelism *found)
{
	json_t *object = json_object();
	json_put_bytes(&object, "curve", found->curve);
	json_put_text(&object, "level", found->level);
	json_put_bytes(&object, "size_bytes", found->size_bytes);
	json_put_number(&object, "latency_ns", found->latency_ns);
	json_put_number(&object, "latency_low_ns", found->latency_low_ns);
	json_put_number(&object, "latency_high_ns", found->latency_high_ns);
	json_put_number(&object, "ns_per_access", found->ns_per_access);
	json_put_number(&object, "ns_per_access_low", found->ns_per_access_low);
	json_put_number(&object, "ns_per_access_high", found->ns_per_access_high);
	json_put_number(&object, "speedup", found->speedup);
	json_put_number(&object, "speedup_low", found->speedup_low);
	json_put_number(&object, "speedup_high", found->speedup_high);
	json_put_number(&object, "knee_lanes", found->knee_lanes);
	json_put_number(&object, "knee_low_lanes", found->knee_low_lanes);
	json_put_number(&object, "knee_high_lanes", found->knee_high_lanes);
	json_put_boolean(&object, "saturated", found->saturated);
	json_put_number(&object, "bytes_per_second", found->bytes_per_second);
	json_put_number(&object, "bytes_per_second_low", found->bytes_per_second_low);
	json_put_number(&object, "bytes_per_second_high", found->bytes_per_second_high);
	json_put_number(&object, "read_bytes_per_second", found->read_bytes_per_second);
	json_put_number(&object, "read_low", found->read_low);
	json_put_number(&object, "read_high", found->read_high);
	json_put_number(&object, "all_bytes_per_second", found->all_bytes_per_second);
	json_put_number(&object, "all_low", found->all_low);
	json_put_number(&object, "all_high", found->all_high);
	json_put_known(&object, "all_threads", found->all_threads);
	json_put_number(&object, "little_lines", found->little_lines);
	json_put_number(&object, "little_low_lines", found->little_low_lines);
	json_put_number(&object, "little_high_lines", found->little_high_lines);
	json_put_text(&object, "limit", limit_name((int)found->limit));
	json_put_text(&object, "evidence", found->evidence);
	return object;
}

json_t *json_parallelism(const struct fathom_result *result)
{
	json_t *list = json_array();
	for (size_t i = 0; i < result->parallelism_count; i++)
		json_put_next(&list, parallelism_object(&result->parallelism[i]));
	return list;
}
