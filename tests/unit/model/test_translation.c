/* What the model finds of translation in curves that follow the laws. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/translation/page_kind.h"
#include "model/translation/translation.h"
#include "page_curves.h"
#include "unit.h"

#define MACHINES_DRAWN 3 /* more: make accuracy */
#define FIRST_SEED     500
#define ENTRIES_OFF    0.10
#define PENALTY_OFF    0.15
#define PART_OFF       0.05
#define WELL           0.95 /* share of the machines, or sizes */
#define SMALL_PAGES    4096
#define LARGE_PAGES    (2u << 20)

static struct fathom_result *analyse(const struct known_pages *known)
{
	struct fathom_result *result = make_page_curves(known);
	assert_int_equal(translation_find(result, NULL, NULL, NULL), 0);
	return result;
}

static bool is_near(double value, double truth, double off)
{
	return fabs(value / truth - 1) <= off;
}

/* ---- accuracy ---- */

struct score {
	size_t machines, entries[KNOWN_TLBS], penalties[KNOWN_TLBS], unsplintered;
	size_t sizes, parts, residuals;
};

static void score_tlbs(const struct known_pages *known, const struct fathom_translation *found,
		       struct score *score)
{
	for (size_t i = 0; i < KNOWN_TLBS && found->tlb_count == KNOWN_TLBS; i++) {
		const struct fathom_tlb *tlb = &found->tlbs[i];
		score->entries[i] += is_near(tlb->entries, known->tlbs[i].entries, ENTRIES_OFF);
		score->penalties[i] +=
			is_near(tlb->penalty_ns, known->tlbs[i].penalty_ns, PENALTY_OFF);
	}
}

static void score_parts(const struct known_pages *known, const struct fathom_decomposition *made,
			struct score *score)
{
	struct known_parts parts = known_parts_at(known, (double)made->size_bytes);
	double most = PART_OFF * (parts.memory_ns + parts.tlb_ns + parts.walk_ns);
	score->sizes++;
	score->parts += fabs(made->parts[FATHOM_PART_MEMORY].ns - parts.memory_ns) <= most &&
			fabs(made->parts[FATHOM_PART_TLB].ns - parts.tlb_ns) <= most &&
			fabs(made->parts[FATHOM_PART_WALK].ns - parts.walk_ns) <= most;
	score->residuals += fabs(made->parts[FATHOM_PART_RESIDUAL].ns) <= most;
}

static void many_machines_are_read_well(void **state)
{
	struct score score = {0};
	(void)state;
	for (size_t i = 0; i < MACHINES_DRAWN; i++) {
		struct known_pages known = known_pages_draw(FIRST_SEED + i);
		struct fathom_result *result = analyse(&known);
		score.machines++;
		score_tlbs(&known, &result->translations[0], &score);
		score.unsplintered += result->translations[1].splintered == 0;
		for (size_t k = 0; k < result->decomposition_count; k++)
			score_parts(&known, &result->decompositions[k], &score);
		fathom_result_free(result);
	}
	for (size_t i = 0; i < KNOWN_TLBS; i++) {
		assert_true((double)score.entries[i] >= WELL * (double)score.machines);
		assert_true((double)score.penalties[i] >= WELL * (double)score.machines);
	}
	assert_true((double)score.unsplintered >= WELL * (double)score.machines);
	assert_true(score.sizes > 0);
	assert_true((double)score.parts >= WELL * (double)score.sizes);
	assert_true((double)score.residuals >= WELL * (double)score.sizes);
}

/* ---- one machine, in detail ---- */

static void curves_are_found_by_kind_and_pattern(void **state)
{
	struct known_pages known = known_pages_draw(7);
	struct fathom_result *result = analyse(&known);
	(void)state;
	assert_int_equal(result->translation_count, 2);
	assert_int_equal(result->translations[0].page, FATHOM_PAGE_4K);
	assert_int_equal(result->translations[0].page_bytes, SMALL_PAGES);
	assert_int_equal(result->translations[0].by_size, CURVE_SIZES_4K);
	assert_int_equal(result->translations[0].spread, CURVE_SPREAD_4K);
	assert_int_equal(result->translations[0].packed, CURVE_PACKED_4K);
	assert_int_equal(result->translations[1].page_bytes, LARGE_PAGES);
	assert_int_equal(result->translations[1].spread, CURVE_SPREAD_2M);
	assert_null(result->translations[0].tlbs_missing);
	assert_false(result->translations[0].nested);
	fathom_result_free(result);
}

static void intervals_hold_what_they_are_of(void **state)
{
	struct known_pages known = known_pages_draw(8);
	struct fathom_result *result = analyse(&known);
	const struct fathom_translation *found = &result->translations[0];
	(void)state;
	for (size_t i = 0; i < found->tlb_count; i++) {
		const struct fathom_tlb *tlb = &found->tlbs[i];
		assert_true(tlb->entries_low <= tlb->entries && tlb->entries <= tlb->entries_high);
		assert_true(tlb->penalty_low_ns <= tlb->penalty_ns &&
			    tlb->penalty_ns <= tlb->penalty_high_ns);
		assert_true(is_near(tlb->penalty_cycles, 3.5 * tlb->penalty_ns, 0.01));
	}
	for (size_t i = 0; i < result->decomposition_count; i++)
		for (int part = 0; part < FATHOM_PART_COUNT; part++) {
			const struct fathom_cost *cost = &result->decompositions[i].parts[part];
			assert_true(cost->low_ns <= cost->ns && cost->ns <= cost->high_ns);
		}
	fathom_result_free(result);
}

static void parts_sum_to_the_total(void **state)
{
	struct known_pages known = known_pages_draw(9);
	struct fathom_result *result = analyse(&known);
	(void)state;
	for (size_t i = 0; i < result->decomposition_count; i++) {
		const struct fathom_decomposition *made = &result->decompositions[i];
		double sum_ns = 0;
		for (int part = 0; part < FATHOM_PART_COUNT; part++)
			sum_ns += made->parts[part].ns;
		assert_true(is_near(sum_ns, made->total.ns, 1e-9));
		assert_int_equal(made->curve, CURVE_SIZES_4K);
		assert_int_equal(made->memory_curve, CURVE_SIZES_2M);
	}
	fathom_result_free(result);
}

/* What drifts is in both blocks of a pair. */
static void differences_are_of_pairs(void **state)
{
	struct known_pages known = known_pages_draw(10);
	known.noise = 0.001;
	known.drift = 0.2;
	struct fathom_result *result = analyse(&known);
	(void)state;
	assert_true(result->page_difference_count > 0);
	for (size_t i = 0; i < result->page_difference_count; i++) {
		const struct fathom_page_difference *difference = &result->page_differences[i];
		const struct fathom_point *small = &result->curves[CURVE_SIZES_4K].points[i];
		double most = 0.01 * small->latency_ns + 0.6 * fabs(difference->ns);
		assert_int_equal(difference->pairs, known.blocks);
		assert_int_equal(difference->size_bytes, small->spec.size_bytes);
		assert_true(difference->low_ns <= difference->ns &&
			    difference->ns <= difference->high_ns);
		assert_true(difference->high_ns - difference->low_ns < most);
	}
	fathom_result_free(result);
}

/* The step's place in bytes of tables, against the caches that the large pages show. */
static void walks_are_named_by_where_the_tables_live(void **state)
{
	struct known_pages known = known_pages_draw(2);
	struct fathom_result *result = analyse(&known);
	const struct fathom_translation *found = &result->translations[0];
	(void)state;
	assert_int_equal(found->walk_count, 2);
	for (size_t i = 0; i < found->walk_count; i++) {
		const struct fathom_walk *walk = &found->walks[i];
		double end =
			isnan(walk->to_pages) ? known.largest_bytes / SMALL_PAGES : walk->to_pages;
		double ns = known_spread_ns(&known, sqrt(walk->from_pages * end));
		assert_true(is_near(walk->ns, ns, 0.15));
		assert_non_null(walk->evidence);
	}
	assert_string_equal(found->walks[0].level, "L2");
	assert_string_equal(found->walks[1].level, "L3");
	/* Half of its reads leave L2 there. */
	double left = known.caches[1].reach_bytes / (8 * M_LN2);
	assert_true(is_near(found->walks[0].to_pages, left, 0.15));
	assert_true(isnan(found->walks[1].to_pages));
	assert_null(found->walks_missing);
	fathom_result_free(result);
}

/* ---- other machines ---- */

/* One line a page falls off such a cache before as many lines side by side do, as soon as the TLB
 * is missed. */
static void a_small_second_cache_is_not_taken_for_walks(void **state)
{
	const double penalty_ns = 8, entries = 2048;
	struct known_pages known = known_pages_draw(5);
	(void)state;
	known.tlbs[1] = (struct known_tlb){entries, penalty_ns};
	known.caches[1].reach_bytes = 2.6 * 64 * entries;
	known.caches[1].rise = 80;
	struct fathom_result *result = analyse(&known);
	const struct fathom_translation *found = &result->translations[0];
	assert_int_equal(found->tlb_count, 2);
	assert_true(is_near(found->tlbs[1].entries, entries, ENTRIES_OFF));
	assert_true(is_near(found->tlbs[1].penalty_ns, penalty_ns, PENALTY_OFF));
	fathom_result_free(result);
}

static void splintered_pages_are_said_to_be(void **state)
{
	struct known_pages known = known_pages_draw(11);
	(void)state;
	known.splintered = true;
	struct fathom_result *result = analyse(&known);
	const struct fathom_translation *large = &result->translations[1];
	assert_int_equal(large->splintered, 1);
	assert_int_equal(large->entry_bytes, SMALL_PAGES);
	assert_int_equal(large->page_bytes, LARGE_PAGES);
	assert_non_null(strstr(large->splintered_evidence, "base pages"));
	assert_int_equal(large->spread, CURVE_PIECES_2M);
	assert_int_equal(large->tlb_count, 2);
	assert_true(is_near(large->tlbs[0].entries, known.tlbs[0].entries, ENTRIES_OFF));
	/* Less their own translation they tell what memory itself is. */
	for (size_t i = 0; i < result->decomposition_count; i++) {
		const struct fathom_decomposition *made = &result->decompositions[i];
		struct known_parts parts = known_parts_at(&known, (double)made->size_bytes);
		double most_ns = PART_OFF * made->total.ns;
		assert_false(made->memory_is_bound);
		assert_true(fabs(made->parts[FATHOM_PART_MEMORY].ns - parts.memory_ns) < most_ns);
		assert_true(fabs(made->parts[FATHOM_PART_RESIDUAL].ns) < most_ns);
	}
	assert_non_null(strstr(result->decompositions[result->decomposition_count - 1].evidence,
			       "less what translation takes on them, as TLBs hold"));
	fathom_result_free(result);
}

static void without_a_chain_through_their_pieces_splintered_pages_are_a_bound(void **state)
{
	struct known_pages known = known_pages_draw(11);
	(void)state;
	known.splintered = true;
	struct fathom_result *result = make_page_curves(&known);
	drop_page_curve(result, CURVE_PIECES_2M);
	assert_int_equal(translation_find(result, NULL, NULL, NULL), 0);
	const struct fathom_decomposition *last =
		&result->decompositions[result->decomposition_count - 1];
	assert_int_equal(result->translations[1].splintered, 1);
	assert_int_equal(result->translations[1].spread, CURVE_SPREAD_2M);
	assert_true(last->memory_is_bound);
	assert_non_null(strstr(last->evidence, "whose translation cost is not known"));
	fathom_result_free(result);
}

static void without_a_second_tlb_all_is_walk(void **state)
{
	struct known_pages known = known_pages_draw(12);
	(void)state;
	known.tlbs[1].entries = 0;
	struct fathom_result *result = analyse(&known);
	const struct fathom_translation *found = &result->translations[0];
	assert_int_equal(found->tlb_count, 1);
	assert_true(is_near(found->tlbs[0].entries, known.tlbs[0].entries, ENTRIES_OFF));
	for (size_t i = 0; i < result->decomposition_count; i++)
		assert_true(result->decompositions[i].parts[FATHOM_PART_TLB].ns == 0);
	const struct fathom_decomposition *last =
		&result->decompositions[result->decomposition_count - 1];
	assert_true(is_near(last->parts[FATHOM_PART_WALK].ns,
			    known_parts_at(&known, (double)last->size_bytes).walk_ns, 0.1));
	fathom_result_free(result);
}

/* Large pages are seldom so many that their second TLB is seen. */
static void chains_that_end_early_tell_no_walk(void **state)
{
	struct known_pages known = known_pages_draw(20);
	(void)state;
	known.large_tlbs[1] = (struct known_tlb){2048, 6};
	struct fathom_result *result = make_page_curves(&known);
	result->curves[CURVE_SPREAD_2M].point_count -= 8;
	assert_int_equal(translation_find(result, NULL, NULL, NULL), 0);
	const struct fathom_translation *large = &result->translations[1];
	assert_int_equal(large->tlb_count, 1);
	assert_int_equal(large->walk_count, 0);
	assert_non_null(strstr(large->walks_missing, "second TLB or by a walk"));
	result->curves[CURVE_SPREAD_2M].point_count += 8;
	fathom_result_free(result);
}

static void without_any_tlb_none_is_found_and_it_is_said_why(void **state)
{
	struct known_pages known = known_pages_draw(13);
	(void)state;
	known.tlbs[0].entries = known.tlbs[1].entries = 0;
	known.tables_stay = true;
	struct fathom_result *result = analyse(&known);
	const struct fathom_translation *found = &result->translations[0];
	assert_int_equal(found->tlb_count, 0);
	assert_non_null(strstr(found->tlbs_missing, "costs no more"));
	assert_non_null(found->walks_missing);
	assert_int_equal(result->translations[1].splintered, -1);
	fathom_result_free(result);
}

static void few_blocks_leave_no_interval_but_values(void **state)
{
	struct known_pages known = known_pages_draw(14);
	(void)state;
	known.blocks = 3;
	struct fathom_result *result = analyse(&known);
	const struct fathom_translation *found = &result->translations[0];
	assert_int_equal(found->tlb_count, 2);
	for (size_t i = 0; i < found->tlb_count; i++)
		assert_true(is_near(found->tlbs[i].entries, known.tlbs[i].entries, ENTRIES_OFF));
	const struct fathom_cost *residual = &result->decompositions[5].parts[FATHOM_PART_RESIDUAL];
	assert_true(isfinite(residual->ns) && isnan(residual->low_ns) && isnan(residual->high_ns));
	assert_true(isnan(result->page_differences[0].low_ns));
	fathom_result_free(result);
}

static void without_the_packed_chain_nothing_is_known_of_tlbs(void **state)
{
	struct known_pages known = known_pages_draw(15);
	struct fathom_result *result = make_page_curves(&known);
	(void)state;
	drop_page_curve(result, CURVE_PACKED_4K);
	assert_int_equal(translation_find(result, NULL, NULL, NULL), 0);
	const struct fathom_translation *found = &result->translations[0];
	assert_int_equal(found->packed, FATHOM_NO_CURVE);
	assert_int_equal(found->tlb_count, 0);
	assert_non_null(strstr(found->tlbs_missing, "packed"));
	const struct fathom_decomposition *last =
		&result->decompositions[result->decomposition_count - 1];
	assert_true(isnan(last->parts[FATHOM_PART_TLB].ns));
	assert_true(isnan(last->parts[FATHOM_PART_WALK].ns));
	double translation_ns = last->total.ns - last->parts[FATHOM_PART_MEMORY].ns;
	assert_true(is_near(last->parts[FATHOM_PART_RESIDUAL].ns, translation_ns, 0.1));
	assert_non_null(strstr(last->evidence, "residual"));
	fathom_result_free(result);
}

static void without_larger_pages_memory_is_in_the_residual(void **state)
{
	struct known_pages known = known_pages_draw(16);
	struct fathom_result *result = make_page_curves(&known);
	(void)state;
	drop_page_curve(result, CURVE_SIZES_2M);
	drop_page_curve(result, CURVE_SPREAD_2M);
	drop_page_curve(result, CURVE_PACKED_2M);
	assert_int_equal(translation_find(result, NULL, NULL, NULL), 0);
	assert_int_equal(result->translation_count, 1);
	assert_int_equal(result->page_difference_count, 0);
	const struct fathom_decomposition *last =
		&result->decompositions[result->decomposition_count - 1];
	struct known_parts parts = known_parts_at(&known, (double)last->size_bytes);
	assert_int_equal(last->memory_curve, FATHOM_NO_CURVE);
	assert_true(isnan(last->parts[FATHOM_PART_MEMORY].ns));
	assert_true(is_near(last->parts[FATHOM_PART_RESIDUAL].ns, parts.memory_ns, 0.1));
	fathom_result_free(result);
}

static void memory_is_read_off_whole_pages_that_are_not_splintered(void **state)
{
	(void)state;
	struct fathom_curve curves[4];
	struct fathom_point points[4];
	struct page_kind kinds[4];
	struct fathom_result result = {.curves = curves, .curve_count = 4};
	for (size_t i = 0; i < 4; i++) {
		points[i] = (struct fathom_point){
			.spec.size_bytes = 8 << 20, .latency_ns = 50, .page_share = 1};
		curves[i] = (struct fathom_curve){.points = &points[i], .point_count = 1};
		kinds[i] = (struct page_kind){
			.result = &result,
			.found = {.by_size = i, .page_bytes = (uint64_t)4096 << (4 * i)}};
	}
	const uint64_t sizes[] = {0, 8 << 20};
	for (size_t i = 0; i < 2; i++) {
		for (size_t k = 0; k < 4; k++) {
			kinds[k].found.splintered = 0;
			points[k].page_share = 1;
		}
		assert_ptr_equal(page_kind_large(kinds, 4, sizes[i]), &kinds[3]);
		kinds[3].found.splintered = -1;
		assert_ptr_equal(page_kind_large(kinds, 4, sizes[i]), &kinds[2]);
		points[2].page_share = 0.6;
		points[1].page_share = 0.6;
		assert_ptr_equal(page_kind_large(kinds, 4, sizes[i]), &kinds[3]);
		kinds[3].found.by_size = FATHOM_NO_CURVE;
		assert_ptr_equal(page_kind_large(kinds, 4, sizes[i]), &kinds[2]);
		kinds[3].found.by_size = 3;
	}
	assert_null(page_kind_large(kinds, 4, 4 << 20));
	assert_null(page_kind_large(kinds, 1, 0));
}

static void sizes_past_the_chains_are_not_guessed(void **state)
{
	struct known_pages known = known_pages_draw(17);
	struct fathom_result *result = make_page_curves(&known);
	(void)state;
	result->curves[CURVE_SPREAD_4K].point_count -= 32;
	assert_int_equal(translation_find(result, NULL, NULL, NULL), 0);
	const struct fathom_decomposition *last =
		&result->decompositions[result->decomposition_count - 1];
	assert_true(isnan(last->parts[FATHOM_PART_WALK].ns));
	assert_true(isfinite(result->decompositions[0].parts[FATHOM_PART_WALK].ns));
	result->curves[CURVE_SPREAD_4K].point_count += 32;
	fathom_result_free(result);
}

static void curves_of_other_experiments_say_nothing(void **state)
{
	struct known_pages known = known_pages_draw(18);
	struct fathom_result *result = make_page_curves(&known);
	(void)state;
	for (size_t i = 0; i < result->curve_count; i++)
		result->curves[i].experiment = FATHOM_PATTERNS;
	assert_int_equal(translation_find(result, NULL, NULL, NULL), 0);
	assert_int_equal(result->translation_count, 0);
	assert_int_equal(result->decomposition_count, 0);
	fathom_result_free(result);
}

static void finding_again_gives_the_same(void **state)
{
	struct known_pages known = known_pages_draw(19);
	struct fathom_result *result = analyse(&known);
	(void)state;
	double entries = result->translations[0].tlbs[1].entries;
	double low_ns = result->decompositions[40].parts[FATHOM_PART_WALK].low_ns;
	size_t count = result->decomposition_count;
	assert_int_equal(translation_find(result, NULL, NULL, NULL), 0);
	assert_true(result->translations[0].tlbs[1].entries == entries);
	assert_true(result->decompositions[40].parts[FATHOM_PART_WALK].low_ns == low_ns);
	assert_int_equal(result->decomposition_count, count);
	fathom_result_free(result);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(many_machines_are_read_well),
	cmocka_unit_test(curves_are_found_by_kind_and_pattern),
	cmocka_unit_test(intervals_hold_what_they_are_of),
	cmocka_unit_test(parts_sum_to_the_total),
	cmocka_unit_test(differences_are_of_pairs),
	cmocka_unit_test(walks_are_named_by_where_the_tables_live),
	cmocka_unit_test(a_small_second_cache_is_not_taken_for_walks),
	cmocka_unit_test(memory_is_read_off_whole_pages_that_are_not_splintered),
	cmocka_unit_test(splintered_pages_are_said_to_be),
	cmocka_unit_test(without_a_chain_through_their_pieces_splintered_pages_are_a_bound),
	cmocka_unit_test(without_a_second_tlb_all_is_walk),
	cmocka_unit_test(chains_that_end_early_tell_no_walk),
	cmocka_unit_test(without_any_tlb_none_is_found_and_it_is_said_why),
	cmocka_unit_test(few_blocks_leave_no_interval_but_values),
	cmocka_unit_test(without_the_packed_chain_nothing_is_known_of_tlbs),
	cmocka_unit_test(without_larger_pages_memory_is_in_the_residual),
	cmocka_unit_test(sizes_past_the_chains_are_not_guessed),
	cmocka_unit_test(curves_of_other_experiments_say_nothing),
	cmocka_unit_test(finding_again_gives_the_same),
};
UNIT_GROUP();
