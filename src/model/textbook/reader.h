/* The readings of one curve, while they are made. */
#pragma once

#include "base/text.h"
#include "model/textbook/fitted.h"

/* Up to what residual a model is said to hold: what noise and the reaches' errors leave of a curve
 * that follows. */
#define READER_HOLDS_RESIDUAL 0.05
/* To a tenth of a percent, as it is shown. */
#define READER_SHOWN_RESIDUAL 0.001

static inline bool reader_holds(double residual)
{
	return residual < READER_HOLDS_RESIDUAL + READER_SHOWN_RESIDUAL / 2;
}

struct reader {
	struct fathom_result *result;
	size_t curve;
	struct fitted fitted;
	struct fathom_reading *readings;
	size_t reading_count;
};

/* Latencies under the law of independent accesses, and what lies beyond them. */
struct shares {
	struct stack_level *levels;
	size_t count;
	double last;
};

/* Takes the text over, also when it fails. The latencies are still to be set. NULL: no memory. */
struct fathom_reading *reader_append(struct reader *reader, const char *name, double residual,
				     char *text);
/* Of a stack of the fitted levels' reaches; a plateau at the end that is neither cache nor memory
 * has no place among them. */
void reader_set_latencies(const struct reader *reader, const struct stack_level *levels,
			  double last, struct fathom_reading *reading);
/* Of the model at the sizes above `from_bytes`, in the order of the points. False: no memory. */
bool reader_set_values(const struct reader *reader, double from_bytes, latency_model *model,
		       const void *context, struct fathom_reading *reading);

/* "ns" or "cycles". */
const char *reader_unit(const struct reader *reader);
void reader_add_size(struct text *text, double bytes);
/* "+1.2 %" */
void reader_add_percent(struct text *text, double share);
/* A sentence. */
void reader_add_worst(struct text *text, const struct deviation *found);
/* "5.08 MiB\u00b7ns": time x bytes. */
void reader_add_constant(const struct reader *reader, double constant, struct text *text);

/* cliffs.c: the value right before each cliff. -1: no memory. */
int reader_add_cliffs(struct reader *reader);
/* deduction.c: the rows of the share model's deduction, with a hyperbola each. False: no memory. */
bool reader_set_deductions(const struct reader *reader, const struct shares *shares,
			   struct fathom_reading *reading);
