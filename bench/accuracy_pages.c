/* How well translation is told from the caches: see docs/accuracy-pages.md.
 *
 * accuracy_pages SEED COUNT [FIRST]   draws machines, measures them as `fathom pages` does and
 * prints rows of what is true and what was found
 *
 * The truth is a trace of the same chains on the same machine without noise. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy_pages_machine.h"
#include "accuracy_range.h"
#include "base/error.h"
#include "base/names.h"
#include "base/rng.h"

#define SMALL_BYTES   ((uint64_t)4096)
#define LARGE_BYTES   ((uint64_t)2 << 20)
#define LINE_BYTES    64
#define UNLIMITED_S   1e6
#define MOST_SIZE     ((uint64_t)24 << 20) /* of the chain along the sizes */
#define MOST_PAGES    32768
#define MOST_LARGE    128 /* pages */
#define PAST_THE_LAST 1.5 /* reaches of a TLB: of a cycle most miss it */

/* ---- what is found ---- */

static bool is_affordable(const struct fathom_spec *spec)
{
	uint64_t pages = spec->axis == FATHOM_AXIS_PAGES ? spec->size_bytes / spec->node_bytes : 0;
	if (spec->axis != FATHOM_AXIS_PAGES)
		return spec->size_bytes <= MOST_SIZE;
	return pages <= (spec->node_bytes > SMALL_BYTES ? MOST_LARGE : MOST_PAGES);
}

/* Memory is never short here, but time is: what is measured ends where all TLBs long have. */
static void cut(struct fathom_plan *plan)
{
	size_t kept = 0;
	for (size_t i = 0; i < plan->spec_count; i++)
		if (is_affordable(&plan->specs[i]))
			plan->specs[kept++] = plan->specs[i];
	plan->spec_count = kept;
}

static int measure(const struct pages_machine *machine, uint64_t seed,
		   struct fathom_result **result, struct fathom_error *error)
{
	struct fathom_request request;
	struct fathom_machine *simulated;
	struct fathom_plan *plan;
	fathom_request_for(&request, FATHOM_PAGES);
	request.spec.seed = seed;
	request.budget_s = UNLIMITED_S;
	if (fathom_machine_find(machine->noisy, &simulated, error))
		return -1;
	if (fathom_plan_make(&request, simulated, &plan, error)) {
		fathom_machine_free(simulated);
		return -1;
	}
	cut(plan);
	plan->steps = 1; /* that is six blocks of each point */
	int status = fathom_measure(plan, simulated, NULL, result, error);
	fathom_plan_free(plan);
	if (status)
		fathom_machine_free(simulated);
	return status;
}

/* ---- what is true ---- */

static int truth_of_spread(const struct pages_machine *machine, double pages,
			   struct pages_truth *truth, struct fathom_error *error)
{
	const struct fathom_spec spec = {
		.size_bytes = (uint64_t)pages * SMALL_BYTES,
		.node_bytes = SMALL_BYTES,
		.pattern = FATHOM_ONE_PER_PAGE,
		.page = FATHOM_PAGE_4K,
		.lanes = 1,
		.threads = 1,
		.axis = FATHOM_AXIS_PAGES,
	};
	return pages_truth_find(machine, &spec, SMALL_BYTES, truth, error);
}

static int truth_of_size(const struct pages_machine *machine, uint64_t size_bytes,
			 enum fathom_page page, struct pages_truth *truth,
			 struct fathom_error *error)
{
	const struct fathom_spec spec = {
		.size_bytes = size_bytes,
		.node_bytes = LINE_BYTES,
		.page = page,
		.lanes = 1,
		.threads = 1,
		.axis = FATHOM_AXIS_SIZE,
	};
	uint64_t page_bytes = page == FATHOM_PAGE_4K ? SMALL_BYTES : LARGE_BYTES;
	return pages_truth_find(machine, &spec, page_bytes, truth, error);
}

/* ---- rows ---- */

static const struct fathom_translation *find_kind(const struct fathom_result *result,
						  enum fathom_page page)
{
	for (size_t i = 0; i < result->translation_count; i++)
		if (result->translations[i].page == page)
			return &result->translations[i];
	return NULL;
}

/* T: level, TLBs in truth and found, entries, found, low, high, penalty, found, low, high. */
static int print_tlbs(const struct pages_machine *machine, uint64_t index,
		      const struct fathom_translation *found, struct fathom_error *error)
{
	const struct simulated_spec *spec = &machine->spec;
	for (size_t i = 0; i < spec->tlb_count; i++) {
		double entries = (double)spec->tlbs[i].entries;
		struct pages_truth past;
		struct fathom_tlb none = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, NULL};
		const struct fathom_tlb *tlb = i < found->tlb_count ? &found->tlbs[i] : &none;
		if (truth_of_spread(machine, PAST_THE_LAST * entries, &past, error))
			return -1;
		const struct simulated_cost *next =
			&spec->tlbs[i + 1 < SIMULATED_TLBS ? i + 1 : i].cost;
		double penalty = i + 1 < spec->tlb_count ? next->cycles / spec->clock_hz * 1e9
							 : past.walk_ns / past.walked;
		printf("T,%" PRIu64 ",%zu,%" PRIu64 ",%zu,%g,%g,%g,%g,%g,%g,%g,%g,%d\n", index,
		       i + 1, spec->tlb_count, found->tlb_count, entries, tlb->entries,
		       tlb->entries_low, tlb->entries_high, penalty, tlb->penalty_ns,
		       tlb->penalty_low_ns, tlb->penalty_high_ns, (int)spec->tlbs[i].policy);
	}
	return 0;
}

/* W: from and to how many pages, place, walk, found, low, high. */
static int print_walks(const struct pages_machine *machine, uint64_t index,
		       const struct fathom_translation *found, struct fathom_error *error)
{
	for (size_t i = 0; i < found->walk_count; i++) {
		const struct fathom_walk *walk = &found->walks[i];
		double to = isnan(walk->to_pages) ? MOST_PAGES : walk->to_pages;
		double pages = fmax(sqrt(walk->from_pages * to), 1.3 * walk->from_pages);
		struct pages_truth there;
		if (truth_of_spread(machine, fmin(pages, to), &there, error))
			return -1;
		printf("W,%" PRIu64 ",%g,%g,%s,%g,%g,%g,%g\n", index, walk->from_pages, to,
		       walk->level ? walk->level : "?", there.walk_ns + there.tlb_ns, walk->ns,
		       walk->low_ns, walk->high_ns);
	}
	return 0;
}

/* D: size, is it a bound, how much places differ, then memory, TLB, walk and residual: true and
 * found each. What large pages cost less than small ones besides their translation is a matter of
 * placement. */
static int print_parts(const struct pages_machine *machine, uint64_t index,
		       const struct fathom_decomposition *made, struct fathom_error *error)
{
	struct pages_truth small, large;
	if (truth_of_size(machine, made->size_bytes, FATHOM_PAGE_4K, &small, error) ||
	    truth_of_size(machine, made->size_bytes, FATHOM_PAGE_THP, &large, error))
		return -1;
	printf("D,%" PRIu64 ",%" PRIu64 ",%d,%g,%g,%g,%g,%g,%g,%g,%g,%g\n", index, made->size_bytes,
	       made->memory_is_bound, fmax(small.spread_ns, large.spread_ns), large.memory_ns,
	       small.tlb_ns, small.walk_ns, small.memory_ns - large.memory_ns,
	       made->parts[FATHOM_PART_MEMORY].ns, made->parts[FATHOM_PART_TLB].ns,
	       made->parts[FATHOM_PART_WALK].ns, made->parts[FATHOM_PART_RESIDUAL].ns);
	return 0;
}

static int judge(uint64_t seed, uint64_t index, struct fathom_error *error)
{
	struct pages_machine machine;
	struct fathom_result *result = NULL;
	if (pages_machine_draw(seed, index, &machine, error))
		return -1;
	int status = measure(&machine, rng_mix(seed, index), &result, error);
	if (!status) {
		const struct fathom_translation *small = find_kind(result, FATHOM_PAGE_4K);
		const struct fathom_translation *large = find_kind(result, FATHOM_PAGE_THP);
		printf("M,%" PRIu64 ",%d,%d,%d,%s\n", index, machine.spec.host_page_bytes != 0,
		       machine.spec.host_page_bytes == SMALL_BYTES, large->splintered,
		       machine.noisy);
		status = print_tlbs(&machine, index, small, error) ||
			 print_walks(&machine, index, small, error);
	}
	for (size_t i = 0; !status && i < result->decomposition_count; i++)
		status = print_parts(&machine, index, &result->decompositions[i], error);
	fathom_result_free(result);
	pages_machine_free(&machine);
	return status ? -1 : 0;
}

int main(int argc, char **argv)
{
	return accuracy_range(argc, argv, "usage: accuracy_pages SEED COUNT [FIRST]\n", judge);
}
