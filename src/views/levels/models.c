/* The models that were tried for each curve, and why the likeliest won. */
#include <math.h>
#include <string.h>

#include "views/levels/levels.h"
#include "views/levels/models.h"
#include "views/rounding.h"

/* ---- terms of a prior ---- */

static bool has_term(const struct fathom_hypothesis *model, const struct fathom_prior_term *term)
{
	for (size_t i = 0; i < model->term_count; i++)
		if (model->terms[i].quantity &&
		    strcmp(model->terms[i].quantity, term->quantity) == 0)
			return true;
	return false;
}

static void add_term(struct text *words, const struct fathom_prior_term *term)
{
	text_add(words, "%s: %s", view_known(term->quantity),
		 rounding_logarithm(term->cost, false).text);
}

/* Those that another model does not have; NULL: all. */
static void add_terms(struct view *view, const struct fathom_hypothesis *model,
		      const struct fathom_hypothesis *other)
{
	for (size_t i = 0; i < model->term_count; i++) {
		const struct fathom_prior_term *term = &model->terms[i];
		struct text words = {0};
		if (other && term->quantity && has_term(other, term))
			continue;
		add_term(&words, term);
		view_take(view, VIEW_ITEM, &words);
	}
}

void models_rare_terms(struct text *words, const struct fathom_hypothesis *model, double least)
{
	for (size_t i = 0; i < model->term_count; i++) {
		if (!(model->terms[i].cost >= least))
			continue;
		text_add(words, "%s", words->length ? "; " : "");
		add_term(words, &model->terms[i]);
	}
}

/* ---- the models of a curve ---- */

static void add_table(struct view *view, const struct fathom_hypothesis *models, size_t count)
{
	VIEW_TABLE(view, COLUMN("model"), COLUMN("probability"), COLUMN("ln evidence"),
		   COLUMN("ln likelihood"), COLUMN("ln prior"));
	for (size_t i = 0; i < count; i++) {
		view_row(view);
		view_name(view, "%zu", i + 1);
		view_rounded(view, rounding_probability(models[i].probability));
		view_rounded(view, rounding_logarithm(models[i].log_evidence, false));
		view_rounded(view, rounding_logarithm(models[i].log_likelihood, false));
		view_rounded(view, rounding_logarithm(models[i].log_prior, false));
		view_row_words(view, models[i].levels);
	}
}

static void add_reason(struct view *view, const struct fathom_hypothesis *won,
		       const struct fathom_hypothesis *lost)
{
	double fit = lost->log_likelihood - won->log_likelihood;
	double usual = lost->log_prior - won->log_prior;
	double all = lost->log_evidence - won->log_evidence;
	if (!isfinite(fit) || !isfinite(usual) || !isfinite(all))
		return;
	view_say(view, VIEW_NOTE,
		 "why model 2 lost: against model 1 its ln evidence is %s, which is %s for "
		 "how well it fits the curve (likelihood), %s for how usual such a machine is "
		 "(prior), and %s for how wide a range of sizes and latencies would do as well",
		 rounding_logarithm(all, true).text, rounding_logarithm(fit, true).text,
		 rounding_logarithm(usual, true).text,
		 rounding_logarithm(all - fit - usual, true).text);
}

static void add_models(struct view *view, const struct fathom_hypothesis *models, size_t count)
{
	add_table(view, models, count);
	if (count > 1)
		add_reason(view, &models[0], &models[1]);
	view_say(view, VIEW_NOTE,
		 "a model stands for all that have the same levels at nearly the same sizes, of "
		 "which it is the likeliest; probabilities are theirs together");
	view_gap(view);
	view_say(view, VIEW_PLAIN,
		 "Terms of the prior of model 1, -ln of the density over the "
		 "greatest:");
	add_terms(view, &models[0], NULL);
	for (size_t i = 1; i < count; i++) {
		view_say(view, VIEW_PLAIN, "Model %zu differs from model 1 in:", i + 1);
		add_terms(view, &models[i], &models[0]);
	}
}

size_t models_of_curve(const struct fathom_result *result, size_t first)
{
	size_t count = 0;
	while (first + count < result->hypothesis_count &&
	       result->hypotheses[first + count].curve == result->hypotheses[first].curve)
		count++;
	return count;
}

void models_view(struct view *view, const struct fathom_result *result)
{
	view_part(view, "models", "Models tried");
	view_gap(view);
	if (!result->hypothesis_count)
		view_say(view, VIEW_PLAIN, "none: no curve has enough sizes");
	for (size_t i = 0, count; i < result->hypothesis_count; i += count) {
		count = models_of_curve(result, i);
		if (count < result->hypothesis_count &&
		    result->hypotheses[i].curve < result->curve_count)
			levels_curve(view, result, result->hypotheses[i].curve);
		add_models(view, &result->hypotheses[i], count);
	}
}
