#include "model/levels/level_tlbs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "document/table.h"
#include "model/levels/levels.h"

/* So far apart the ends of two steps may be read off a curve that are one. */
#define SAME_STEP 1.5
#define ROUNDING  1e-6 /* in a document of 9 digits */

/* The translation on the pages of that curve, if it knows a TLB; NULL: none does. */
static const struct fathom_translation *find_translation(const struct fathom_result *result,
							 size_t which)
{
	const struct fathom_curve *curve = &result->curves[which];
	if (curve->tool || curve->point_count == 0)
		return NULL;
	uint64_t page_bytes = curve->points[curve->point_count - 1].page_bytes;
	for (size_t i = 0; i < result->translation_count; i++) {
		const struct fathom_translation *one = &result->translations[i];
		if (one->tlb_count && page_bytes && one->page_bytes == page_bytes)
			return one;
	}
	return NULL;
}

static bool is_at_tlb(const struct fathom_level *level, const struct fathom_translation *one)
{
	for (size_t i = 0; i < one->tlb_count; i++) {
		double bytes = one->tlbs[i].entries * (double)one->entry_bytes;
		if (level->size_low_bytes < bytes * SAME_STEP &&
		    level->size_high_bytes > bytes / SAME_STEP)
			return true;
	}
	return false;
}

static bool is_told(const struct fathom_level *level, const struct fathom_translation *one)
{
	if (level->kind == FATHOM_LEVEL_TLB)
		return isfinite(level->entries) || one->walk_count > 0;
	return level->kind == FATHOM_LEVEL_UNKNOWN && isfinite(level->penalty_ns) &&
	       is_at_tlb(level, one);
}

/* Returns false where memory ran out; what is made by then is in `level`. */
static bool make_level(const struct fathom_translation *one, size_t which, size_t curve,
		       struct fathom_level *level)
{
	const struct fathom_tlb *tlb = &one->tlbs[which];
	double entry_bytes = (double)one->entry_bytes;
	table_unknown(&level_table, level);
	level->name = text_format("TLB %zu", which + 1);
	level->kind = FATHOM_LEVEL_TLB;
	level->curve = curve;
	level->confidence = tlb->confidence;
	level->size_bytes = tlb->entries * entry_bytes;
	level->size_low_bytes = tlb->entries_low * entry_bytes;
	level->size_high_bytes = tlb->entries_high * entry_bytes;
	level->entries = tlb->entries;
	level->entry_bytes = one->entry_bytes;
	level->penalty_ns = tlb->penalty_ns;
	level->penalty_cycles = tlb->penalty_cycles;
	level->evidence = strdup(tlb->evidence ? tlb->evidence : "one line a page");
	return level->name && level->evidence;
}

static void free_level(struct fathom_level *level)
{
	free(level->name);
	free(level->replacement_evidence);
	free(level->evidence);
}

static bool is_near(double value, double other)
{
	return (isnan(value) && isnan(other)) || fabs(value - other) <= ROUNDING * fabs(other);
}

bool level_tlbs_agree(const struct fathom_level *level, const struct fathom_tlb *tlb)
{
	return is_near(level->entries, tlb->entries) && is_near(level->penalty_ns, tlb->penalty_ns);
}

/* Are these TLBs there already, as a document has them? */
static bool is_settled(const struct fathom_result *result, size_t first, size_t end,
		       const struct fathom_translation *one)
{
	size_t told = 0, same = 0;
	for (size_t i = first; i < end; i++) {
		const struct fathom_level *level = &result->levels[i];
		if (!is_told(level, one))
			continue;
		same += told < one->tlb_count && level_tlbs_agree(level, &one->tlbs[told]);
		told++;
	}
	return told == one->tlb_count && same == told;
}

/* Those of levels[first] to before `end`, which are of one curve, with the TLBs behind them. *count
 * grows by those. Returns false where memory ran out. */
static bool copy_settled(struct fathom_result *result, size_t first, size_t end,
			 struct fathom_level *settled, size_t *count)
{
	size_t curve = result->levels[first].curve;
	const struct fathom_translation *one = find_translation(result, curve);
	bool made = true;
	if (one && is_settled(result, first, end, one))
		one = NULL;
	for (size_t i = first; i < end; i++)
		if (one && is_told(&result->levels[i], one))
			free_level(&result->levels[i]);
		else
			settled[(*count)++] = result->levels[i];
	for (size_t i = 0; one && i < one->tlb_count; i++)
		made &= make_level(one, i, curve, &settled[(*count)++]);
	return made;
}

int level_tlbs_settle(struct fathom_result *result, struct fathom_error *error)
{
	size_t most = result->level_count, count = 0;
	bool made = true;
	for (size_t i = 0; i < result->translation_count; i++)
		most += result->translations[i].tlb_count * result->curve_count;
	if (most == result->level_count || result->level_count == 0)
		return 0;
	struct fathom_level *settled = calloc(most, sizeof(*settled));
	if (!settled)
		return error_no_memory(error);
	for (size_t first = 0, end; first < result->level_count; first = end) {
		for (end = first + 1; end < result->level_count &&
				      result->levels[end].curve == result->levels[first].curve;)
			end++;
		made &= copy_settled(result, first, end, settled, &count);
	}
	free(result->levels);
	result->levels = settled;
	result->level_count = count;
	return made ? 0 : error_no_memory(error);
}
