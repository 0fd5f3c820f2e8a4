/* A curve made ready for a fit: sorted, one value a size, each with its error. */
#pragma once

#include "fathom.h"

/* Less than that share of its value no point is trusted to. */
#define CURVE_DATA_LEAST_NOISE 0.002

struct curve_data {
	size_t count;
	double *ln_size;         /* of bytes, ascending */
	double *value;           /* in ns, or in cycles */
	double *given;           /* the same as it was measured, whatever the clock was */
	double *per_ns;          /* cycles, while it was measured; NAN: not known */
	double *core;            /* the value in cycles; NAN: not known */
	double *core_share;      /* of the least error, that is left in cycles */
	double *error;           /* standard deviation, > 0 */
	double *start_error;     /* ... and more where the value is odd beside its neighbours */
	double *outlying;        /* as of struct steps_curve */
	double *least_error;     /* of it: the value's own interval, or its last digit */
	double *placement_share; /* as of struct steps_curve */
	double *placed_bytes;    /* the same */
	double ln_core;          /* sizes below are of core cycles */
	double scatter;          /* share of the value by which neighbours differ, cliffs and all */
	bool measured;           /* the values came with intervals */
	bool cycles;             /* the unit */
};

/* Sizes without a value (or below 0, or 0 where 0 means nothing) are left out; of a size that comes
 * more than once the median is taken; where they are more than a fit has use for, of neighbours as
 * well. The errors: the scatter that the curve shows from size to size, or the point's own interval
 * where it is wider, or how far visits to a size are apart where it had few. `cycles`: take the
 * values in cycles. Errors: FAILED (memory). */
int curve_data_make(const struct fathom_curve *curve, bool cycles, struct curve_data *data,
		    struct fathom_error *error);
/* Takes the errors for `noise`, a share of the value, where that is more than the least. */
void curve_data_set_noise(struct curve_data *data, double noise);
/* Takes sizes below exp(ln_core) for ones of core cycles: values as at a clock of `per_ns`, and
 * least errors as in cycles. Errors stay until curve_data_set_noise(). */
void curve_data_set_clock(struct curve_data *data, double per_ns, double ln_core);
/* Cycles a ns: the mean of the values between two sizes. NAN: no clock is known. */
double curve_data_clock(const struct curve_data *data, double ln_low, double ln_high);
void curve_data_free(struct curve_data *data);
/* Has the curve a value in ns at all? */
bool curve_data_has_ns(const struct fathom_curve *curve);
