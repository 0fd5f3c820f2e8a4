/* What json_translation.c wrote. */
#include <math.h>

#include "base/names.h"
#include "document/read_parts.h"

#define TLB(name)          FIELD_OF(fathom_tlb, name, FIELD_NUMBER)
#define WALK(name)         FIELD_OF(fathom_walk, name, FIELD_NUMBER)
#define KIND(name, type)   FIELD_OF(fathom_translation, name, type)
#define DIFFER(name, type) FIELD_OF(fathom_page_difference, name, type)
#define PARTS(name, type)  FIELD_OF(fathom_decomposition, name, type)

static int read_tlb(const struct place *place, void *item)
{
	static const struct field table[] = {
		FIELD_IN(fathom_tlb, entries, FIELD_NUMBER, RANGE_POSITIVE),
		TLB(entries_low),
		TLB(entries_high),
		TLB(penalty_ns),
		TLB(penalty_low_ns),
		TLB(penalty_high_ns),
		TLB(penalty_cycles),
		TLB(penalty_low_cycles),
		TLB(penalty_high_cycles),
		FIELD_IN(fathom_tlb, confidence, FIELD_NUMBER, RANGE_SHARE),
		FIELD_OF(fathom_tlb, evidence, FIELD_TEXT),
	};
	static const struct fields fields = FIELDS_OF(table);
	return fields_read(place, &fields, item);
}

static int read_walk(const struct place *place, void *item)
{
	static const struct field table[] = {
		FIELD_OF(fathom_walk, level, FIELD_TEXT),
		FIELD_IN(fathom_walk, from_pages, FIELD_NUMBER, RANGE_NOT_NEGATIVE),
		WALK(to_pages),
		WALK(ns),
		WALK(low_ns),
		WALK(high_ns),
		WALK(cycles),
		WALK(low_cycles),
		WALK(high_cycles),
		FIELD_OF(fathom_walk, evidence, FIELD_TEXT),
	};
	static const struct fields fields = FIELDS_OF(table);
	return fields_read(place, &fields, item);
}

/* A curve's index that was read; null is none. */
static void settle_curve(const struct place *place, const char *name, size_t *curve)
{
	const json_t *json = json_object_get(place->object, name);
	if (!json || json_is_null(json))
		*curve = FATHOM_NO_CURVE;
}

static int read_translation(const struct place *place, void *item)
{
	static const struct field table[] = {
		{"page_kind", FIELD_NAME, offsetof(struct fathom_translation, page),
		 FATHOM_PAGE_UNKNOWN, page_parse, RANGE_ANY},
		FIELD_IN(fathom_translation, page_bytes, FIELD_BYTES, RANGE_POSITIVE),
		FIELD_IN(fathom_translation, entry_bytes, FIELD_BYTES, RANGE_POSITIVE),
		KIND(by_size, FIELD_TALLY),
		KIND(spread, FIELD_TALLY),
		KIND(packed, FIELD_TALLY),
		KIND(splintered, FIELD_SWITCH),
		KIND(splintered_evidence, FIELD_TEXT),
		KIND(nested, FIELD_BOOLEAN),
		KIND(tlbs_missing, FIELD_TEXT),
		KIND(walks_missing, FIELD_TEXT),
	};
	static const struct fields fields = FIELDS_OF(table);
	struct fathom_translation *found = item;
	if (fields_read(place, &fields, found))
		return -1;
	settle_curve(place, "by_size", &found->by_size);
	settle_curve(place, "spread", &found->spread);
	settle_curve(place, "packed", &found->packed);
	if (fields_read_array(place, "tlbs", sizeof(*found->tlbs), read_tlb, (void **)&found->tlbs,
			      &found->tlb_count))
		return -1;
	return fields_read_array(place, "walks", sizeof(*found->walks), read_walk,
				 (void **)&found->walks, &found->walk_count);
}

static int read_difference(const struct place *place, void *item)
{
	static const struct field table[] = {
		DIFFER(small, FIELD_TALLY),
		DIFFER(large, FIELD_TALLY),
		FIELD_IN(fathom_page_difference, size_bytes, FIELD_BYTES, RANGE_POSITIVE),
		DIFFER(ns, FIELD_NUMBER),
		DIFFER(low_ns, FIELD_NUMBER),
		DIFFER(high_ns, FIELD_NUMBER),
		DIFFER(pairs, FIELD_TALLY),
	};
	static const struct fields fields = FIELDS_OF(table);
	return fields_read(place, &fields, item);
}

static int read_cost(const struct place *place, void *target)
{
	static const struct field table[] = {
		FIELD_OF(fathom_cost, ns, FIELD_NUMBER),
		FIELD_OF(fathom_cost, low_ns, FIELD_NUMBER),
		FIELD_OF(fathom_cost, high_ns, FIELD_NUMBER),
	};
	static const struct fields fields = FIELDS_OF(table);
	return fields_read(place, &fields, target);
}

static int read_parts(const struct place *place, void *target)
{
	struct fathom_decomposition *made = target;
	for (int part = 0; part < FATHOM_PART_COUNT; part++)
		if (fields_read_object(place, fathom_part_name(part), read_cost,
				       &made->parts[part]))
			return -1;
	return 0;
}

static int read_decomposition(const struct place *place, void *item)
{
	static const struct field table[] = {
		PARTS(curve, FIELD_TALLY),
		FIELD_IN(fathom_decomposition, size_bytes, FIELD_BYTES, RANGE_POSITIVE),
		PARTS(memory_curve, FIELD_TALLY),
		PARTS(memory_is_bound, FIELD_BOOLEAN),
		PARTS(evidence, FIELD_TEXT),
	};
	static const struct fields fields = FIELDS_OF(table);
	static const struct fathom_cost not_known = {NAN, NAN, NAN};
	struct fathom_decomposition *made = item;
	made->total = not_known;
	for (int part = 0; part < FATHOM_PART_COUNT; part++)
		made->parts[part] = not_known;
	if (fields_read(place, &fields, made))
		return -1;
	settle_curve(place, "memory_curve", &made->memory_curve);
	return fields_read_object(place, "total", read_cost, &made->total) ||
			       fields_read_object(place, "parts", read_parts, made)
		       ? -1
		       : 0;
}

/* ---- which curves they name ---- */

static bool is_there(const struct fathom_result *result, size_t curve)
{
	return curve < result->curve_count && result->curves[curve].point_count > 0;
}

static bool may_be(const struct fathom_result *result, size_t curve)
{
	return curve == FATHOM_NO_CURVE || is_there(result, curve);
}

static const char *find_stray(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->translation_count; i++) {
		const struct fathom_translation *found = &result->translations[i];
		if (!may_be(result, found->by_size) || !may_be(result, found->spread) ||
		    !may_be(result, found->packed))
			return "translations";
	}
	for (size_t i = 0; i < result->page_difference_count; i++)
		if (!is_there(result, result->page_differences[i].small) ||
		    !is_there(result, result->page_differences[i].large))
			return "page_differences";
	for (size_t i = 0; i < result->decomposition_count; i++)
		if (!is_there(result, result->decompositions[i].curve) ||
		    !may_be(result, result->decompositions[i].memory_curve))
			return "decompositions";
	return NULL;
}

int parts_read_translation(const struct place *place, struct fathom_result *result)
{
	if (fields_read_array(place, "translations", sizeof(*result->translations),
			      read_translation, (void **)&result->translations,
			      &result->translation_count) ||
	    fields_read_array(place, "page_differences", sizeof(*result->page_differences),
			      read_difference, (void **)&result->page_differences,
			      &result->page_difference_count) ||
	    fields_read_array(place, "decompositions", sizeof(*result->decompositions),
			      read_decomposition, (void **)&result->decompositions,
			      &result->decomposition_count))
		return -1;
	const char *stray = find_stray(result);
	return stray ? fields_refuse(place, stray, "names a curve that is not there") : 0;
}
