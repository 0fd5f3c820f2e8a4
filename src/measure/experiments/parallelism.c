/* More and more chains at once, at given sizes or at one inside each level that a sweep finds. */
#include "measure/experiments/experiments.h"

#include <stdlib.h>

#include "base/error.h"
#include "kernels/kernels.h"
#include "machine/cores.h"
#include "machine/pages.h"
#include "measure/memory/chain_kernel.h"
#include "measure/meters/lanes.h"

#define MOST_KINDS          2
#define USUAL_LANES         32
#define READS               2 /* with one thread, and with all */
#define USUAL_LARGEST_BYTES (1ull << 30)
#define MOST_READ_BYTES     (1ull << 30) /* by all threads: touching memory takes its time */

struct lane_rows {
	const struct fathom_request *request;
	uint32_t most_lanes;
	struct fathom_plan *plan;
	enum fathom_page kinds[MOST_KINDS];
	size_t kind_count;
};

/* What all cores read at once of so large a size each: see add_reads. */
static uint64_t most_read_bytes(uint64_t bytes, size_t cores)
{
	return bytes > MOST_READ_BYTES / cores ? MOST_READ_BYTES : bytes * cores;
}

/* Large pages, so that it is the caches and memory whose limits show, and small ones beside them,
 * for those of the page walkers; or the kind that was asked for. `most_bytes`: at once. */
static void find_kinds(struct lane_rows *rows, const struct fathom_machine *machine,
		       uint64_t most_bytes)
{
	static const enum fathom_page large[] = {FATHOM_PAGE_2M, FATHOM_PAGE_THP};
	if (rows->request->spec.page != FATHOM_PAGE_DEFAULT) {
		rows->kinds[rows->kind_count++] = rows->request->spec.page;
		return;
	}
	for (size_t i = 0; i < sizeof(large) / sizeof(*large) && rows->kind_count == 0; i++)
		if (pages_check(machine, large[i], most_bytes, NULL) == 0)
			rows->kinds[rows->kind_count++] = large[i];
	rows->kinds[rows->kind_count++] = FATHOM_PAGE_4K;
}

/* A curve along the lanes for each kind of page. */
static void add_lanes(const struct lane_rows *rows, uint64_t size_bytes)
{
	for (size_t kind = 0; kind < rows->kind_count; kind++)
		for (uint32_t lanes = 1; lanes <= rows->most_lanes; lanes++) {
			struct fathom_spec spec = rows->request->spec;
			spec.pattern = rows->request->separate ? FATHOM_SEPARATE_CYCLES
							       : FATHOM_RANDOM_CYCLE;
			spec.axis = FATHOM_AXIS_LANES;
			spec.lanes = lanes;
			spec.page = rows->kinds[kind];
			spec.size_bytes = size_bytes - size_bytes % spec.node_bytes;
			rows->plan->specs[rows->plan->spec_count++] = spec;
		}
}

/* What one core and all of them read in the order of the addresses, from as large a part each;
 * where that is much, and of sizes that the sweep finds in shared caches, from as large a part
 * together. */
static int add_reads(const struct lane_rows *rows, const struct fathom_machine *machine,
		     const uint64_t *sizes, size_t count, struct fathom_error *error)
{
	struct fathom_plan *plan = rows->plan;
	struct cores cores;
	if (cores_find(machine, plan->cpu, &cores, error))
		return -1;
	for (uint32_t threads = 1; threads <= cores.count; threads += cores.count - 1) {
		uint64_t before = 0;
		for (size_t i = 0; i < count; i++) {
			uint64_t bytes = sizes[i];
			if (bytes * threads > MOST_READ_BYTES)
				bytes /= threads;
			bytes -= bytes % KERNEL_LINE_BYTES;
			if (bytes * threads > machine->limit_bytes / 2 ||
			    (before && bytes <= before))
				continue;
			before = bytes;
			plan->specs[plan->spec_count++] = (struct fathom_spec){
				.pattern = FATHOM_READ,
				.size_bytes = bytes,
				.node_bytes = KERNEL_LINE_BYTES,
				.lanes = 1,
				.threads = threads,
				.seed = rows->request->spec.seed,
				.page = rows->kinds[0],
			};
		}
		if (cores.count == 1)
			break;
	}
	cores_free(&cores);
	return 0;
}

/* The sweep that finds the levels, as `fathom latency` makes it. */
static int add_sweep(const struct lane_rows *rows, const struct fathom_machine *machine,
		     struct fathom_error *error)
{
	struct fathom_request sweep = *rows->request;
	struct fathom_machine shared = *machine;
	shared.limit_bytes /= rows->kind_count + READS; /* all have memory at the same time */
	sweep.budget_s = PLAN_SWEEP_SHARE * sweep.budget_s;
	sweep.spec.lane_store = FATHOM_STORE_UNKNOWN;
	sweep.spec.page = rows->kinds[rows->kind_count - 1]; /* in memory that is needed anyway */
	return latency_specs(&sweep, &shared, rows->plan, error);
}

static int make_room(struct fathom_plan *plan, size_t more, struct fathom_error *error)
{
	struct fathom_spec *specs =
		realloc(plan->specs, (plan->spec_count + more) * sizeof(*specs));
	if (!specs)
		return error_no_memory(error);
	plan->specs = specs;
	return 0;
}

/* As many as are asked for, or as there is room for where the user says where cursors live. */
static uint32_t find_most_lanes(const struct fathom_request *request,
				const struct fathom_machine *machine)
{
	const struct fathom_spec *spec = &request->spec;
	if (request->most_lanes)
		return request->most_lanes;
	if (machine->description || spec->lane_store == FATHOM_STORE_UNKNOWN)
		return USUAL_LANES;
	uint32_t room = lanes_most_in(spec->lane_store, chain_kernel_kind(spec));
	return room < 2 ? 2 : room < USUAL_LANES ? room : USUAL_LANES;
}

int parallelism_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		      struct fathom_plan *plan, struct fathom_error *error)
{
	static const uint64_t found[] = {0};
	struct lane_rows rows = {
		.request = request, .most_lanes = find_most_lanes(request, machine), .plan = plan};
	bool given = request->sizes_bytes && request->size_count;
	const uint64_t *sizes = given ? request->sizes_bytes : found;
	size_t count = given ? request->size_count : 1;
	if (rows.most_lanes < 2 || rows.most_lanes > FATHOM_MOST_LANES)
		return error_set(error, FATHOM_USAGE, "1 lane is always measured",
				 "the number of lanes, %u, is not between 2 and %d",
				 rows.most_lanes, FATHOM_MOST_LANES);
	uint64_t largest_bytes = given ? sizes[count - 1] : USUAL_LARGEST_BYTES;
	struct cores cores;
	if (cores_find(machine, plan->cpu, &cores, error))
		return -1;
	uint64_t read_bytes = most_read_bytes(largest_bytes, cores.count);
	cores_free(&cores);
	find_kinds(&rows, machine, read_bytes > largest_bytes ? read_bytes : largest_bytes);
	if (given)
		plan->always_bytes = sizes[count - 1];
	else if (add_sweep(&rows, machine, error))
		return -1;
	if (make_room(plan, count * (rows.kind_count * rows.most_lanes + READS), error))
		return -1;
	for (size_t i = 0; i < count; i++)
		add_lanes(&rows, sizes[i]);
	return add_reads(&rows, machine, sizes, count, error);
}
