/* A structure's time at any number of keys, from what was worked out once. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/predict/predict.h"

struct fathom_predictor {
	double ns[PREDICT_PLACES];
};

int fathom_predictor_open(struct fathom_result *result,
			  const struct fathom_predict_request *request,
			  struct fathom_predictor **predictor, struct fathom_error *error)
{
	struct fathom_predictor *made = malloc(sizeof(*made));
	if (!made)
		return error_no_memory(error);
	if (predict_curve(result, request, made->ns, error)) {
		free(made);
		return -1;
	}
	*predictor = made;
	return 0;
}

double fathom_predictor_ns(const struct fathom_predictor *predictor, uint64_t keys)
{
	double place = PREDICT_AN_OCTAVE * log2((double)keys);
	if (!keys || place > PREDICT_PLACES - 1)
		return NAN;
	int i = place < PREDICT_PLACES - 1 ? (int)place : PREDICT_PLACES - 2;
	double share = place - i;
	if (share <= 0) /* the next one may be beyond the memory */
		return predictor->ns[i];
	return (1 - share) * predictor->ns[i] + share * predictor->ns[i + 1];
}

void fathom_predictor_close(struct fathom_predictor *predictor)
{
	free(predictor);
}
