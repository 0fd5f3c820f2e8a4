/* How far off a prediction may be. */
#pragma once

#include "model/predict/sum.h"

/* The 95 % interval of a prediction whose ns are known: what each input's own makes of it, and what
 * the model's own scatter does, as independent errors add up, in logarithms. */
void interval_find(const struct operation *operation, struct fathom_prediction *prediction);
