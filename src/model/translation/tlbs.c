#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "model/translation/page_kind.h"

#define TEMPER 1.6 /* errors of neighbours on a curve are not independent */
/* So near each other all places of a step are as good: their middle counts. Farther apart they are
 * of several shapes, and the best one counts. */
#define NARROW_LN 0.25
#define SHARP     0.1 /* share of a step */
/* Times the reach: from where a TLB of a plain index misses most, and where its penalty is said. */
#define NEAREST      1.12
#define MIDDLE       1.5
#define FARTHEST     2.6
#define LEAST_MISSED 0.5
#define GROWTH       0.1 /* of the penalty, an ln of pages */
#define SHAPE_ERROR  0.2 /* of what the TLB still hits */
#define NORMAL_95    1.96

/* A cliff between two points: where between them is not known. */
static void widen_to_bracket(const struct tlb_fit *fit, size_t which, struct fathom_tlb *tlb)
{
	double ln_reach = fit->steps.items[which].ln_reach;
	for (size_t i = 0; i + 1 < fit->count; i++) {
		double low = fit->ln_pages[i], high = fit->ln_pages[i + 1];
		if (high <= ln_reach || low > ln_reach)
			continue;
		if (steps_missed(&fit->problem, &fit->steps, which, 0, low) > SHARP ||
		    steps_missed(&fit->problem, &fit->steps, which, 0, high) < 1 - SHARP)
			continue;
		tlb->entries_low = fmin(tlb->entries_low, exp(low));
		tlb->entries_high = fmax(tlb->entries_high, exp(high));
	}
}

static struct stats_interval drawn_penalty(struct tlb_fit *fit, size_t which)
{
	double drawn[TLB_FIT_DRAWS];
	for (size_t d = 0; d < TLB_FIT_DRAWS; d++)
		drawn[d] = fit->draws[d].items[which].rise[0];
	return tlb_fit_interval(drawn, fit->steps.items[which].rise[0]);
}

struct near {
	double weights, sum, square;
};

/* A step that is not LRU's is taken for that of random replacement. */
static double missed_near(const struct tlb_fit *fit, size_t which, double ln_pages)
{
	const struct hit_shape slowest = {HIT_CYCLE_RANDOM, false, 8, 1, 0};
	const struct step *step = &fit->steps.items[which];
	if (shapes_class(step->shape) == SHAPE_LRU)
		return steps_missed(&fit->problem, &fit->steps, which, 0, ln_pages);
	return 1 - hit_share(&slowest, exp(ln_pages - step->ln_reach));
}

static struct near look_near(const struct tlb_fit *fit, size_t which)
{
	double below_ns = fit->steps.base[0] + tlb_fit_sum_ns(&fit->steps, which);
	struct near near = {0, 0, 0};
	for (size_t i = 0; i < fit->count; i++) {
		double ln_ratio = fit->ln_pages[i] - fit->steps.items[which].ln_reach;
		if (ln_ratio < log(NEAREST) || ln_ratio > log(FARTHEST))
			continue;
		double missed = missed_near(fit, which, fit->ln_pages[i]);
		if (missed < LEAST_MISSED)
			continue;
		double rise_ns = (fit->value[i] - below_ns) / missed;
		double off = hypot(GROWTH * (ln_ratio - log(MIDDLE)), SHAPE_ERROR * (1 - missed));
		double error_ns = hypot(fit->error[i] / missed, off * rise_ns);
		double weight = 1 / (error_ns * error_ns);
		near.weights += weight;
		near.sum += weight * rise_ns;
		near.square += weight * rise_ns * rise_ns;
	}
	return near;
}

/* What the fit has behind the last TLB is a mean over all until the next step, while tables leave
 * the nearest cache bit by bit: what the points soon behind its reach say. False: there are none.
 */
static bool find_near(const struct tlb_fit *fit, size_t which, double *ns,
		      struct stats_interval *interval)
{
	struct near near = look_near(fit, which);
	if (!(near.sum > 0))
		return false;
	double mean_ns = near.sum / near.weights;
	double scatter = fmax(0, near.square / near.weights - mean_ns * mean_ns);
	double half_ns = NORMAL_95 * sqrt(1 / near.weights + scatter);
	*ns = mean_ns;
	*interval = (struct stats_interval){mean_ns - half_ns, mean_ns + half_ns};
	return true;
}

static void set_penalty(struct tlb_fit *fit, size_t which, struct fathom_tlb *tlb)
{
	double end =
		which + 1 < fit->steps.count ? exp(fit->steps.items[which + 1].ln_reach) : INFINITY;
	double clock = tlb_fit_clock(fit, tlb->entries, end);
	struct stats_interval interval = drawn_penalty(fit, which);
	tlb->penalty_ns = fit->steps.items[which].rise[0];
	if (which + 1 == fit->tlb_count && !fit->one_level)
		find_near(fit, which, &tlb->penalty_ns, &interval);
	tlb->penalty_low_ns = interval.low;
	tlb->penalty_high_ns = interval.high;
	tlb->penalty_cycles = tlb->penalty_ns * clock;
	tlb->penalty_low_cycles = tlb->penalty_low_ns * clock;
	tlb->penalty_high_cycles = tlb->penalty_high_ns * clock;
}

static struct fathom_tlb describe(struct tlb_fit *fit, size_t which)
{
	const struct hierarchy_spread *spread = &fit->spreads[which];
	double gain = hierarchy_gain(&fit->problem, &fit->steps, which);
	bool narrow = spread->ln_high - spread->ln_low < NARROW_LN;
	double ln_reach = narrow ? spread->ln_reach : fit->steps.items[which].ln_reach;
	struct fathom_tlb tlb = {
		.entries = exp(ln_reach),
		.entries_low = exp(fmin(spread->ln_low, ln_reach)),
		.entries_high = exp(fmax(spread->ln_high, ln_reach)),
		.confidence = 1 - exp(-fmax(0, gain) / (2 * TEMPER)),
	};
	widen_to_bracket(fit, which, &tlb);
	set_penalty(fit, which, &tlb);
	tlb.evidence = text_format("one line per page costs %.1f ns more than the same number of "
				   "lines packed, from %.0f to %.0f pages on",
				   tlb.penalty_ns, tlb.entries_low, tlb.entries_high);
	return tlb;
}

/* Why the chains show none. */
static char *why_none(const struct page_kind *kind)
{
	const struct fathom_translation *found = &kind->found;
	if (found->spread == FATHOM_NO_CURVE)
		return text_format("no chain with one line per page was measured");
	if (found->packed == FATHOM_NO_CURVE)
		return text_format("the same number of lines was not measured packed");
	if (kind->fit->count < TLB_FIT_FEWEST)
		return text_format("too few page counts were measured both spread and packed: %zu",
				   kind->fit->count);
	return text_format(
		"one line per page costs no more than the same lines packed, up to %.0f pages",
		tlb_fit_most_pages(kind->fit));
}

int page_kind_find_tlbs(struct page_kind *kind, struct fathom_error *error)
{
	struct fathom_translation *found = &kind->found;
	size_t count = kind->fit->tlb_count;
	if (count == 0) {
		found->tlbs_missing = why_none(kind);
		return found->tlbs_missing ? 0 : error_no_memory(error);
	}
	found->tlbs = calloc(count, sizeof(*found->tlbs));
	if (!found->tlbs)
		return error_no_memory(error);
	for (size_t i = 0; i < count; i++) {
		found->tlbs[i] = describe(kind->fit, i);
		found->tlb_count++;
		if (!found->tlbs[i].evidence)
			return error_no_memory(error);
	}
	return 0;
}
