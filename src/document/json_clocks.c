/* What runs at several clocks say, as the parts "clocks" and "clock_laws" of a result. */
#include "base/names.h"
#include "document/json_put.h"

static json_t *clock_object(const struct fathom_clock *clock)
{
	json_t *object = json_object();
	json_put_bytes(&object, "curve", clock->curve);
	json_put_text(&object, "source", clock_source_name((int)clock->source));
	json_put_number(&object, "hz", clock->hz);
	json_put_number(&object, "relative", clock->relative);
	json_put_number(&object, "relative_low", clock->relative_low);
	json_put_number(&object, "relative_high", clock->relative_high);
	json_put_text(&object, "evidence", clock->evidence);
	return object;
}

json_t *json_clocks(const struct fathom_result *result)
{
	json_t *list = json_array();
	for (size_t i = 0; i < result->clock_count; i++)
		json_put_next(&list, clock_object(&result->clocks[i]));
	return list;
}

static json_t *law_object(const struct fathom_clock_law *law)
{
	json_t *object = json_object();
	json_put_text(&object, "level", law->level);
	json_put_bytes(&object, "from_bytes", law->from_bytes);
	json_put_bytes(&object, "to_bytes", law->to_bytes);
	json_put_bytes(&object, "sizes", law->size_count);
	json_put_number(&object, "core_cycles", law->core_cycles);
	json_put_number(&object, "core_low_cycles", law->core_low_cycles);
	json_put_number(&object, "core_high_cycles", law->core_high_cycles);
	json_put_number(&object, "core_ns", law->core_ns);
	json_put_number(&object, "core_low_ns", law->core_low_ns);
	json_put_number(&object, "core_high_ns", law->core_high_ns);
	json_put_number(&object, "outside_ns", law->outside_ns);
	json_put_number(&object, "outside_low_ns", law->outside_low_ns);
	json_put_number(&object, "outside_high_ns", law->outside_high_ns);
	json_put_number(&object, "slow_ns", law->slow_ns);
	json_put_number(&object, "fast_ns", law->fast_ns);
	json_put_number(&object, "speedup", law->speedup);
	json_put_number(&object, "speedup_low", law->speedup_low);
	json_put_number(&object, "speedup_high", law->speedup_high);
	return object;
}

json_t *json_clock_laws(const struct fathom_result *result)
{
	json_t *list = json_array();
	for (size_t i = 0; i < result->clock_law_count; i++)
		json_put_next(&list, law_object(&result->clock_laws[i]));
	return list;
}
