#include "measure/structures/structure_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/rng.h"
#include "base/units.h"
#include "measure/memory/buffer.h"
#include "measure/sampling/sampler.h"
#include "measure/sampling/team.h"
#include "measure/structures/structure_meter.h"

#define ALIGNMENT_BYTES 4096
#define BLOCK_NS        4e6 /* that a block times: each operation goes elsewhere */
#define WARM_NS         1e8 /* at most, to bring what the caches keep into them */
#define WARM_TIMES      3   /* as many operations as keys: 95 % of its lines were gone to */
#define SETTLING_BYTES  (1ull << 20) /* less is in caches of its core */
#define STRETCH_NS      2e6          /* between two looks at the time */
#define PATIENCE_S      8e-3         /* for pauses of what disturbs */
#define FILLS           16           /* operations of a run, over those at a time, at least */

struct work {
	struct structure_runs *runs;
	struct structure_job *jobs;
	size_t count;
	struct buffer buffer;
	struct structure_meter meter;
	struct rng rng;
	double round_s; /* of the last round */
};

static bool same_structure(const struct structure_job *a, const struct structure_job *b)
{
	return a->kind == b->kind && a->shape.keys == b->shape.keys &&
	       a->shape.node_bytes == b->shape.node_bytes &&
	       a->shape.span_bits == b->shape.span_bits && a->shape.fanout == b->shape.fanout &&
	       a->shape.load == b->shape.load;
}

/* ---- one visit ---- */

/* Until its lines are where they stay; `settle_ns`: for as long at least. *expected_ns: of an
 * operation. */
static int warm_up(struct structure_meter *meter, double settle_ns, double *expected_ns,
		   struct fathom_error *error)
{
	double ns = 0, all_ns = 0;
	double wanted = WARM_TIMES * (double)meter->keys;
	uint64_t hops = meter->meter.hops_unit;
	for (double done = 0;
	     all_ns < fmax(STRETCH_NS, settle_ns) || (done < wanted && all_ns < WARM_NS);) {
		if (sampler_time_hops(&meter->meter, hops, &ns, error))
			return -1;
		done += (double)hops;
		all_ns += ns;
		*expected_ns = fmax(1e-3, ns / (double)hops);
		if (ns < STRETCH_NS / 2)
			hops *= 2;
	}
	return 0;
}

static bool stop(void *context)
{
	const struct structure_runs *runs = context;
	return runs->observer && runs->observer->stop &&
	       runs->observer->stop(runs->observer->context);
}

/* Blocks without a clean batch count as long as there is no other. */
static int keep_block(struct structure_job *job, const struct sampler_block *block,
		      struct fathom_error *error)
{
	if (block->disturbed && job->clean)
		return 0;
	if (!block->disturbed && !job->clean)
		job->block_count = 0;
	job->clean = !block->disturbed;
	return LIST_APPEND(&job->blocks_ns, &job->block_count, &block->mean.ns)
		       ? error_no_memory(error)
		       : 0;
}

/* Returns as sampler_run. */
static int run_job(struct work *work, struct structure_job *job, double settle_ns,
		   struct fathom_error *error)
{
	struct structure_meter *meter = &work->meter;
	struct sampler_options options = {
		.expected_ns = NAN, .patience_s = PATIENCE_S, .stop = stop};
	struct sampler_block block = {0};
	meter->mode = job->mode;
	meter->together = job->together;
	meter->meter.hops_unit =
		job->together > 1 ? FILLS * job->together : 1; /* few of them begin or end alone */
	meter->requests.state = job->kind->expect ? 0 : rng_next(&work->rng);
	if (warm_up(meter, settle_ns, &options.expected_ns, error))
		return -1;
	options.hops = (uint64_t)(BLOCK_NS / options.expected_ns);
	options.stop_context = work->runs;
	int status = sampler_run(&meter->meter, &options, &block, error);
	if (status == 0)
		status = keep_block(job, &block, error);
	sampler_block_free(&block);
	return status;
}

/* Returns as sampler_run. */
static int run_jobs(struct work *work, size_t from, size_t to, double settle_ns,
		    struct fathom_error *error)
{
	const struct structures_kind *kind = work->meter.kind;
	struct companions *companions = NULL;
	int status = 0;
	if (kind->beside && companions_open(work->runs->machine, &work->runs->other_cpu, 1, NULL,
					    kind->beside, &work->meter.root, &companions, error))
		return -1;
	for (size_t i = from; i < to && status == 0; i++)
		status = run_job(work, &work->jobs[i], i == from ? settle_ns : 0, error);
	companions_close(companions);
	return status;
}

/* The jobs [from, to) are ways to run the same structure. Returns as sampler_run. */
static int visit(struct work *work, size_t from, size_t to, struct fathom_error *error)
{
	const struct structure_job *first = &work->jobs[from];
	struct structure_runs *runs = work->runs;
	uint64_t bytes = first->kind->memory_bytes(&first->shape);
	struct pages_obtained obtained;
	double settle_ns = bytes < SETTLING_BYTES ? 0 : SAMPLER_SETTLE_NS;
	if (buffer_populate(&work->buffer, bytes, error))
		return -1;
	unsigned char *memory = buffer_window(&work->buffer, bytes, ALIGNMENT_BYTES, &work->rng);
	if (first->kind->build(&first->shape, memory, rng_next(&work->rng), &work->meter.root,
			       error))
		return -1;
	work->meter.kind = first->kind;
	work->meter.keys = first->shape.keys;
	int status = buffer_read_back(&work->buffer, memory, bytes, &obtained, error);
	if (status == 0)
		runs->page_share = fmin(runs->page_share, obtained.share);
	if (status == 0)
		status = run_jobs(work, from, to, settle_ns, error);
	free(work->meter.root);
	work->meter.root = NULL;
	return status;
}

/* ---- all ---- */

static void tell(const struct work *work, unsigned round, double share)
{
	const struct fathom_observer *observer = work->runs->observer;
	double elapsed_s = work->meter.meter.ops->elapsed_s((struct meter *)&work->meter.meter);
	if (!observer || !observer->progress)
		return;
	double by_time = elapsed_s / work->runs->budget_s;
	struct fathom_progress progress = {
		.stage = "running them",
		.done = fmin(1, fmax(by_time, (round + share) / STRUCTURE_ROUNDS)),
		.left_s = fmax(0, work->runs->budget_s - elapsed_s),
		.latency_ns = NAN,
		.half_width = NAN,
	};
	observer->progress(observer->context, &progress);
}

/* The first job of each structure, in random order. */
static size_t *draw_order(struct work *work, size_t *count)
{
	size_t *order = malloc((work->count + 1) * sizeof(*order));
	*count = 0;
	for (size_t i = 0; order && i < work->count; i++) {
		if (i && same_structure(&work->jobs[i - 1], &work->jobs[i]))
			continue;
		size_t at = rng_below(&work->rng, *count + 1);
		order[*count] = order[at];
		order[at] = i;
		(*count)++;
	}
	return order;
}

/* Returns as sampler_run. */
static int run_round(struct work *work, unsigned round, struct fathom_error *error)
{
	size_t count;
	size_t *order = draw_order(work, &count);
	int status = order ? 0 : error_no_memory(error);
	for (size_t i = 0; i < count && status == 0; i++) {
		size_t end = order[i] + 1;
		while (end < work->count && same_structure(&work->jobs[end - 1], &work->jobs[end]))
			end++;
		tell(work, round, (double)i / (double)count);
		status = stop(work->runs) ? 1 : visit(work, order[i], end, error);
	}
	free(order);
	return status;
}

static int run_rounds(struct work *work, struct fathom_error *error)
{
	struct meter *meter = &work->meter.meter;
	int status = 0;
	for (unsigned round = 0; round < STRUCTURE_ROUNDS && status == 0; round++) {
		double before_s = meter->ops->elapsed_s(meter);
		if (round && before_s + work->round_s > work->runs->budget_s)
			break;
		status = run_round(work, round, error);
		work->round_s = meter->ops->elapsed_s(meter) - before_s;
	}
	work->runs->stopped = status == 1;
	work->runs->elapsed_s = meter->ops->elapsed_s(meter);
	return status < 0 ? -1 : 0;
}

/* Of the largest; 0: FAILED. */
static uint64_t find_bytes(const struct structure_runs *runs, const struct structure_job *jobs,
			   size_t count, struct fathom_error *error)
{
	char takes[UNITS_TEXT_BYTES], has[UNITS_TEXT_BYTES];
	uint64_t most = 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t bytes = jobs[i].kind->memory_bytes(&jobs[i].shape);
		most = bytes > most ? bytes : most;
		if (bytes <= runs->machine->limit_bytes)
			continue;
		units_format_size(bytes, takes);
		units_format_size(runs->machine->limit_bytes, has);
		error_set(error, FATHOM_UNABLE, "ask for fewer --keys, or a smaller --size",
			  "'%s' of %llu keys takes %s to run, and %s can be had here",
			  jobs[i].kind->name, (unsigned long long)jobs[i].shape.keys, takes, has);
		return 0;
	}
	return most;
}

int structure_runs_measure(struct structure_runs *runs, struct structure_job *jobs, size_t count,
			   struct fathom_warnings *warnings, struct fathom_error *error)
{
	struct work work = {
		.runs = runs, .jobs = jobs, .count = count, .rng = rng_make(runs->seed)};
	uint64_t bytes = count ? find_bytes(runs, jobs, count, error) : 0;
	runs->page_share = 1;
	if (!bytes)
		return count ? -1 : 0;
	uint64_t room = runs->machine->limit_bytes - bytes;
	bytes += room < BUFFER_ROOM_BYTES ? room : BUFFER_ROOM_BYTES;
	int status = structure_meter_open(&work.meter, runs->machine, runs->place, runs->seed,
					  warnings, error);
	if (status == 0)
		status = buffer_open(&work.buffer, runs->machine, runs->page, bytes, runs->place,
				     error);
	if (status == 0)
		status = run_rounds(&work, error);
	buffer_close(&work.buffer);
	structure_meter_close(&work.meter);
	return status;
}
