/* Which models were tried for the levels of each curve. */
#pragma once

#include "views/view.h"

/* A table of them for each curve, the terms of their priors, and why the second one lost. */
void models_view(struct view *view, const struct fathom_result *result);
/* How many hypotheses are of the same curve as hypotheses[first], from that one on. */
size_t models_of_curve(const struct fathom_result *result, size_t first);
/* Adds the terms of the prior that cost at least so much. */
void models_rare_terms(struct text *words, const struct fathom_hypothesis *model, double least);
