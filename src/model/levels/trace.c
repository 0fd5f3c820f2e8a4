#include "model/levels/trace.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "model/steps/prior.h"

#define MOST 6 /* models of a curve: a screen of them */
#define ALIKE_LN                                                                                   \
	(M_LN2 / 4) /* a quarter of an octave: as far as sizes of a coarse sweep are apart */

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

/* Hypotheses with the same steps at nearly the same sizes count as one. */
struct model {
	size_t likeliest; /* of those tried */
	double weight;    /* of all that are alike, over that of the likeliest of all models */
};

static int compare_models(const void *a, const void *b)
{
	const struct model *first = a, *second = b;
	if (first->weight != second->weight)
		return first->weight < second->weight ? 1 : -1;
	return first->likeliest < second->likeliest ? -1 : 1;
}

/* Those tried come with the likeliest first. */
static size_t find_models(const struct hypotheses *tried, struct model models[HYPOTHESES_MOST])
{
	size_t count = 0;
	for (size_t i = 0; i < tried->count; i++) {
		const struct steps *steps = &tried->items[i].steps;
		size_t m = 0;
		while (m < count && !hypotheses_are_alike(&tried->items[models[m].likeliest].steps,
							  steps, ALIKE_LN))
			m++;
		if (m == count)
			models[count++] = (struct model){.likeliest = i};
		models[m].weight += hypotheses_weight(tried, i);
	}
	qsort(models, count, sizeof(*models), compare_models);
	return count;
}

static int add_model(struct fathom_result *result, const struct group *group,
		     const struct steps *steps, double probability, struct fathom_error *error)
{
	double prior = prior_cost(&group->problem, steps);
	struct fathom_hypothesis *added = &result->hypotheses[result->hypothesis_count++];
	*added = (struct fathom_hypothesis){
		.curve = group->main,
		.levels = words_of(group, steps),
		.log_likelihood = (prior - steps->cost) / 2,
		.log_prior = -prior / 2,
		.log_evidence = -steps->unlikely / 2,
		.probability = probability,
	};
	if (!added->levels)
		return error_no_memory(error);
	return prior_describe(&group->problem, steps, added, error);
}

int trace_add(struct fathom_result *result, const struct group *group, struct fathom_error *error)
{
	struct model models[HYPOTHESES_MOST];
	size_t count = find_models(group->tried, models), more = count < MOST ? count : MOST;
	double sum = 0;
	struct fathom_hypothesis *grown =
		realloc(result->hypotheses, (result->hypothesis_count + more + 1) * sizeof(*grown));
	if (!grown)
		return error_no_memory(error);
	result->hypotheses = grown;
	for (size_t m = 0; m < count; m++)
		sum += models[m].weight;
	for (size_t m = 0; m < more; m++)
		if (add_model(result, group, &group->tried->items[models[m].likeliest].steps,
			      models[m].weight / sum, error))
			return -1;
	return 0;
}
