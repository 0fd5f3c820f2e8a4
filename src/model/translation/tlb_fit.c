#include "model/translation/tlb_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "model/translation/page_pairs.h"
#include "model/translation/tlb_lines.h"

#define ARRAYS          20
#define OUTLYING        2e-3
#define USUAL_NOISE     0.01  /* of a latency with no interval */
#define LEAST_NOISE     0.003 /* of one with an interval: the clock's own wander */
#define REACH_ERROR     0.01
#define SHAPE_ERROR     0.006
#define SCATTERED_FRAME 1e-9 /* a page's share of a way, so small that sets fill at random */
#define LEAST_RISE      0.05 /* of a step, over all below it */
#define FEIGNED_LN      1.1  /* ln 3 */
#define FEIGNED_ERRORS  1.5
#define MOST_ENTRIES    4608.0 /* no TLB has more */
#define MOST_TLBS       2
#define NORMAL_95       1.96
#define TAIL            (TLB_FIT_DRAWS / 40)
/* No TLB is known to resist thrashing. */
#define TLBS            (SHAPE_CLASS_BIT(SHAPE_LRU) | SHAPE_CLASS_BIT(SHAPE_RANDOM))
#define TLBS_AND_TABLES (TLBS | SHAPE_CLASS_BIT(SHAPE_SHARED))

/* ---- the curve ---- */

static int allocate(struct tlb_fit *fit, size_t most, struct fathom_error *error)
{
	double *block = calloc(ARRAYS * (most + 1), sizeof(*block));
	if (!block)
		return error_no_memory(error);
	double **arrays[] = {
		&fit->ln_pages,     &fit->value,        &fit->error,      &fit->start_error,
		&fit->outlying,     &fit->pages,        &fit->drawn,      &fit->cycles_per_ns,
		&fit->packed_pages, &fit->spread_ns,    &fit->packed_ns,  &fit->pair_ns,
		&fit->spread_error, &fit->packed_error, &fit->pair_error, &fit->uneven,
		&fit->means,        &fit->squares,      &fit->second_ns,  &fit->second_error,
	};
	_Static_assert(sizeof(arrays) / sizeof(*arrays) == ARRAYS, "all of them");
	for (size_t i = 0; i < ARRAYS; i++)
		*arrays[i] = block + i * (most + 1);
	return 0;
}

static double error_of(const struct fathom_point *point)
{
	double error_ns = (point->latency_high_ns - point->latency_low_ns) / (2 * NORMAL_95);
	return isfinite(error_ns) ? fmax(error_ns, LEAST_NOISE * point->latency_ns)
				  : USUAL_NOISE * point->latency_ns;
}

static uint64_t lines_a_page(const struct fathom_point *spread, const struct fathom_point *packed)
{
	uint64_t bytes = spread->spec.node_bytes, line_bytes = packed->spec.node_bytes;
	return line_bytes && bytes > line_bytes ? bytes / line_bytes : 1;
}

/* The value is what a first fit goes by: the next one knows more of the caches. */
static int add_point(struct tlb_fit *fit, const struct fathom_curve *packed_curve,
		     const struct fathom_point *spread, const struct fathom_point *packed,
		     struct fathom_error *error)
{
	struct page_pair pair;
	struct page_cliff cliff = page_pairs_cliff(packed_curve, packed);
	size_t at = fit->count;
	if (page_pairs_compare(spread, packed, &pair, error))
		return -1;
	fit->pages[at] = (double)page_pairs_nodes(spread);
	fit->ln_pages[at] = log(fit->pages[at]);
	fit->page_lines = lines_a_page(spread, packed);
	fit->packed_pages[at] = fit->pages[at] / (double)fit->page_lines;
	fit->spread_ns[at] = spread->latency_ns;
	fit->packed_ns[at] = packed->latency_ns;
	fit->pair_ns[at] = pair.ns;
	fit->spread_error[at] = error_of(spread);
	fit->packed_error[at] = error_of(packed);
	fit->pair_error[at] = page_pairs_error(spread, packed, &pair);
	fit->value[at] = pair.ns - cliff.expected_ns + fit->packed_ns[0];
	fit->error[at] = hypot(fit->pair_error[at], cliff.first_error_ns + cliff.other_error_ns);
	fit->start_error[at] = fit->error[at];
	fit->outlying[at] = OUTLYING;
	fit->cycles_per_ns[at] = spread->latency_cycles / spread->latency_ns;
	fit->count++;
	return 0;
}

static int collect(const struct fathom_curve *spread, const struct fathom_curve *packed,
		   struct tlb_fit *fit, struct fathom_error *error)
{
	if (allocate(fit, spread->point_count, error))
		return -1;
	for (size_t i = 0; i < spread->point_count; i++) {
		const struct fathom_point *point = &spread->points[i];
		uint64_t pages = page_pairs_nodes(point);
		const struct fathom_point *other = page_pairs_of_nodes(packed, pages);
		bool ascends = fit->count == 0 || (double)pages > fit->pages[fit->count - 1];
		if (pages && other && isfinite(point->latency_ns) && ascends &&
		    add_point(fit, packed, point, other, error))
			return -1;
	}
	return 0;
}

/* ---- the steps ---- */

/* What the last TLB misses is walked, which takes longer than asking that TLB did: a smaller step
 * is of tables, and it was a walk that came before. */
static bool is_below_a_walk(const struct steps *steps, size_t which)
{
	return steps->items[which].rise[0] < steps->items[0].rise[0];
}

static void count_tlbs(struct tlb_fit *fit)
{
	const struct steps *steps = &fit->steps;
	fit->tlb_count = 0;
	for (size_t i = 0; i < steps->count; i++) {
		if (exp(steps->items[i].ln_reach) > MOST_ENTRIES)
			break;
		if (fit->tlb_count == MOST_TLBS || is_below_a_walk(steps, i))
			break;
		fit->tlb_count++;
	}
	fit->one_level = fit->tlb_count == 1 && tlb_fit_most_pages(fit) < MOST_ENTRIES;
}

/* Tables share lines, TLBs do not. */
static void make_plain(struct tlb_fit *fit)
{
	const struct hierarchy_options plain = {TLBS, false};
	for (size_t i = 0; i < fit->tlb_count; i++)
		if (shapes_class(fit->steps.items[i].shape) == SHAPE_SHARED)
			hierarchy_assign(&fit->problem, &plain, false, i, &fit->steps);
}

/* A plain index fills the sets of a TLB evenly, a hashed one at random. */
static void search(struct tlb_fit *fit)
{
	struct steps_problem scattered = fit->problem;
	struct steps other;
	fit->problem.frame_bytes = 0;
	scattered.frame_bytes = SCATTERED_FRAME;
	fit->steps.count = other.count = 0;
	hierarchy_find(&fit->problem, &fit->options, &fit->steps, NULL);
	hierarchy_find(&scattered, &fit->options, &other, NULL);
	if (other.unlikely < fit->steps.unlikely) {
		fit->steps = other;
		fit->problem = scattered;
	}
	count_tlbs(fit);
	make_plain(fit);
}

/* The packed chain is on pages, too, of which it comes by in no order that lasts: what their
 * translation costs is known by the steps so far, and so, in turn, what the caches take. */
static void search_all(struct tlb_fit *fit)
{
	search(fit);
	tlb_lines_find(fit);
	search(fit);
	tlb_lines_set_values(fit);
	steps_solve(&fit->problem, &fit->steps);
}

static double below(const struct tlb_fit *fit, size_t which)
{
	return fit->steps.base[0] + tlb_fit_sum_ns(&fit->steps, which);
}

/* What filling the first cache unevenly may feign at worst: a step that begins below its reach. */
static double feigned_ns(const struct tlb_fit *fit, double ln_reach)
{
	double most_ns = 0;
	for (size_t i = 0; i < fit->count; i++)
		if (fit->ln_pages[i] > ln_reach && fit->ln_pages[i] < ln_reach + FEIGNED_LN)
			most_ns = fmax(most_ns, FEIGNED_ERRORS * fit->uneven[i]);
	return most_ns;
}

static void drop_small(struct tlb_fit *fit)
{
	struct steps *steps = &fit->steps;
	for (size_t i = steps->count; i-- > 0;) {
		double least_ns =
			fmax(LEAST_RISE * below(fit, i), feigned_ns(fit, steps->items[i].ln_reach));
		if (steps->items[i].rise[0] >= least_ns)
			continue;
		steps->count--;
		memmove(steps->items + i, steps->items + i + 1,
			(steps->count - i) * sizeof(*steps->items));
		steps_solve(&fit->problem, steps);
	}
}

/* Values and reaches as their errors allow, and what then follows. */
static void draw(struct tlb_fit *fit, uint64_t seed)
{
	struct rng rng = rng_make(seed);
	struct steps_curve curve = fit->curve;
	struct steps_problem problem = fit->problem;
	curve.value = fit->drawn;
	problem.curves = &curve;
	for (size_t d = 0; d < TLB_FIT_DRAWS; d++) {
		struct steps *drawn = &fit->draws[d];
		*drawn = fit->steps;
		for (size_t i = 0; i < fit->count; i++)
			fit->drawn[i] = fit->value[i] + fit->error[i] * rng_normal(&rng);
		for (size_t s = 0; s < drawn->count; s++) {
			const struct hierarchy_spread *spread = &fit->spreads[s];
			drawn->items[s].ln_reach += rng_normal(&rng) *
						    (spread->ln_high - spread->ln_low) /
						    (2 * NORMAL_95);
		}
		steps_solve(&problem, drawn);
	}
}

static int find_steps(struct tlb_fit *fit, uint64_t seed, struct fathom_error *error)
{
	fit->curve = (struct steps_curve){
		.role = STEPS_MAIN,
		.count = fit->count,
		.ln_size = fit->ln_pages,
		.value = fit->value,
		.error = fit->error,
		.outlying = fit->outlying,
		.start_error = fit->start_error,
	};
	fit->shapes = shapes_make();
	fit->scratch = calloc(steps_scratch_count(&fit->curve, 1) + 1, sizeof(double));
	if (!fit->shapes || !fit->scratch)
		return error_no_memory(error);
	fit->problem = (struct steps_problem){
		.shapes = fit->shapes,
		.curves = &fit->curve,
		.curve_count = 1,
		.reach_error = REACH_ERROR,
		.shape_error = SHAPE_ERROR,
		.temper_lru = HIERARCHY_TEMPER,
		.temper_inexact = HIERARCHY_TEMPER,
		.flat_prior = true,
		.outlying = 1,
		.scratch = fit->scratch,
	};
	fit->options.classes = TLBS_AND_TABLES;
	search_all(fit);
	drop_small(fit);
	for (size_t i = 0; i < fit->steps.count; i++)
		hierarchy_spread(&fit->problem, &fit->options, &fit->steps, i, &fit->spreads[i]);
	count_tlbs(fit);
	draw(fit, seed);
	return 0;
}

int tlb_fit_make(const struct fathom_curve *spread, const struct fathom_curve *packed,
		 uint64_t seed, struct tlb_fit *fit, struct fathom_error *error)
{
	memset(fit, 0, sizeof(*fit));
	if (collect(spread, packed, fit, error) ||
	    (fit->count >= TLB_FIT_FEWEST && find_steps(fit, seed, error))) {
		tlb_fit_free(fit);
		return -1;
	}
	return 0;
}

void tlb_fit_free(struct tlb_fit *fit)
{
	free(fit->ln_pages);
	shapes_free(fit->shapes);
	free(fit->scratch);
	memset(fit, 0, sizeof(*fit));
}

/* ---- what follows ---- */

double tlb_fit_most_pages(const struct tlb_fit *fit)
{
	return fit->count ? fit->pages[fit->count - 1] : 0;
}

double tlb_fit_sum_ns(const struct steps *steps, size_t count)
{
	double sum_ns = 0;
	for (size_t i = 0; i < count; i++)
		sum_ns += steps->items[i].rise[0];
	return sum_ns;
}

double tlb_fit_cycle_ns(const struct tlb_fit *fit, const struct steps *steps, double ln_pages)
{
	double ns = 0;
	for (size_t i = 0; i < steps->count; i++)
		ns += steps->items[i].rise[0] * steps_missed(&fit->problem, steps, i, 0, ln_pages);
	return ns;
}

struct tlb_cost tlb_fit_cost(const struct tlb_fit *fit, const struct steps *steps, double pages)
{
	struct tlb_cost cost = {0, 0};
	double missed = 1, ln_pages = log(pages);
	for (size_t i = 0; i < steps->count; i++) {
		double share;
		if (i < fit->tlb_count)
			share = missed =
				fmin(missed, fmax(0, 1 - exp(steps->items[i].ln_reach) / pages));
		else
			share = missed * steps_missed(&fit->problem, steps, i, 0, ln_pages);
		double *part_ns = i == 0 && (fit->tlb_count > 1 || fit->one_level) ? &cost.tlb_ns
										   : &cost.walk_ns;
		*part_ns += share * steps->items[i].rise[0];
	}
	return cost;
}

struct stats_interval tlb_fit_interval(double *drawn, double estimate)
{
	stats_sort(drawn, TLB_FIT_DRAWS);
	return (struct stats_interval){fmin(drawn[TAIL], estimate),
				       fmax(drawn[TLB_FIT_DRAWS - 1 - TAIL], estimate)};
}

double tlb_fit_clock(const struct tlb_fit *fit, double from_pages, double to_pages)
{
	double sum = 0;
	size_t count = 0;
	for (size_t i = 0; i < fit->count; i++) {
		if (fit->pages[i] < from_pages || fit->pages[i] > to_pages ||
		    !isfinite(fit->cycles_per_ns[i]))
			continue;
		sum += fit->cycles_per_ns[i];
		count++;
	}
	return count ? sum / (double)count : NAN;
}
