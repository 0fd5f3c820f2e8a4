#include "base/names.h"
#include "document/read_parts.h"

#define OF(name, kind)        FIELD_OF(fathom_level, name, kind)
#define IN(name, kind, range) FIELD_IN(fathom_level, name, kind, range)

static const struct field level_table[] = {
	OF(name, FIELD_TEXT),
	{"kind", FIELD_NAME, offsetof(struct fathom_level, kind), FATHOM_LEVEL_UNKNOWN,
	 level_kind_parse, RANGE_ANY},
	OF(curve, FIELD_TALLY),
	IN(confidence, FIELD_NUMBER, RANGE_SHARE),
	IN(size_bytes, FIELD_NUMBER, RANGE_POSITIVE),
	IN(size_low_bytes, FIELD_NUMBER, RANGE_POSITIVE),
	IN(size_high_bytes, FIELD_NUMBER, RANGE_POSITIVE),
	IN(increment_bytes, FIELD_NUMBER, RANGE_POSITIVE),
	IN(latency_ns, FIELD_NUMBER, RANGE_NOT_NEGATIVE),
	OF(latency_low_ns, FIELD_NUMBER),
	OF(latency_high_ns, FIELD_NUMBER),
	IN(latency_cycles, FIELD_NUMBER, RANGE_NOT_NEGATIVE),
	OF(latency_low_cycles, FIELD_NUMBER),
	OF(latency_high_cycles, FIELD_NUMBER),
	IN(at_bytes, FIELD_NUMBER, RANGE_POSITIVE),
	IN(reported_bytes, FIELD_BYTES, RANGE_POSITIVE),
	IN(entries, FIELD_NUMBER, RANGE_POSITIVE),
	IN(entry_bytes, FIELD_BYTES, RANGE_POSITIVE),
	OF(penalty_ns, FIELD_NUMBER),
	OF(penalty_cycles, FIELD_NUMBER),
	{"replacement", FIELD_NAME, offsetof(struct fathom_level, replacement),
	 FATHOM_REPLACEMENT_UNDECIDABLE, replacement_parse, RANGE_ANY},
	OF(replacement_evidence, FIELD_TEXT),
	OF(evidence, FIELD_TEXT),
};
static const struct fields level_fields = FIELDS_OF(level_table);

static const struct field reading_table[] = {
	FIELD_OF(fathom_reading, name, FIELD_TEXT),
	FIELD_OF(fathom_reading, curve, FIELD_TALLY),
	FIELD_IN(fathom_reading, residual, FIELD_NUMBER, RANGE_NOT_NEGATIVE),
	FIELD_OF(fathom_reading, text, FIELD_TEXT),
};
static const struct fields reading_fields = FIELDS_OF(reading_table);

static const struct field effect_table[] = {
	FIELD_OF(fathom_effect, name, FIELD_TEXT),
	FIELD_OF(fathom_effect, without, FIELD_TALLY),
	FIELD_OF(fathom_effect, with, FIELD_TALLY),
	FIELD_IN(fathom_effect, size_bytes, FIELD_BYTES, RANGE_POSITIVE),
	FIELD_OF(fathom_effect, ns, FIELD_NUMBER),
	FIELD_OF(fathom_effect, low_ns, FIELD_NUMBER),
	FIELD_OF(fathom_effect, high_ns, FIELD_NUMBER),
	FIELD_OF(fathom_effect, acts, FIELD_BOOLEAN),
};
static const struct fields effect_fields = FIELDS_OF(effect_table);

static const struct field number_table[] = {
	FIELD_OF(fathom_number, name, FIELD_TEXT),
	FIELD_OF(fathom_number, how, FIELD_TEXT),
	FIELD_IN(fathom_number, ns, FIELD_NUMBER, RANGE_POSITIVE),
	FIELD_OF(fathom_number, low_ns, FIELD_NUMBER),
	FIELD_OF(fathom_number, high_ns, FIELD_NUMBER),
	FIELD_OF(fathom_number, dean_2009_ns, FIELD_NUMBER),
	FIELD_OF(fathom_number, scott_2020_ns, FIELD_NUMBER),
};
static const struct fields number_fields = FIELDS_OF(number_table);

#define PARALLELISM(name, kind) FIELD_OF(fathom_parallelism, name, kind)
#define POSITIVE(name, kind)    FIELD_IN(fathom_parallelism, name, kind, RANGE_POSITIVE)

static const struct field parallelism_table[] = {
	PARALLELISM(curve, FIELD_TALLY),
	PARALLELISM(level, FIELD_TEXT),
	POSITIVE(size_bytes, FIELD_BYTES),
	POSITIVE(latency_ns, FIELD_NUMBER),
	PARALLELISM(latency_low_ns, FIELD_NUMBER),
	PARALLELISM(latency_high_ns, FIELD_NUMBER),
	POSITIVE(ns_per_access, FIELD_NUMBER),
	PARALLELISM(ns_per_access_low, FIELD_NUMBER),
	PARALLELISM(ns_per_access_high, FIELD_NUMBER),
	POSITIVE(speedup, FIELD_NUMBER),
	PARALLELISM(speedup_low, FIELD_NUMBER),
	PARALLELISM(speedup_high, FIELD_NUMBER),
	POSITIVE(knee_lanes, FIELD_NUMBER),
	PARALLELISM(knee_low_lanes, FIELD_NUMBER),
	PARALLELISM(knee_high_lanes, FIELD_NUMBER),
	PARALLELISM(saturated, FIELD_BOOLEAN),
	POSITIVE(bytes_per_second, FIELD_NUMBER),
	PARALLELISM(bytes_per_second_low, FIELD_NUMBER),
	PARALLELISM(bytes_per_second_high, FIELD_NUMBER),
	POSITIVE(read_bytes_per_second, FIELD_NUMBER),
	PARALLELISM(read_low, FIELD_NUMBER),
	PARALLELISM(read_high, FIELD_NUMBER),
	POSITIVE(all_bytes_per_second, FIELD_NUMBER),
	PARALLELISM(all_low, FIELD_NUMBER),
	PARALLELISM(all_high, FIELD_NUMBER),
	POSITIVE(all_threads, FIELD_COUNT),
	POSITIVE(little_lines, FIELD_NUMBER),
	PARALLELISM(little_low_lines, FIELD_NUMBER),
	PARALLELISM(little_high_lines, FIELD_NUMBER),
	{"limit", FIELD_NAME, offsetof(struct fathom_parallelism, limit), FATHOM_LIMIT_UNKNOWN,
	 limit_parse, RANGE_ANY},
	PARALLELISM(evidence, FIELD_TEXT),
};
static const struct fields parallelism_fields = FIELDS_OF(parallelism_table);

static int read_parallelism(const struct place *place, void *item)
{
	return fields_read(place, &parallelism_fields, item);
}

static int read_number(const struct place *place, void *item)
{
	return fields_read(place, &number_fields, item);
}

static int read_effect(const struct place *place, void *item)
{
	return fields_read(place, &effect_fields, item);
}

static int read_level(const struct place *place, void *item)
{
	return fields_read(place, &level_fields, item);
}

static int read_reading(const struct place *place, void *item)
{
	struct fathom_reading *reading = item;
	if (fields_read(place, &reading_fields, reading))
		return -1;
	if (fields_read_numbers(place, "values", &reading->values, &reading->value_count))
		return -1;
	return fields_read_numbers(place, "latency", &reading->latency, &reading->latency_count);
}

int parts_read_levels(const struct place *place, struct fathom_result *result)
{
	if (fields_read_array(place, "levels", sizeof(*result->levels), read_level,
			      (void **)&result->levels, &result->level_count))
		return -1;
	for (size_t i = 0; i < result->level_count; i++)
		if (result->levels[i].curve >= result->curve_count)
			return fields_refuse(place, "levels", "names a curve that is not there");
	return 0;
}

int parts_read_readings(const struct place *place, struct fathom_result *result)
{
	if (fields_read_array(place, "readings", sizeof(*result->readings), read_reading,
			      (void **)&result->readings, &result->reading_count))
		return -1;
	for (size_t i = 0; i < result->reading_count; i++)
		if (result->readings[i].curve >= result->curve_count)
			return fields_refuse(place, "readings", "names a curve that is not there");
	return 0;
}

int parts_read_effects(const struct place *place, struct fathom_result *result)
{
	if (fields_read_array(place, "effects", sizeof(*result->effects), read_effect,
			      (void **)&result->effects, &result->effect_count))
		return -1;
	for (size_t i = 0; i < result->effect_count; i++)
		if (result->effects[i].with >= result->curve_count ||
		    result->effects[i].without >= result->curve_count)
			return fields_refuse(place, "effects", "names a curve that is not there");
	return 0;
}

int parts_read_parallelism(const struct place *place, struct fathom_result *result)
{
	if (fields_read_array(place, "parallelism", sizeof(*result->parallelism), read_parallelism,
			      (void **)&result->parallelism, &result->parallelism_count))
		return -1;
	for (size_t i = 0; i < result->parallelism_count; i++) {
		size_t curve = result->parallelism[i].curve;
		if (curve >= result->curve_count || result->curves[curve].point_count == 0)
			return fields_refuse(place, "parallelism",
					     "names a curve that is not there");
	}
	return 0;
}

int parts_read_numbers(const struct place *place, struct fathom_result *result)
{
	return fields_read_array(place, "numbers", sizeof(*result->numbers), read_number,
				 (void **)&result->numbers, &result->number_count);
}
