/* Single accesses: how long half, 99 and 99.9 % of them take at most, along the same chain. */
#include <math.h>

#include "base/error.h"
#include "base/names.h"
#include "base/stats.h"
#include "base/text.h"
#include "base/units.h"
#include "model/compare/compare_judge.h"
#include "model/compare/compare_parts.h"

/* A run has one placement of each chain, and does not show how far others differ. */
#define LEAST_SPREAD 0.005

static const struct {
	double share;
	const char *name;
} sides[] = {{0.5, "median"}, {0.99, "99th percentile"}, {0.999, "99.9th percentile"}};
#define SIDES (sizeof(sides) / sizeof(*sides))

static const struct fathom_quantile *find_quantile(const struct fathom_distribution *distribution,
						   double share)
{
	for (size_t i = 0; i < distribution->quantile_count; i++)
		if (fabs(distribution->quantiles[i].share - share) < 1e-9)
			return &distribution->quantiles[i];
	return NULL;
}

/* Of another tool nothing is known of the chain: they are alike. */
static bool is_same(const struct fathom_result *a, const struct fathom_distribution *of_a,
		    const struct fathom_result *b, const struct fathom_distribution *of_b)
{
	const struct fathom_curve *x = &a->curves[of_a->curve], *y = &b->curves[of_b->curve];
	return x->size_bytes == y->size_bytes && x->page == y->page && x->warmth == y->warmth &&
	       x->window_bytes == y->window_bytes && of_a->run_accesses == of_b->run_accesses;
}

static const struct fathom_distribution *
find_distribution(const struct fathom_result *result, const struct fathom_result *first,
		  const struct fathom_distribution *distribution)
{
	for (size_t i = 0; i < result->distribution_count; i++)
		if (is_same(first, distribution, result, &result->distributions[i]))
			return &result->distributions[i];
	return NULL;
}

static char *name_of(const struct fathom_result *result,
		     const struct fathom_distribution *distribution, const char *side)
{
	char size[UNITS_TEXT_BYTES];
	const struct fathom_curve *curve = &result->curves[distribution->curve];
	if (!curve->size_bytes)
		return text_format("%s of accesses", side);
	return text_format("%s, %s, %s pages%s%s", side, units_format_size(curve->size_bytes, size),
			   page_name((int)curve->page),
			   curve->warmth == FATHOM_COLD_FLUSHED ? ", flushed"
			   : curve->warmth == FATHOM_UNTOUCHED  ? ", untouched"
								: "",
			   curve->window_bytes ? ", page after page" : "");
}

/* SIDES of each distribution. */
static bool read_side(const struct compare_set *set, size_t run, size_t which,
		      struct compare_reading *reading)
{
	const struct fathom_result *first = compare_set_run(set, 0)->result;
	const struct fathom_distribution *like = find_distribution(
		compare_set_run(set, run)->result, first, &first->distributions[which / SIDES]);
	const struct fathom_quantile *found =
		like ? find_quantile(like, sides[which % SIDES].share) : NULL;
	if (!found)
		return false;
	double own = log(found->latency_high_ns / found->latency_low_ns) / 2 / STATS_NORMAL_95;
	*reading = (struct compare_reading){
		found->latency_ns, isnan(own) ? NAN : hypot(own, LEAST_SPREAD), like->accesses};
	return true;
}

int compare_accesses(const struct compare_set *set, struct fathom_compared_run *run,
		     struct fathom_error *error)
{
	const struct fathom_result *first = compare_set_run(set, 0)->result;
	for (size_t i = 0; i < SIDES * first->distribution_count; i++) {
		struct fathom_compared_part part = {.quantity = FATHOM_QUANTITY_NS};
		int lacking = compare_estimate_readings(set, read_side, i, &part, error);
		if (lacking < 0)
			return -1;
		part.name = name_of(first, &first->distributions[i / SIDES], sides[i % SIDES].name);
		if (!lacking)
			part.evidence = text_format(
				"single accesses; %s",
				isnan(part.error) ? "there are no intervals"
						  : "the spread is taken from the intervals, and "
						    "half a percent for the placement in memory");
		if (lacking ? compare_add_lacking(
				      run, &part,
				      "one of the runs has no such chain, timed as many "
				      "accesses at a time",
				      error)
			    : compare_add_part(run, &part, error))
			return -1;
	}
	return 0;
}

bool compare_accesses_are_common(const struct compare_set *set)
{
	for (size_t i = 0; i < compare_set_count(set); i++)
		if (!compare_set_run(set, i)->result->distribution_count)
			return false;
	return true;
}
