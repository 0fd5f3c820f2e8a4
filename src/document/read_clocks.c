/* The parts "clocks" and "clock_laws" of a result, back from JSON. */
#include "base/names.h"
#include "document/read_parts.h"

#define CLOCK(name) FIELD_OF(fathom_clock, name, FIELD_NUMBER)
#define LAW(name)   FIELD_OF(fathom_clock_law, name, FIELD_NUMBER)

static const struct field clock_table[] = {
	FIELD_OF(fathom_clock, curve, FIELD_TALLY),
	{"source", FIELD_NAME, offsetof(struct fathom_clock, source), FATHOM_CLOCK_UNKNOWN,
	 clock_source_parse, RANGE_ANY},
	FIELD_IN(fathom_clock, hz, FIELD_NUMBER, RANGE_POSITIVE),
	CLOCK(relative),
	CLOCK(relative_low),
	CLOCK(relative_high),
	FIELD_OF(fathom_clock, evidence, FIELD_TEXT),
};
static const struct fields clock_fields = FIELDS_OF(clock_table);

static const struct field law_table[] = {
	FIELD_OF(fathom_clock_law, level, FIELD_TEXT),
	FIELD_OF(fathom_clock_law, from_bytes, FIELD_BYTES),
	FIELD_OF(fathom_clock_law, to_bytes, FIELD_BYTES),
	{"sizes", FIELD_TALLY, offsetof(struct fathom_clock_law, size_count), 0, NULL, RANGE_ANY},
	LAW(core_cycles),
	LAW(core_low_cycles),
	LAW(core_high_cycles),
	LAW(core_ns),
	LAW(core_low_ns),
	LAW(core_high_ns),
	LAW(outside_ns),
	LAW(outside_low_ns),
	LAW(outside_high_ns),
	FIELD_IN(fathom_clock_law, slow_ns, FIELD_NUMBER, RANGE_POSITIVE),
	FIELD_IN(fathom_clock_law, fast_ns, FIELD_NUMBER, RANGE_POSITIVE),
	FIELD_IN(fathom_clock_law, speedup, FIELD_NUMBER, RANGE_POSITIVE),
	LAW(speedup_low),
	LAW(speedup_high),
};
static const struct fields law_fields = FIELDS_OF(law_table);

static int read_clock(const struct place *place, void *item)
{
	const struct fathom_clock *clock = item;
	if (fields_read(place, &clock_fields, item))
		return -1;
	return clock->relative > 0 ? 0 : fields_refuse(place, "relative", "is not over 0");
}

static int read_law(const struct place *place, void *item)
{
	const struct fathom_clock_law *law = item;
	if (fields_read(place, &law_fields, item))
		return -1;
	return law->from_bytes && law->to_bytes >= law->from_bytes
		       ? 0
		       : fields_refuse(place, "to_bytes", "is less than 'from_bytes'");
}

int parts_read_clocks(const struct place *place, struct fathom_result *result)
{
	if (fields_read_array(place, "clocks", sizeof(*result->clocks), read_clock,
			      (void **)&result->clocks, &result->clock_count) ||
	    fields_read_array(place, "clock_laws", sizeof(*result->clock_laws), read_law,
			      (void **)&result->clock_laws, &result->clock_law_count))
		return -1;
	if (result->clock_law_count && result->clock_count < 2)
		return fields_refuse(place, "clocks", "are fewer than two");
	for (size_t i = 0; i < result->clock_count; i++)
		if (result->clocks[i].curve >= result->curve_count)
			return fields_refuse(place, "clocks", "names a curve that is not there");
	return 0;
}
