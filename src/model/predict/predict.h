/* The door of model/predict: what operations on data structures cost. */
#pragma once

#include "fathom.h"

struct shape; /* structure.h */

/* Refuses what no result could answer: names, numbers, sizes beyond the machine's memory (NULL: not
 * known). Errors: USAGE, FAILED. */
int predict_check(const struct fathom_predict_request *request,
		  const struct fathom_machine *machine, struct fathom_error *error);
/* As fathom_predict. */
int predict_find(struct fathom_result *result, const struct fathom_predict_request *request,
		 struct fathom_error *error);

/* Of a survey that no other predictions were asked of: a lookup among ten million keys in a hash
 * table, a B-tree and a sorted array; nothing, and no warning, where it does not have what that
 * needs. Errors: FAILED. */
int predict_usual(struct fathom_result *survey, struct fathom_error *error);

#define PREDICT_AN_OCTAVE 4
#define PREDICT_PLACES    (40 * PREDICT_AN_OCTAVE + 1) /* from 1 key to 2^40 */

/* Of the first of the structures, ns at exp2(i / PREDICT_AN_OCTAVE) keys; NAN: larger than the
 * machine's memory. Errors: as fathom_predict. */
int predict_curve(struct fathom_result *result, const struct fathom_predict_request *request,
		  double ns[PREDICT_PLACES], struct fathom_error *error);

/* What a prediction was made for, but for the machine's line and page. */
struct shape predict_shape(const struct fathom_predict_request *request,
			   const struct fathom_prediction *prediction);
