/* What a result lacks for its predictions to be as good as they can. */
#pragma once

#include "model/predict/costs.h"

/* Of the result's predictions: warnings. -1: out of memory. */
int lacking_warn(const struct costs *costs, struct fathom_result *result);
/* Takes out all that were made of predictions, here and where structures were run. */
void lacking_forget(struct fathom_warnings *warnings);
