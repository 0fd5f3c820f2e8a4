/* What a result says of the costs of a machine. */
#pragma once

#include "model/predict/costs.h"

/* Errors: BAD_INPUT (no latency curve in ns, none on those pages, no levels), FAILED. Of what else
 * is missing curves are empty and inputs NAN; of what is usual instead there are warnings in
 * `result`. */
int costs_read(struct fathom_result *result, const struct fathom_predict_request *request,
	       struct costs *costs, struct fathom_error *error);
/* The translation of a result's pages, or of its levels, once the latency is read and it is known
 * what others take: of those pages alone whose tables they leave, one line each; beyond, from
 * packed lines. Errors: FAILED. */
int costs_read_translation(const struct fathom_result *result, enum fathom_page page,
			   struct costs *costs, struct fathom_error *error);
struct fathom_cost costs_latency_of(const struct fathom_point *point);
/* Of these the inputs from COSTS_CYCLE on, once the latency is read. */
int costs_read_core(struct fathom_result *result, const struct fathom_predict_request *request,
		    struct costs *costs, struct fathom_error *error);
