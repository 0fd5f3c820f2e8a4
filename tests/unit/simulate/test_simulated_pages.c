/* Translation found on simulated machines, from the plan to the parts of a latency: on bare metal,
 * in a guest, and in a guest whose large pages are splintered. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fathom.h"
#include "unit.h"

#define SMALL_BYTES   4096.0
#define MOST_BYTES    (2u << 20)
#define ENTRIES_OFF   0.10
#define PENALTY_OFF   0.15
#define PART_OFF      0.05
#define FIRST         16 /* entries */
#define SECOND        128
#define CYCLE_NS      0.25
#define SECOND_CYCLES 7
#define WALK_CYCLES   10
#define L2_CYCLES     14
#define MEMORY_NS     80

/* All tables stay in the second cache. */
#define MACHINE                                                                                    \
	"sim:clock=4G,l1=16K/4/lru/4c,l2=256K/8/lru/14c,l3=off,mem=80ns,dtlb=16/16/lru/0c,"        \
	"stlb=128/8/lru/7c,walk_from=l2,walk_cost=10c,placement=even,drift=0,outliers=0,"          \
	"noise=0.3%,memory=1G"

static struct fathom_result *measure(const char *description, size_t kinds)
{
	struct fathom_request request;
	struct fathom_machine *machine;
	struct fathom_plan *plan;
	struct fathom_result *result;
	fathom_request_for(&request, FATHOM_PAGES);
	request.max_size_bytes = MOST_BYTES;
	request.budget_s = 1e6;
	assert_int_equal(fathom_machine_find(description, &machine, NULL), 0);
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	plan->steps = 1; /* that is six blocks of each point */
	assert_int_equal(fathom_measure(plan, machine, NULL, &result, NULL), 0);
	fathom_plan_free(plan);
	assert_int_equal(result->translation_count, kinds);
	return result;
}

static void assert_near(double value, double truth, double off_ns)
{
	if (!(fabs(value - truth) <= off_ns))
		fail_msg("%g is not %g within %g", value, truth, off_ns);
}

/* `reads`: lines of tables that a walk needs once the walk caches know the rest. */
static double walk_ns(double reads)
{
	return CYCLE_NS * (WALK_CYCLES + reads * L2_CYCLES);
}

static void assert_tlbs(const struct fathom_translation *small, double reads)
{
	const double entries[] = {FIRST, SECOND};
	const double penalties_ns[] = {CYCLE_NS * SECOND_CYCLES, walk_ns(reads)};
	assert_int_equal(small->tlb_count, 2);
	for (size_t i = 0; i < 2; i++) {
		assert_near(small->tlbs[i].entries, entries[i], ENTRIES_OFF * entries[i]);
		assert_near(small->tlbs[i].penalty_ns, penalties_ns[i],
			    PENALTY_OFF * penalties_ns[i]);
	}
	assert_true(small->walk_count > 0);
	double all_ns = penalties_ns[0] + penalties_ns[1];
	assert_near(small->walks[0].ns, all_ns, PENALTY_OFF * all_ns);
}

/* A random access among so many pages hits in a TLB of E entries in E of them. */
static void assert_parts(const struct fathom_decomposition *made, double reads)
{
	double pages = (double)made->size_bytes / SMALL_BYTES;
	double total_ns = made->total.ns, off_ns = PART_OFF * total_ns;
	assert_near(made->parts[FATHOM_PART_MEMORY].ns, MEMORY_NS, off_ns);
	assert_near(made->parts[FATHOM_PART_TLB].ns, (1 - FIRST / pages) * CYCLE_NS * SECOND_CYCLES,
		    off_ns);
	assert_near(made->parts[FATHOM_PART_WALK].ns, (1 - SECOND / pages) * walk_ns(reads),
		    off_ns);
	assert_near(made->parts[FATHOM_PART_RESIDUAL].ns, 0, off_ns);
	assert_false(made->memory_is_bound);
}

static void assert_found(const char *description, double reads, int splintered, bool nested)
{
	struct fathom_result *result = measure(description, 2);
	const struct fathom_translation *small = &result->translations[0];
	const struct fathom_translation *large = &result->translations[1];
	assert_int_equal(small->nested, nested);
	assert_tlbs(small, reads);
	assert_int_equal(large->splintered, splintered);
	assert_int_equal(large->page_bytes, 2 << 20);
	assert_int_equal(large->entry_bytes, splintered ? 4096 : 2 << 20);
	assert_true(result->decomposition_count > 10);
	assert_parts(&result->decompositions[result->decomposition_count - 1], reads);
	fathom_result_free(result);
}

static void bare_metal_walks_one_table(void **state)
{
	(void)state;
	assert_found(MACHINE, 1, 0, false);
}

/* The leaf of the guest's table, and of the host's for the page. */
static void a_guest_walks_two(void **state)
{
	(void)state;
	assert_found(MACHINE ",host=2M", 2, 0, true);
}

static void a_nested_tlb_saves_the_hosts(void **state)
{
	(void)state;
	assert_found(MACHINE ",host=2M,ntlb=16", 1, 0, true);
}

static void splintered_pages_are_told_and_taken_into_account(void **state)
{
	(void)state;
	assert_found(MACHINE ",host=4K", 2, 1, true);
}

/* What is larger still speaks for memory itself, whether a TLB holds them whole or not. */
static void multi_size_pages_stand_between_the_others(void **state)
{
	(void)state;
	struct fathom_result *result = measure(MACHINE ",mthp=64K", 3);
	const struct fathom_translation *medium = &result->translations[1];
	const struct fathom_decomposition *made =
		&result->decompositions[result->decomposition_count - 1];
	assert_int_equal(medium->page, FATHOM_PAGE_64K);
	assert_int_equal(medium->page_bytes, 64 << 10);
	assert_int_equal(medium->splintered, 0);
	assert_int_equal(medium->tlb_count, 0); /* too few of them to tell */
	assert_non_null(medium->tlbs_missing);
	assert_int_equal(result->translations[2].page, FATHOM_PAGE_THP);
	assert_tlbs(&result->translations[0], 1);
	assert_parts(made, 1);
	assert_int_equal(made->memory_curve, result->translations[2].by_size);
	fathom_result_free(result);
}

/* Each base page of them is a translation of its own: there their TLBs are those of base pages. */
static void multi_size_pages_that_tlbs_do_not_join(void **state)
{
	(void)state;
	struct fathom_result *result = measure(MACHINE ",mthp=64K,host=4K", 3);
	const struct fathom_translation *medium = &result->translations[1];
	assert_int_equal(medium->page, FATHOM_PAGE_64K);
	assert_int_equal(medium->splintered, 1);
	assert_non_null(strstr(medium->splintered_evidence, "TLBs hold them as base pages"));
	assert_int_equal(medium->entry_bytes, 4096);
	assert_int_equal(medium->tlb_count, 2);
	assert_near(medium->tlbs[0].entries, FIRST, ENTRIES_OFF * FIRST);
	assert_near(medium->tlbs[1].entries, SECOND, ENTRIES_OFF * SECOND);
	fathom_result_free(result);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(bare_metal_walks_one_table),
	cmocka_unit_test(a_guest_walks_two),
	cmocka_unit_test(a_nested_tlb_saves_the_hosts),
	cmocka_unit_test(splintered_pages_are_told_and_taken_into_account),
	cmocka_unit_test(multi_size_pages_stand_between_the_others),
	cmocka_unit_test(multi_size_pages_that_tlbs_do_not_join),
};
UNIT_GROUP();
