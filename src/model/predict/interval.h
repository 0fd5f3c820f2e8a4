/* How far off a prediction may be. */
#pragma once

#include "model/predict/sum.h"

/* The 95 % interval of a prediction whose ns are known: what each input's own makes of it, and what
 * the model's own scatter does, as independent errors add up, in logarithms. */
void interval_find(const struct operation *operation, struct fathom_prediction *prediction);
/* Is the structure larger than the caches of a core? */
bool interval_is_past(const struct operation *operation);
/* By what factor two predictions of as many keys are off against each other, in 95 % of what was
 * measured; `is_past`: at least one of the structures. */
double interval_apart(enum fathom_predict_mode mode, bool is_past);
