/* Reading, writing and copying, by size and number of threads. */
#include "base/patterns.h"
#include "measure/experiments/experiments.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/kernel_kind.h"
#include "base/warnings.h"
#include "machine/cores.h"
#include "measure/experiments/specs.h"
#include "measure/memory/stream_variant.h"

#define SMALLEST_BYTES (8ull << 10)
#define LARGEST_BYTES  (1ull << 30)
#define USUAL_SIZES    18 /* an octave apart */
#define MEMORY_SHARE   4  /* of what can be had, at most a quarter */
#define STREAMS        (FATHOM_UPDATE - FATHOM_READ + 1)

struct grid {
	const struct fathom_machine *machine;
	struct fathom_plan *plan;
	struct fathom_request request; /* its numbers of threads as they are meant */
	uint32_t *threads;             /* ascending, each once */
	size_t thread_count;
};

static int compare_threads(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* In ascending order, each once; 0 stands for one a core. */
static int find_threads(struct grid *grid, struct fathom_error *error)
{
	static const uint32_t usual[] = {1, 0};
	const struct fathom_request *request = &grid->request;
	bool given = request->threads && request->thread_count;
	const uint32_t *wanted = given ? request->threads : usual;
	size_t all = request->siblings || request->cpus
			     ? 1
			     : sizeof(usual) / sizeof(*usual); /* of the core alone */
	size_t count = given ? request->thread_count : all, kept = 0;
	struct cores cores;
	if (cores_find(grid->machine, grid->plan->cpu, &cores, error))
		return -1;
	uint32_t one_a_core = cores.count;
	cores_free(&cores);
	grid->threads = calloc(count, sizeof(*grid->threads));
	if (!grid->threads)
		return error_no_memory(error);
	for (size_t i = 0; i < count; i++)
		grid->threads[i] = wanted[i] ? wanted[i] : one_a_core;
	qsort(grid->threads, count, sizeof(*grid->threads), compare_threads);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || grid->threads[kept - 1] != grid->threads[i])
			grid->threads[kept++] = grid->threads[i];
	grid->thread_count = kept;
	return cores_check(grid->machine, grid->plan->cpu, grid->threads[kept - 1], error);
}

/* The usual sizes of which all threads together leave most of the memory alone. */
static size_t usual_sizes(const struct grid *grid, uint32_t threads, uint64_t sizes[USUAL_SIZES])
{
	uint64_t most = grid->machine->limit_bytes / MEMORY_SHARE / threads;
	if (grid->request.max_size_bytes && grid->request.max_size_bytes < most)
		most = grid->request.max_size_bytes;
	size_t count = 0;
	for (uint64_t bytes = SMALLEST_BYTES; bytes <= LARGEST_BYTES; bytes *= 2)
		if (bytes <= most || count == 0)
			sizes[count++] = bytes;
	return count;
}

/* Of what was not asked for by name, a kind that this CPU has no loop for is left out. */
static bool is_possible(const struct grid *grid, const struct fathom_spec *spec)
{
	return grid->request.streams || grid->machine->description ||
	       stream_kernel(spec->pattern, spec->vector_bytes);
}

static void add_stream(const struct grid *grid, enum fathom_pattern stream)
{
	for (size_t i = 0; i < grid->thread_count; i++) {
		uint64_t sizes[USUAL_SIZES];
		struct fathom_request one = grid->request;
		struct fathom_spec spec = one.spec;
		spec.pattern = stream;
		spec.node_bytes = KERNEL_LINE_BYTES;
		spec.threads = grid->threads[i];
		if (!one.sizes_bytes || !one.size_count) {
			one.size_count = usual_sizes(grid, spec.threads, sizes);
			one.sizes_bytes = sizes;
		}
		if (is_possible(grid, &spec))
			specs_add(grid->plan, &one, &spec, 0);
	}
}

static int add_all(const struct grid *grid, struct fathom_error *error)
{
	const struct fathom_request *request = &grid->request;
	size_t count = request->streams ? request->stream_count : STREAMS;
	for (size_t i = 0; i < count; i++) {
		int stream = request->streams ? (int)request->streams[i] : FATHOM_READ + (int)i;
		if (!pattern_streams(stream))
			return error_set(error, FATHOM_USAGE, NULL, "pattern %d is not a stream",
					 stream);
		add_stream(grid, (enum fathom_pattern)stream);
	}
	return 0;
}

int bandwidth_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		    struct fathom_plan *plan, struct fathom_error *error)
{
	struct grid grid = {.machine = machine, .plan = plan, .request = *request};
	uint64_t usual[USUAL_SIZES];
	struct fathom_request longest = *request; /* of all curves */
	int status = find_threads(&grid, error);
	if (status == 0 && (!request->sizes_bytes || !request->size_count)) {
		longest.size_count = usual_sizes(&grid, grid.threads[0], usual);
		longest.sizes_bytes = usual;
	}
	size_t streams = request->streams ? request->stream_count : STREAMS;
	if (status == 0)
		status = specs_open(plan, &longest, streams * grid.thread_count, 0, error);
	if (status == 0)
		status = add_all(&grid, error);
	free(grid.threads);
	return status;
}

void bandwidth_warn(const struct fathom_plan *plan, const struct fathom_machine *machine,
		    struct fathom_warnings *warnings)
{
	struct cores cores;
	uint32_t most = 0;
	for (size_t i = 0; i < plan->spec_count; i++)
		if (plan->specs[i].threads > most)
			most = plan->specs[i].threads;
	if (cores_find(machine, plan->cpu, &cores, NULL))
		return;
	if (most > cores.count)
		warnings_add(warnings, "shared-cores", NULL, "request fewer with --threads",
			     "%u threads share %u cores", most, cores.count);
	cores_free(&cores);
}
