/* Runs that are held against baselines: what `compare` and `check` share. */
#pragma once

#include "deliver.h"
#include "fathom.h"
#include "options.h"

extern option_table comparison_options; /* --threshold, --unit, --all */

/* Start from {0}. Names and results are owned. */
struct comparison {
	struct fathom_run *runs; /* the baselines first */
	size_t count, baseline_count;
};

/* Reads that file, finds the levels of a curve that has none, and puts it last. Errors: those of
 * input_read_result, FAILED. */
int comparison_read(struct comparison *comparison, const char *path, const struct options *options,
		    struct fathom_error *error);
/* Takes the result over. Errors: FAILED. */
int comparison_add(struct comparison *comparison, const char *name, struct fathom_result *result,
		   struct fathom_error *error);
/* Compares and delivers. Errors: those of fathom_compare; after the answer was delivered DIFFERENT,
 * where something is slower, or also where something is faster, and QUALITY, where a run was too
 * disturbed to tell, or (unless also_faster) nothing could be told at all. */
int comparison_answer(const struct comparison *comparison, bool also_faster,
		      struct deliver *deliver, const struct options *options,
		      struct fathom_error *error);
void comparison_free(struct comparison *comparison);
