/* What is predicted, and where that meets the structures themselves, run here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/stats.h"
#include "base/text.h"
#include "base/warnings.h"
#include "fathom.h"
#include "measure/structures/structure_runs.h"
#include "model/predict/predict.h"
#include "model/predict/structure.h"

#define USUAL_BYTES 8   /* of a key, and of a payload */
#define MOST_SHARE  0.9 /* of the memory that is on the pages asked for, to be called that */

void fathom_predict_default(struct fathom_predict_request *request)
{
	*request = (struct fathom_predict_request){
		.payload_bytes = 8, .mode = FATHOM_PREDICT_DEPENDENT, .page = FATHOM_PAGE_DEFAULT};
}

int fathom_predict(struct fathom_result *result, const struct fathom_predict_request *request,
		   struct fathom_error *error)
{
	return predict_find(result, request, error);
}

int fathom_predict_possible(const struct fathom_predict_request *request,
			    const struct fathom_machine *machine, struct fathom_error *error)
{
	return predict_check(request, machine, error);
}

/* ---- run ---- */

struct check {
	struct fathom_result *result;
	const struct fathom_predict_request *request;
	struct structure_job *jobs;
	size_t *predictions; /* of each job */
	size_t count;
};

int fathom_predict_check_request(const struct fathom_predict_request *request,
				 const struct fathom_machine *machine, struct fathom_error *error)
{
	if (machine->description)
		return error_set(error, FATHOM_UNABLE,
				 "without --check it is predicted what they cost there",
				 "data structures cannot be run on a simulated machine");
	if ((request->key_bytes && request->key_bytes != USUAL_BYTES) ||
	    request->payload_bytes != USUAL_BYTES || request->payload_apart || request->theta > 0)
		return error_set(error, FATHOM_USAGE,
				 "without --check, other sizes and keys are predicted",
				 "structures are run with keys and payloads of 8 bytes, and all "
				 "keys are asked for alike");
	return fathom_predict_possible(request, machine, error);
}

/* A prediction that cannot be run is left as it is. */
static int add_job(struct check *check, size_t which)
{
	const struct fathom_prediction *one = &check->result->predictions[which];
	const struct structures_kind *kind = structures_kind_find(one->structure);
	if (!kind || !kind->run[one->mode])
		return warnings_note(&check->result->warnings, "predict-not-run", one->structure,
				     NULL, "it is predicted, and cannot be run in that way");
	struct shape shape = predict_shape(check->request, one);
	check->predictions[check->count] = which;
	check->jobs[check->count++] = (struct structure_job){
		.kind = kind,
		.shape = {.keys = one->keys,
			  .node_bytes = (uint32_t)shape.node_bytes,
			  .span_bits = (uint32_t)shape.span_bits,
			  .fanout = (uint32_t)shape.fanout,
			  .load = shape.load},
		.mode = one->mode,
		.together = one->interleave,
	};
	return 0;
}

static void take_times(const struct check *check)
{
	for (size_t i = 0; i < check->count; i++) {
		struct fathom_prediction *one = &check->result->predictions[check->predictions[i]];
		const struct structure_job *job = &check->jobs[i];
		if (!job->block_count)
			continue;
		stats_sort(job->blocks_ns, job->block_count);
		struct stats_interval interval =
			stats_median_interval(job->blocks_ns, job->block_count);
		one->measured_ns = stats_median_sorted(job->blocks_ns, job->block_count);
		one->measured_low_ns = interval.low;
		one->measured_high_ns = interval.high;
	}
}

static bool same_text(const char *one, const char *other)
{
	return one && other ? strcmp(one, other) == 0 : one == other;
}

/* As far as a document tells: the same model with as much memory. */
static bool is_other(const struct fathom_machine *one, const struct fathom_machine *other)
{
	return !one || one->description || !same_text(one->cpu_model, other->cpu_model) ||
	       !same_text(one->cpu_signature, other->cpu_signature) ||
	       one->memory_bytes != other->memory_bytes;
}

static int warn(const struct check *check, const struct structure_runs *runs)
{
	struct fathom_warnings *warnings = &check->result->warnings;
	const struct fathom_machine *own = check->result->machine;
	if (own != runs->machine && is_other(own, runs->machine) &&
	    warnings_add(warnings, "predict-machine", NULL,
			 "a result of this machine predicts this machine",
			 "predicted is what '%s' takes, and measured what '%s' does",
			 own && own->cpu_model ? own->cpu_model : "the machine of the curves",
			 runs->machine->cpu_model ? runs->machine->cpu_model : "this machine"))
		return -1;
	if (runs->page != FATHOM_PAGE_DEFAULT && runs->page_share < MOST_SHARE &&
	    warnings_add(warnings, "predict-pages", NULL, NULL,
			 "only %.0f %% of the memory that structures were run in is on the pages "
			 "asked for",
			 100 * runs->page_share))
		return -1;
	return 0;
}

int fathom_predict_check(struct fathom_result *result, const struct fathom_predict_request *request,
			 const struct fathom_machine *machine, const struct fathom_request *how,
			 const struct fathom_observer *observer, struct fathom_error *error)
{
	size_t most = result->prediction_count + 1;
	struct check check = {.result = result, .request = request};
	struct structure_runs runs = {
		.machine = machine,
		.place = {.cpu = how->cpu >= 0 ? how->cpu : machine->default_cpu,
			  .node = how->memory_node},
		.page = request->page,
		.seed = how->spec.seed,
		.budget_s = how->budget_s,
		.observer = observer,
	};
	if (fathom_predict_check_request(request, machine, error))
		return -1;
	check.jobs = calloc(most, sizeof(*check.jobs));
	check.predictions = calloc(most, sizeof(*check.predictions));
	int status = check.jobs && check.predictions ? 0 : -1;
	for (size_t i = 0; i < result->prediction_count && status == 0; i++)
		status = add_job(&check, i);
	if (status)
		error_no_memory(error);
	else
		status = structure_runs_measure(&runs, check.jobs, check.count, &result->warnings,
						error);
	if (status == 0) {
		take_times(&check);
		result->interrupted |= runs.stopped;
		status = warn(&check, &runs) ? error_no_memory(error) : 0;
	}
	for (size_t i = 0; i < check.count; i++)
		free(check.jobs[i].blocks_ns);
	free(check.jobs);
	free(check.predictions);
	return status;
}
