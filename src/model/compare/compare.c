/* Whether runs differ: the order of things. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/warnings.h"
#include "document/table.h"
#include "fathom.h"
#include "model/compare/compare_judge.h"
#include "model/compare/compare_match.h"
#include "model/compare/compare_parts.h"
#include "model/compare/compare_points.h"

#define DEFAULT_THRESHOLD 0.02

void fathom_comparison_free(struct fathom_comparison *comparison)
{
	if (!comparison)
		return;
	table_clear(&comparison_table, comparison);
	free(comparison);
}

/* ---- what cannot be compared ---- */

static int check_request(const struct fathom_compare_request *request, struct fathom_error *error)
{
	if (!request->baseline_count || !request->run_count)
		return error_set(error, FATHOM_USAGE, NULL,
				 "a comparison needs a baseline and a run");
	if (!(request->threshold >= 0) || !(request->threshold < 1))
		return error_set(error, FATHOM_USAGE, NULL,
				 "a threshold is a share between 0 and 1");
	for (size_t i = 0; i < request->baseline_count; i++)
		for (size_t k = 0; k < i; k++)
			if (fathom_same_measurement(request->baselines[i].result,
						    request->baselines[k].result))
				return error_set(error, FATHOM_USAGE,
						 "give each baseline once: the spread between them "
						 "is what counts",
						 "the baselines '%s' and '%s' hold the same "
						 "measurement",
						 request->baselines[k].name,
						 request->baselines[i].name);
	return 0;
}

static bool is_judged(const struct fathom_compared_run *run)
{
	for (size_t i = 0; i < run->part_count; i++)
		if (isfinite(run->parts[i].speedup) && run->parts[i].quantity != FATHOM_QUANTITY_HZ)
			return true;
	return run->point_count > 0;
}

static int check_common(const struct compare_set *set, const struct fathom_compared_run *run,
			struct fathom_error *error)
{
	if (is_judged(run))
		return 0;
	return error_set(error, FATHOM_BAD_INPUT,
			 "'fathom check BASELINE' measures the sizes of a baseline",
			 "'%s' and '%s' have neither a size nor a level in common",
			 set->runs[0][0].name, set->runs[1]->name);
}

/* ---- one run after the other ---- */

static int compare_matched(const struct compare_set *set, const struct compare_match *match,
			   double threshold, struct fathom_compared_run *run,
			   struct fathom_warnings *warnings, struct fathom_error *error)
{
	if (compare_points(set, match, run, error) || compare_levels(set, match, run, error) ||
	    compare_single_points(set, match, run, error) || compare_cores(set, run, error) ||
	    compare_contention(set, run, error) || compare_loads(set, run, error) ||
	    compare_accesses(set, run, error) || compare_cores_warn(set, warnings, error) ||
	    compare_sharing_warn(set, warnings, error) || check_common(set, run, error) ||
	    compare_clock(set, threshold, run, error) || compare_judge(run, threshold, error) ||
	    compare_conditions(set, run, error) || compare_hold_back(set, run, warnings, error) ||
	    compare_differences(set, match, warnings, error) ||
	    compare_warnings(set, run, warnings, error))
		return -1;
	if (match->count == 0 && !compare_cores_are_common(set) && !compare_loads_are_common(set) &&
	    !compare_accesses_are_common(set) &&
	    warnings_add(warnings, "no-common-size", run->name, NULL,
			 "no size is in all files: only the fitted levels are compared"))
		return error_no_memory(error);
	return 0;
}

static int compare_run(const struct fathom_compare_request *request, size_t which,
		       struct fathom_comparison *comparison, struct fathom_error *error)
{
	struct fathom_compared_run *run = &comparison->runs[which];
	const struct compare_set set = {{request->baselines, &request->runs[which]},
					request->baseline_count,
					request->unit,
					request->observer};
	struct compare_match match;
	run->name = strdup(request->runs[which].name);
	if (!run->name)
		return error_no_memory(error);
	if (compare_match(&set, &match, error))
		return -1;
	int failed = compare_matched(&set, &match, comparison->threshold, run,
				     &comparison->warnings, error);
	compare_match_free(&match);
	return failed;
}

static struct fathom_comparison *make(const struct fathom_compare_request *request)
{
	struct fathom_comparison *made = calloc(1, sizeof(*made));
	if (!made)
		return NULL;
	made->threshold = request->threshold > 0 ? request->threshold : DEFAULT_THRESHOLD;
	made->unit = request->unit;
	made->baselines = calloc(request->baseline_count, sizeof(*made->baselines));
	made->runs = calloc(request->run_count, sizeof(*made->runs));
	bool failed = !made->baselines || !made->runs;
	made->baseline_count = failed ? 0 : request->baseline_count;
	made->run_count = failed ? 0 : request->run_count;
	for (size_t i = 0; i < made->baseline_count; i++) {
		made->baselines[i] = strdup(request->baselines[i].name);
		failed |= !made->baselines[i];
	}
	if (!failed)
		return made;
	fathom_comparison_free(made);
	return NULL;
}

int fathom_compare(const struct fathom_compare_request *request,
		   struct fathom_comparison **comparison, struct fathom_error *error)
{
	if (check_request(request, error))
		return -1;
	struct fathom_comparison *made = make(request);
	if (!made)
		return error_no_memory(error);
	for (size_t i = 0; i < made->run_count; i++)
		if (compare_run(request, i, made, error)) {
			fathom_comparison_free(made);
			return -1;
		}
	*comparison = made;
	return 0;
}
