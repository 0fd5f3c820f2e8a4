/* What is predicted, and where that meets the structures themselves, run here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/stats.h"
#include "base/text.h"
#include "base/units.h"
#include "base/warnings.h"
#include "fathom.h"
#include "machine/cores.h"
#include "measure/structures/structure_runs.h"
#include "model/predict/predict.h"
#include "model/predict/structure.h"

#define USUAL_BYTES 8   /* of a key, and of a payload */
#define MOST_SHARE  0.9 /* of the memory that is on the pages asked for, to be called that */

/* Beside structures an array is read at random, of about as many bytes as each of them: it tells
 * what the machine's memory is like meanwhile. */
#define REFERENCE   "array-random"
#define ALIKE_RATIO 2    /* one array stands for sizes up to so many times smaller or larger */
#define MOST_AWAY   0.20 /* as far as predictions may be off: then memory is not as it was */

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
	size_t *predictions; /* of each job but the references, which come last */
	size_t count, reference_count;
	int other_cpu; /* on a core of its own; -1: there is none */
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

/* The nearest that is on another core; -1: there is none. */
static int find_other_cpu(const struct fathom_machine *machine, int cpu, int *other,
			  struct fathom_error *error)
{
	struct cores cores;
	if (cores_find(machine, cpu, &cores, error))
		return -1;
	*other = cores.count > 1 ? cores.cpus[1] : -1;
	cores_free(&cores);
	return 0;
}

/* A prediction that cannot be run is left as it is. */
static int add_job(struct check *check, size_t which)
{
	const struct fathom_prediction *one = &check->result->predictions[which];
	const struct structures_kind *kind = structures_kind_find(one->structure);
	if (kind && kind->beside && check->other_cpu < 0)
		return warnings_note(&check->result->warnings, "predict-not-run", one->structure,
				     "allow CPUs of two cores, as by 'taskset'",
				     "it is predicted; to be run it needs a second core");
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

/* One for each size that has none yet. */
static void add_references(struct check *check)
{
	const struct structures_kind *kind = structures_kind_find(REFERENCE);
	for (size_t i = 0; i < check->count; i++) {
		uint64_t bytes = check->result->predictions[check->predictions[i]].size_bytes;
		struct structures_shape shape = {.keys = bytes / (2 * USUAL_BYTES)};
		bool is_there = shape.keys == 0;
		for (size_t r = 0; r < check->reference_count; r++) {
			double other = (double)check->jobs[check->count + r].shape.keys;
			double ratio = (double)shape.keys / other;
			is_there |= ratio < ALIKE_RATIO && ratio > 1. / ALIKE_RATIO;
		}
		if (!is_there)
			check->jobs[check->count + check->reference_count++] =
				(struct structure_job){.kind = kind,
						       .shape = shape,
						       .mode = FATHOM_PREDICT_DEPENDENT,
						       .together = 1};
	}
}

static struct stats_interval median_of(const struct structure_job *job, double *median_ns)
{
	stats_sort(job->blocks_ns, job->block_count);
	*median_ns = stats_median_sorted(job->blocks_ns, job->block_count);
	return stats_median_interval(job->blocks_ns, job->block_count);
}

static void take_times(const struct check *check)
{
	for (size_t i = 0; i < check->count; i++) {
		struct fathom_prediction *one = &check->result->predictions[check->predictions[i]];
		const struct structure_job *job = &check->jobs[i];
		if (!job->block_count)
			continue;
		struct stats_interval interval = median_of(job, &one->measured_ns);
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

/* Those of which no batch was clean. */
static int warn_of_disturbed(const struct check *check)
{
	size_t disturbed = 0, first = 0;
	for (size_t i = check->count; i-- > 0;)
		if (check->jobs[i].block_count && !check->jobs[i].clean) {
			disturbed++;
			first = i;
		}
	if (!disturbed)
		return 0;
	return warnings_add(&check->result->warnings, "predict-disturbed", NULL,
			    "measure again when the machine is idle",
			    "%zu of %zu measured times are of disturbed batches alone, as that of "
			    "'%s'",
			    disturbed, check->count, check->jobs[first].kind->name);
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

/* Where a plain array does not take what is predicted of it, memory is not what the result says:
 * neighbours take more or less of a cache, or the machine is another one. */
static int compare_references(const struct check *check, struct fathom_error *error)
{
	static const char *const name = REFERENCE;
	struct fathom_predict_request request = *check->request;
	struct fathom_predictor *predictor;
	struct text list = {0};
	request.structures = &name;
	request.structure_count = 1;
	request.mode = FATHOM_PREDICT_DEPENDENT;
	request.load = 0;
	if (fathom_predictor_open(check->result, &request, &predictor, error))
		return -1;
	for (size_t r = 0; r < check->reference_count; r++) {
		const struct structure_job *job = &check->jobs[check->count + r];
		char size[UNITS_TEXT_BYTES];
		double measured_ns, predicted_ns = fathom_predictor_ns(predictor, job->shape.keys);
		if (!job->block_count)
			continue;
		median_of(job, &measured_ns);
		if (fabs(measured_ns / predicted_ns - 1) <= MOST_AWAY || isnan(predicted_ns))
			continue;
		units_format_size(2 * USUAL_BYTES * job->shape.keys, size);
		text_add(&list, "%s%.3g ns at %s (predicted %.3g)", list.data ? ", " : "",
			 measured_ns, size, predicted_ns);
	}
	fathom_predictor_close(predictor);
	int status = list.failed ||
		     (list.data &&
		      warnings_add(&check->result->warnings, "predict-now", NULL,
				   "if it is of this machine, measure it anew: what "
				   "neighbours leave of the caches changes",
				   "memory here and now is not as in the result: an element of an "
				   "array at random takes %s",
				   list.data));
	text_free(&list);
	return status ? error_no_memory(error) : 0;
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
	if (find_other_cpu(machine, runs.place.cpu, &runs.other_cpu, error))
		return -1;
	check.other_cpu = runs.other_cpu;
	check.jobs = calloc(2 * most, sizeof(*check.jobs));
	check.predictions = calloc(most, sizeof(*check.predictions));
	int status = check.jobs && check.predictions ? 0 : -1;
	for (size_t i = 0; i < result->prediction_count && status == 0; i++)
		status = add_job(&check, i);
	if (status)
		error_no_memory(error);
	else {
		add_references(&check);
		status = structure_runs_measure(&runs, check.jobs,
						check.count + check.reference_count,
						&result->warnings, error);
	}
	if (status == 0) {
		take_times(&check);
		result->interrupted |= runs.stopped;
		status = warn_of_disturbed(&check) || warn(&check, &runs)
				 ? error_no_memory(error)
				 : compare_references(&check, error);
	}
	for (size_t i = 0; i < check.count + check.reference_count; i++)
		free(check.jobs[i].blocks_ns);
	free(check.jobs);
	free(check.predictions);
	return status;
}
