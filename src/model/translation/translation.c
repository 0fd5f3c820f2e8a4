#include "model/translation/translation.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/names.h"
#include "base/warnings.h"
#include "document/table.h"
#include "model/levels/levels.h"
#include "model/translation/page_kind.h"
#include "model/translation/page_pairs.h"

static void free_tlbs(struct fathom_translation *translation)
{
	for (size_t i = 0; i < translation->tlb_count; i++)
		free(translation->tlbs[i].evidence);
	free(translation->tlbs);
	free(translation->tlbs_missing);
	translation->tlbs = NULL;
	translation->tlbs_missing = NULL;
	translation->tlb_count = 0;
}

void translation_free(struct fathom_result *result)
{
	table_free_items(&translation_table, result->translations, result->translation_count);
	table_free_items(&page_difference_table, result->page_differences,
			 result->page_difference_count);
	table_free_items(&decomposition_table, result->decompositions, result->decomposition_count);
	result->translations = NULL;
	result->page_differences = NULL;
	result->decompositions = NULL;
	result->translation_count = 0;
	result->page_difference_count = 0;
	result->decomposition_count = 0;
}

/* ---- the kinds ---- */

static bool is_of_pages(const struct fathom_curve *curve)
{
	return curve->experiment == FATHOM_PAGES && !curve->tool && curve->point_count > 0;
}

static bool is_of_kind(const struct fathom_curve *curve, enum fathom_page page,
		       enum fathom_axis axis, enum fathom_pattern pattern)
{
	return is_of_pages(curve) && curve->axis == axis && curve->points[0].spec.page == page &&
	       curve->points[0].spec.pattern == pattern;
}

static size_t find_curve(const struct fathom_result *result, enum fathom_page page,
			 enum fathom_axis axis)
{
	for (size_t i = 0; i < result->curve_count; i++)
		if (is_of_kind(&result->curves[i], page, axis, FATHOM_RANDOM_CYCLE))
			return i;
	return FATHOM_NO_CURVE;
}

/* One line in every page; 0: of all such chains the one whose lines lie farthest apart. */
static size_t find_spread(const struct fathom_result *result, enum fathom_page page,
			  uint64_t page_bytes)
{
	size_t found = FATHOM_NO_CURVE;
	uint64_t farthest_bytes = 0;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (!is_of_kind(curve, page, FATHOM_AXIS_PAGES, FATHOM_ONE_PER_PAGE))
			continue;
		uint64_t node_bytes = curve->points[0].spec.node_bytes;
		if (page_bytes ? node_bytes == page_bytes : node_bytes > farthest_bytes) {
			farthest_bytes = node_bytes;
			found = i;
		}
	}
	return found;
}

/* As obtained at the largest size; 0: not known. */
static uint64_t page_bytes_of(const struct fathom_curve *curve)
{
	return curve->points[curve->point_count - 1].page_bytes;
}

static void open_kind(const struct fathom_result *result, enum fathom_page page,
		      struct page_kind *kind)
{
	struct fathom_translation *found = &kind->found;
	kind->result = result;
	found->page = page;
	found->by_size = find_curve(result, page, FATHOM_AXIS_SIZE);
	found->spread = find_spread(result, page, 0);
	found->packed = find_curve(result, page, FATHOM_AXIS_PAGES);
	const size_t curves[] = {found->by_size, found->spread, found->packed};
	for (size_t i = 0; i < 3 && found->page_bytes == 0; i++)
		if (curves[i] != FATHOM_NO_CURVE)
			found->page_bytes = page_bytes_of(&result->curves[curves[i]]);
	if (found->page_bytes == 0 && page == FATHOM_PAGE_4K)
		found->page_bytes = PAGE_USUAL_BYTES;
	if (page_kind_spacing_bytes(kind) < found->page_bytes)
		found->spread = FATHOM_NO_CURVE; /* that one is for splintered pages alone */
	found->entry_bytes = found->page_bytes;
	found->splintered = -1;
	found->nested = result->machine && result->machine->hypervisor;
}

/* Base pages come first, also where it is not known what others got. */
static uint64_t order_bytes(const struct fathom_translation *found)
{
	if (found->page == FATHOM_PAGE_4K)
		return 0;
	return found->page_bytes ? found->page_bytes : 1 + page_named_bytes((int)found->page);
}

static int by_page(const void *left, const void *right)
{
	const struct fathom_translation *a = &((const struct page_kind *)left)->found;
	const struct fathom_translation *b = &((const struct page_kind *)right)->found;
	if (order_bytes(a) != order_bytes(b))
		return order_bytes(a) < order_bytes(b) ? -1 : 1;
	return (a->page > b->page) - (a->page < b->page);
}

static size_t open_kinds(const struct fathom_result *result, struct page_kind *kinds)
{
	size_t count = 0;
	for (int page = 0; page < FATHOM_PAGE_UNKNOWN; page++) {
		bool any = false;
		for (size_t i = 0; i < result->curve_count; i++)
			any |= is_of_pages(&result->curves[i]) &&
			       (int)result->curves[i].points[0].spec.page == page;
		if (any)
			open_kind(result, (enum fathom_page)page, &kinds[count++]);
	}
	qsort(kinds, count, sizeof(*kinds), by_page);
	for (size_t i = 0; i < count; i++)
		kinds[i].fit = &kinds[i].whole;
	return count;
}

/* ---- the caches that tables may live in ---- */

/* Steps of TLBs are none of caches. */
static struct fathom_point without_translation(const struct page_kind *kind,
					       const struct fathom_point *point)
{
	struct fathom_point left = *point;
	double cost_ns = page_kind_cost_ns(kind, point->spec.size_bytes);
	if (!(cost_ns < point->latency_ns))
		return left;
	left.latency_ns -= cost_ns;
	left.latency_low_ns -= cost_ns;
	left.latency_high_ns -= cost_ns;
	return left;
}

static int find_in_curve(const struct page_kind *kind, struct fathom_result *view,
			 const struct fathom_observer *observer, struct fathom_error *error)
{
	struct fathom_curve copy = *page_kind_by_size(kind);
	struct fathom_point *points = calloc(copy.point_count, sizeof(*points));
	if (!points)
		return error_no_memory(error);
	for (size_t i = 0; i < copy.point_count; i++)
		points[i] = without_translation(kind, &copy.points[i]);
	copy.points = points;
	copy.experiment = FATHOM_LATENCY;
	view->curves = &copy;
	view->curve_count = 1;
	int status = levels_find(view, observer, NULL, error);
	view->curves = NULL;
	view->curve_count = 0;
	free(points);
	return status;
}

/* Those of the result, or of the curve along the sizes on the pages whose translation shows least.
 */
static int find_caches(const struct fathom_result *result, const struct page_kind *kinds,
		       size_t count, struct fathom_result *view,
		       const struct fathom_observer *observer, struct fathom_error *error)
{
	const struct page_kind *kind = page_kind_large(kinds, count, 0);
	if (!kind || kind->found.splintered == 1)
		kind = kinds;
	if (result->level_count || !page_kind_by_size(kind))
		return 0;
	return find_in_curve(kind, view, observer, error);
}

/* ---- all ---- */

static int add_differences(struct fathom_result *result, const struct page_kind *base,
			   const struct page_kind *kind, struct fathom_error *error)
{
	const struct fathom_curve *small = page_kind_by_size(base),
				  *large = page_kind_by_size(kind);
	if (!small || !large)
		return 0;
	struct fathom_page_difference *grown =
		realloc(result->page_differences,
			(result->page_difference_count + small->point_count) * sizeof(*grown));
	if (!grown)
		return error_no_memory(error);
	result->page_differences = grown;
	for (size_t i = 0; i < small->point_count; i++) {
		const struct fathom_point *point = &small->points[i];
		const struct fathom_point *other =
			page_pairs_of_size(large, point->spec.size_bytes);
		struct page_pair pair;
		if (!other || !isfinite(point->latency_ns))
			continue;
		if (page_pairs_compare(point, other, &pair, error))
			return -1;
		grown[result->page_difference_count++] = (struct fathom_page_difference){
			.small = base->found.by_size,
			.large = kind->found.by_size,
			.size_bytes = point->spec.size_bytes,
			.ns = pair.ns,
			.low_ns = pair.low_ns,
			.high_ns = pair.high_ns,
			.pairs = pair.pairs,
		};
	}
	return 0;
}

static int fit_chains(const struct page_kind *kind, size_t spread, struct group *chains,
		      const struct fathom_observer *observer, struct tlb_fit *fit,
		      struct fathom_error *error)
{
	if (spread == FATHOM_NO_CURVE || kind->found.packed == FATHOM_NO_CURVE)
		return 0;
	if (chains && chains->paged == spread)
		return tlb_fit_take(chains, fit, error);
	return tlb_fit_make(kind->result, spread, kind->found.packed, observer, fit, error);
}

/* The TLBs of splintered pages are asked for small ones: then the chains through one line of each
 * of these tell of them. */
static int find_splinters(struct page_kind *kind, const struct page_kind *base,
			  const struct fathom_observer *observer, struct fathom_error *error)
{
	struct fathom_translation *found = &kind->found;
	size_t pieces = find_spread(kind->result, found->page, base->found.page_bytes);
	if ((pieces != found->spread &&
	     fit_chains(kind, pieces, NULL, observer, &kind->pieces, error)) ||
	    page_kind_find_splinters(kind, base, error))
		return -1;
	if (found->splintered != 1 || kind->pieces.count == 0)
		return 0;
	found->spread = pieces;
	kind->fit = &kind->pieces;
	free_tlbs(found);
	return page_kind_find_tlbs(kind, error);
}

static int find_in_kinds(struct fathom_result *result, struct page_kind *kinds, size_t count,
			 struct group *chains, const struct fathom_observer *observer,
			 struct fathom_error *error)
{
	struct fathom_result view = {0};
	int status = 0;
	for (size_t i = 0; !status && i < count; i++) {
		status = budget_check_stop(observer, error) ||
			 fit_chains(&kinds[i], kinds[i].found.spread, chains, observer,
				    &kinds[i].whole, error) ||
			 page_kind_find_tlbs(&kinds[i], error);
		if (!status && i > 0)
			status = find_splinters(&kinds[i], kinds, observer, error) ||
				 add_differences(result, kinds, &kinds[i], error);
	}
	if (!status)
		status = find_caches(result, kinds, count, &view, observer, error);
	const struct fathom_result *known = result->level_count ? result : &view;
	for (size_t i = 0; !status && i < count; i++)
		status = page_kind_find_walks(&kinds[i], known->levels, known->level_count, error);
	if (!status)
		status = page_kind_decompose(result, kinds, count, error);
	table_free_items(&level_table, view.levels, view.level_count);
	table_free_items(&hypothesis_table, view.hypotheses, view.hypothesis_count);
	warnings_free(&view.warnings);
	return status ? -1 : 0;
}

/* The result takes over what was found, also where something failed. */
static int hand_over(struct fathom_result *result, struct page_kind *kinds, size_t count,
		     struct fathom_error *error)
{
	result->translations = calloc(count, sizeof(*result->translations));
	for (size_t i = 0; i < count; i++) {
		if (result->translations)
			result->translations[result->translation_count++] = kinds[i].found;
		else
			table_clear(&translation_table, &kinds[i].found);
		tlb_fit_free(&kinds[i].whole);
		tlb_fit_free(&kinds[i].pieces);
	}
	return result->translations ? 0 : error_no_memory(error);
}

int translation_find(struct fathom_result *result, struct group *chains,
		     const struct fathom_observer *observer, struct fathom_error *error)
{
	translation_free(result);
	struct page_kind *kinds = calloc(FATHOM_PAGE_UNKNOWN, sizeof(*kinds));
	if (!kinds)
		return error_no_memory(error);
	size_t count = open_kinds(result, kinds);
	int status = 0;
	if (count > 0) {
		status = find_in_kinds(result, kinds, count, chains, observer, error);
		status = hand_over(result, kinds, count, error) || status ? -1 : 0;
	}
	free(kinds);
	return status;
}
