#include "model/checks/intervals.h"

#include <stddef.h>

#include "base/text.h"

/* A member with its bounds. */
struct triple {
	const char *field;
	size_t value, low, high;
};
#define TRIPLE(type, value, low, high)                                                             \
	{                                                                                          \
#value, offsetof(struct type, value), offsetof(struct type, low),                  \
			offsetof(struct type, high)                                                \
	}

static const struct triple of_point[] = {
	TRIPLE(fathom_point, latency_ns, latency_low_ns, latency_high_ns),
	TRIPLE(fathom_point, latency_cycles, latency_low_cycles, latency_high_cycles),
	TRIPLE(fathom_point, ns_per_access, low_ns_per_access, high_ns_per_access),
	TRIPLE(fathom_point, cycles_per_access, low_cycles_per_access, high_cycles_per_access),
	TRIPLE(fathom_point, bandwidth_bytes_per_second, bandwidth_low_bytes_per_second,
	       bandwidth_high_bytes_per_second),
};
static const struct triple of_level[] = {
	TRIPLE(fathom_level, size_bytes, size_low_bytes, size_high_bytes),
	TRIPLE(fathom_level, latency_ns, latency_low_ns, latency_high_ns),
	TRIPLE(fathom_level, latency_cycles, latency_low_cycles, latency_high_cycles),
};
static const struct triple of_effect[] = {TRIPLE(fathom_effect, ns, low_ns, high_ns)};
static const struct triple of_parallelism[] = {
	TRIPLE(fathom_parallelism, latency_ns, latency_low_ns, latency_high_ns),
	TRIPLE(fathom_parallelism, ns_per_access, low_ns_per_access, high_ns_per_access),
	TRIPLE(fathom_parallelism, speedup, speedup_low, speedup_high),
	TRIPLE(fathom_parallelism, knee_lanes, knee_low_lanes, knee_high_lanes),
	TRIPLE(fathom_parallelism, bytes_per_second, low_bytes_per_second, high_bytes_per_second),
	TRIPLE(fathom_parallelism, read_bytes_per_second, read_low_bytes_per_second,
	       read_high_bytes_per_second),
	TRIPLE(fathom_parallelism, all_bytes_per_second, all_low_bytes_per_second,
	       all_high_bytes_per_second),
	TRIPLE(fathom_parallelism, little_lines, little_low_lines, little_high_lines),
};
static const struct triple of_tlb[] = {
	TRIPLE(fathom_tlb, entries, entries_low, entries_high),
	TRIPLE(fathom_tlb, penalty_ns, penalty_low_ns, penalty_high_ns),
	TRIPLE(fathom_tlb, penalty_cycles, penalty_low_cycles, penalty_high_cycles),
};
static const struct triple of_walk[] = {
	TRIPLE(fathom_walk, ns, low_ns, high_ns),
	TRIPLE(fathom_walk, cycles, low_cycles, high_cycles),
};
static const struct triple of_difference[] = {TRIPLE(fathom_page_difference, ns, low_ns, high_ns)};
#define PART(which)                                                                                \
	{                                                                                          \
		"parts", offsetof(struct fathom_decomposition, parts[which].ns),                   \
			offsetof(struct fathom_decomposition, parts[which].low_ns),                \
			offsetof(struct fathom_decomposition, parts[which].high_ns)                \
	}
static const struct triple of_decomposition[] = {
	TRIPLE(fathom_decomposition, total.ns, total.low_ns, total.high_ns),
	PART(FATHOM_PART_MEMORY),
	PART(FATHOM_PART_TLB),
	PART(FATHOM_PART_WALK),
	PART(FATHOM_PART_RESIDUAL),
};
static const struct triple of_number[] = {TRIPLE(fathom_number, ns, low_ns, high_ns)};
static const struct triple of_clock[] = {
	TRIPLE(fathom_clock, relative, relative_low, relative_high)};
static const struct triple of_law[] = {
	TRIPLE(fathom_clock_law, core_cycles, core_low_cycles, core_high_cycles),
	TRIPLE(fathom_clock_law, core_ns, core_low_ns, core_high_ns),
	TRIPLE(fathom_clock_law, outside_ns, outside_low_ns, outside_high_ns),
	TRIPLE(fathom_clock_law, speedup, speedup_low, speedup_high),
};

struct walk {
	interval_visit *visit;
	void *context;
};

static double *member(void *item, size_t offset)
{
	return (double *)(void *)((char *)item + offset);
}

/* Of all items of a list; the place's last index is the item's. */
static bool visit_items(const struct walk *walk, struct interval_place place, void *items,
			size_t count, size_t item_bytes, const struct triple *triples,
			size_t triple_count)
{
	for (size_t i = 0; i < count; i++) {
		char *item = (char *)items + i * item_bytes;
		*(place.inner ? &place.inner_index : &place.index) = i;
		for (size_t k = 0; k < triple_count; k++) {
			place.field = triples[k].field;
			if (walk->visit(walk->context, &place, member(item, triples[k].value),
					member(item, triples[k].low),
					member(item, triples[k].high)))
				return true;
		}
	}
	return false;
}

#define VISIT(list, inner, index, items, count, triples)                                           \
	visit_items(&walk, (struct interval_place){list, inner, index, 0, NULL}, items, count,     \
		    sizeof(*(items)), triples, sizeof(triples) / sizeof(*(triples)))

static bool visit_nested(struct fathom_result *result, struct walk walk)
{
	for (size_t i = 0; i < result->curve_count; i++) {
		struct fathom_curve *curve = &result->curves[i];
		if (VISIT("curves", "points", i, curve->points, curve->point_count, of_point))
			return true;
	}
	for (size_t i = 0; i < result->translation_count; i++) {
		struct fathom_translation *one = &result->translations[i];
		if (VISIT("translations", "tlbs", i, one->tlbs, one->tlb_count, of_tlb) ||
		    VISIT("translations", "walks", i, one->walks, one->walk_count, of_walk))
			return true;
	}
	return false;
}

bool intervals_each(struct fathom_result *result, interval_visit *visit, void *context)
{
	const struct walk walk = {visit, context};
	return visit_nested(result, walk) ||
	       VISIT("levels", NULL, 0, result->levels, result->level_count, of_level) ||
	       VISIT("effects", NULL, 0, result->effects, result->effect_count, of_effect) ||
	       VISIT("parallelism", NULL, 0, result->parallelism, result->parallelism_count,
		     of_parallelism) ||
	       VISIT("page_differences", NULL, 0, result->page_differences,
		     result->page_difference_count, of_difference) ||
	       VISIT("decompositions", NULL, 0, result->decompositions, result->decomposition_count,
		     of_decomposition) ||
	       VISIT("numbers", NULL, 0, result->numbers, result->number_count, of_number) ||
	       VISIT("clocks", NULL, 0, result->clocks, result->clock_count, of_clock) ||
	       VISIT("clock_laws", NULL, 0, result->clock_laws, result->clock_law_count, of_law);
}

char *intervals_path(const struct interval_place *place)
{
	if (!place->inner)
		return text_format("%s[%zu].%s", place->list, place->index, place->field);
	return text_format("%s[%zu].%s[%zu].%s", place->list, place->index, place->inner,
			   place->inner_index, place->field);
}
