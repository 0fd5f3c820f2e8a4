/* What translation costs, as the parts "translations", "page_differences" and "decompositions" of
 * a result. */
#include "base/names.h"
#include "document/json_put.h"

static void put_curve(json_t **object, const char *key, size_t curve)
{
	if (curve == FATHOM_NO_CURVE)
		json_put(object, key, json_null());
	else
		json_put_bytes(object, key, curve);
}

static json_t *tlb_object(const struct fathom_tlb *tlb)
{
	json_t *object = json_object();
	json_put_number(&object, "entries", tlb->entries);
	json_put_number(&object, "entries_low", tlb->entries_low);
	json_put_number(&object, "entries_high", tlb->entries_high);
	json_put_number(&object, "penalty_ns", tlb->penalty_ns);
	json_put_number(&object, "penalty_low_ns", tlb->penalty_low_ns);
	json_put_number(&object, "penalty_high_ns", tlb->penalty_high_ns);
	json_put_number(&object, "penalty_cycles", tlb->penalty_cycles);
	json_put_number(&object, "penalty_low_cycles", tlb->penalty_low_cycles);
	json_put_number(&object, "penalty_high_cycles", tlb->penalty_high_cycles);
	json_put_number(&object, "confidence", tlb->confidence);
	json_put_text(&object, "evidence", tlb->evidence);
	return object;
}

static json_t *walk_object(const struct fathom_walk *walk)
{
	json_t *object = json_object();
	json_put_text(&object, "level", walk->level);
	json_put_number(&object, "from_pages", walk->from_pages);
	json_put_number(&object, "to_pages", walk->to_pages);
	json_put_number(&object, "ns", walk->ns);
	json_put_number(&object, "low_ns", walk->low_ns);
	json_put_number(&object, "high_ns", walk->high_ns);
	json_put_number(&object, "cycles", walk->cycles);
	json_put_number(&object, "low_cycles", walk->low_cycles);
	json_put_number(&object, "high_cycles", walk->high_cycles);
	json_put_text(&object, "evidence", walk->evidence);
	return object;
}

static json_t *translation_object(const struct fathom_translation *found)
{
	json_t *object = json_object(), *tlbs = json_array(), *walks = json_array();
	for (size_t i = 0; i < found->tlb_count; i++)
		json_put_next(&tlbs, tlb_object(&found->tlbs[i]));
	for (size_t i = 0; i < found->walk_count; i++)
		json_put_next(&walks, walk_object(&found->walks[i]));
	json_put_text(&object, "page_kind", page_name((int)found->page));
	json_put_known(&object, "page_bytes", found->page_bytes);
	json_put_known(&object, "entry_bytes", found->entry_bytes);
	put_curve(&object, "by_size", found->by_size);
	put_curve(&object, "spread", found->spread);
	put_curve(&object, "packed", found->packed);
	json_put(&object, "splintered",
		 found->splintered < 0 ? json_null() : json_boolean(found->splintered));
	json_put_text(&object, "splintered_evidence", found->splintered_evidence);
	json_put_boolean(&object, "nested", found->nested);
	json_put(&object, "tlbs", tlbs);
	json_put_text(&object, "tlbs_missing", found->tlbs_missing);
	json_put(&object, "walks", walks);
	json_put_text(&object, "walks_missing", found->walks_missing);
	return object;
}

json_t *json_translations(const struct fathom_result *result)
{
	json_t *list = json_array();
	for (size_t i = 0; i < result->translation_count; i++)
		json_put_next(&list, translation_object(&result->translations[i]));
	return list;
}

json_t *json_page_differences(const struct fathom_result *result)
{
	json_t *list = json_array();
	for (size_t i = 0; i < result->page_difference_count; i++) {
		const struct fathom_page_difference *difference = &result->page_differences[i];
		json_t *object = json_object();
		json_put_bytes(&object, "small", difference->small);
		json_put_bytes(&object, "large", difference->large);
		json_put_bytes(&object, "size_bytes", difference->size_bytes);
		json_put_number(&object, "ns", difference->ns);
		json_put_number(&object, "low_ns", difference->low_ns);
		json_put_number(&object, "high_ns", difference->high_ns);
		json_put_bytes(&object, "pairs", difference->pairs);
		json_put_next(&list, object);
	}
	return list;
}

static json_t *cost_object(const struct fathom_cost *cost)
{
	json_t *object = json_object();
	json_put_number(&object, "ns", cost->ns);
	json_put_number(&object, "low_ns", cost->low_ns);
	json_put_number(&object, "high_ns", cost->high_ns);
	return object;
}

json_t *json_decompositions(const struct fathom_result *result)
{
	json_t *list = json_array();
	for (size_t i = 0; i < result->decomposition_count; i++) {
		const struct fathom_decomposition *made = &result->decompositions[i];
		json_t *object = json_object(), *parts = json_object();
		for (int part = 0; part < FATHOM_PART_COUNT; part++)
			json_put(&parts, fathom_part_name(part), cost_object(&made->parts[part]));
		json_put_bytes(&object, "curve", made->curve);
		json_put_bytes(&object, "size_bytes", made->size_bytes);
		json_put(&object, "total", cost_object(&made->total));
		json_put(&object, "parts", parts);
		put_curve(&object, "memory_curve", made->memory_curve);
		json_put_boolean(&object, "memory_is_bound", made->memory_is_bound);
		json_put_text(&object, "evidence", made->evidence);
		json_put_next(&list, object);
	}
	return list;
}
