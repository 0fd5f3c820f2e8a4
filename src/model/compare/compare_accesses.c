/* Single accesses: how long half, 99 and 99.9 % of them take at most, along the same chain. */
#include <math.h>
#include <stdlib.h>

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
	       of_a->run_accesses == of_b->run_accesses;
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
	return text_format("%s, %s, %s pages%s", side, units_format_size(curve->size_bytes, size),
			   page_name((int)curve->page),
			   curve->warmth == FATHOM_COLD_FLUSHED ? ", flushed" : "");
}

static int add_side(const struct compare_set *set, const struct fathom_distribution *distribution,
		    size_t side, struct compare_sample *sample, struct fathom_compared_run *run,
		    struct fathom_error *error)
{
	const struct fathom_result *first = compare_set_run(set, 0)->result;
	struct fathom_compared_part part = {.quantity = FATHOM_QUANTITY_NS};
	double sum = 0;
	size_t last = sample->runs - 1;
	for (size_t i = 0; i <= last; i++) {
		const struct fathom_result *result = compare_set_run(set, i)->result;
		const struct fathom_distribution *other =
			find_distribution(result, first, distribution);
		const struct fathom_quantile *found =
			other ? find_quantile(other, sides[side].share) : NULL;
		if (!found)
			return 0;
		double own =
			log(found->latency_high_ns / found->latency_low_ns) / 2 / STATS_NORMAL_95;
		sample->ln[i] = log(found->latency_ns);
		sample->spread[i] = isnan(own) ? NAN : hypot(own, LEAST_SPREAD);
		sum += i < last ? log(found->latency_ns) : 0;
		part.value = found->latency_ns;
		part.points = other->accesses;
	}
	part.baseline = exp(sum / (double)last);
	compare_estimate(sample, &part);
	part.evidence = text_format("single accesses; %s",
				    isnan(part.error) ? "there are no intervals"
						      : "the spread is taken from the intervals, "
							"and half a percent for the placement in "
							"memory");
	part.name = name_of(first, distribution, sides[side].name);
	return compare_add_part(run, &part, error);
}

int compare_accesses(const struct compare_set *set, struct fathom_compared_run *run,
		     struct fathom_error *error)
{
	const struct fathom_result *first = compare_set_run(set, 0)->result;
	struct compare_sample sample = {.runs = compare_set_count(set)};
	sample.ln = calloc(2 * sample.runs, sizeof(*sample.ln));
	sample.spread = sample.ln + sample.runs;
	int status = sample.ln ? 0 : error_no_memory(error);
	for (size_t i = 0; i < first->distribution_count && !status; i++)
		for (size_t k = 0; k < SIDES && !status; k++)
			status = add_side(set, &first->distributions[i], k, &sample, run, error);
	free(sample.ln);
	return status;
}

bool compare_accesses_are_common(const struct compare_set *set)
{
	for (size_t i = 0; i < compare_set_count(set); i++)
		if (!compare_set_run(set, i)->result->distribution_count)
			return false;
	return true;
}
