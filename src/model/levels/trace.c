#include "model/levels/trace.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "model/steps/prior.h"

#define MOST 6 /* hypotheses of a curve */

static char *words_of(const struct group *group, const struct steps *steps)
{
	struct text text = {0};
	size_t caches = 0, tlbs = 0;
	for (size_t s = 0; s < steps->count; s++) {
		char size[UNITS_TEXT_BYTES];
		if (steps->items[s].translation)
			continue;
		units_format_size((uint64_t)exp(steps->items[s].ln_reach), size);
		text_add(&text, caches++ ? ", %s" : "caches %s", size);
	}
	for (size_t s = 0; s < steps->count; s++)
		if (steps->items[s].translation)
			text_add(&text,
				 tlbs++   ? ", %.0f"
				 : caches ? "; translation past %.0f"
					  : "translation past %.0f",
				 exp(steps->items[s].ln_reach - group->problem.ln_page));
	text_add(&text, tlbs ? " pages" : caches ? "" : "no step");
	return text_take(&text);
}

/* Of those tried, the share of all their weights. */
static double probability_of(const struct hypotheses *tried, size_t which)
{
	double sum = 0;
	for (size_t i = 0; i < tried->count; i++)
		sum += exp((tried->items[which].steps.unlikely - tried->items[i].steps.unlikely) /
			   (2 * HIERARCHY_TEMPER));
	return 1 / sum;
}

int trace_add(struct fathom_result *result, const struct group *group, struct fathom_error *error)
{
	const struct hypotheses *tried = group->tried;
	size_t more = tried->count < MOST ? tried->count : MOST;
	struct fathom_hypothesis *grown =
		realloc(result->hypotheses, (result->hypothesis_count + more + 1) * sizeof(*grown));
	if (!grown)
		return error_no_memory(error);
	result->hypotheses = grown;
	for (size_t i = 0; i < more; i++) {
		const struct steps *steps = &tried->items[i].steps;
		double prior = prior_cost(&group->problem, steps);
		struct fathom_hypothesis *added = &grown[result->hypothesis_count];
		*added = (struct fathom_hypothesis){
			.curve = group->main,
			.levels = words_of(group, steps),
			.log_likelihood = (prior - steps->cost) / 2,
			.log_prior = -prior / 2,
			.log_evidence = -steps->unlikely / 2,
			.probability = probability_of(tried, i),
			.prior = prior_describe(&group->problem, steps),
		};
		result->hypothesis_count++;
		if (!added->levels || !added->prior)
			return error_no_memory(error);
	}
	return 0;
}
