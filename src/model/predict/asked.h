/* What is asked for: refused where it cannot be, and with what is usual in place of what is not
 * said. */
#pragma once

#include "fathom.h"
#include "model/predict/costs.h"
#include "model/predict/structure.h"

#define ASKED_MOST_KEYS ((uint64_t)1 << 40)

/* Errors: USAGE. */
int asked_check_numbers(const struct fathom_predict_request *request, struct fathom_error *error);
int asked_check_load(const struct structure *structure, double load, struct fathom_error *error);
/* Has a node room for its keys? Errors: USAGE. */
int asked_check_room(const struct structure *structure, const struct shape *shape,
		     struct fathom_error *error);
/* Does the result say what the structure's steps cost? Errors: BAD_INPUT. */
int asked_check_known(const struct structure *structure, const struct layout *layout,
		      const struct costs *costs, enum fathom_predict_mode mode,
		      struct fathom_error *error);

/* The structures: so many; NULL: there is none of that name (USAGE). */
size_t asked_count(const struct fathom_predict_request *request);
const struct structure *asked_at(const struct fathom_predict_request *request, size_t which,
				 struct fathom_error *error);
/* How many numbers of keys. */
size_t asked_keys(const struct fathom_predict_request *request, const uint64_t **keys);
/* But for the machine's line and page. */
struct shape asked_shape(const struct fathom_predict_request *request,
			 const struct structure *structure, double keys);
/* Operations at a time, where they are interleaved. */
double asked_interleave(const struct fathom_predict_request *request);
