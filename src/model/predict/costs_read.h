/* What a result says of the costs of a machine. */
#pragma once

#include "model/predict/costs.h"

/* Errors: BAD_INPUT (no latency curve in ns, none on those pages, no levels), FAILED. Of what else
 * is missing curves are empty and inputs NAN; of what is usual instead there are warnings in
 * `result`. */
int costs_read(struct fathom_result *result, const struct fathom_predict_request *request,
	       struct costs *costs, struct fathom_error *error);
/* Of these the inputs from COSTS_CYCLE on, once the latency is read. */
int costs_read_core(struct fathom_result *result, const struct fathom_predict_request *request,
		    struct costs *costs, struct fathom_error *error);
