/* Pairs of patterns that differ in what one prefetcher could do for them, and in nothing else. */
#include "measure/experiments.h"
#include "measure/specs.h"

#define USUAL_BYTES  (256ull << 20)
#define MOST_CURVES  9
#define LAPS         4
#define WINDOW_BYTES 65536

static void add(struct fathom_plan *plan, const struct fathom_request *request,
		const struct fathom_spec *spec)
{
	specs_add(plan, request, spec, USUAL_BYTES);
}

/* Two hops in each random node of four lines: the second to the other line of a pair, or to the
 * first of the next pair. */
static void add_pairs(struct fathom_plan *plan, const struct fathom_request *request)
{
	struct fathom_spec spec = request->spec;
	uint64_t line_bytes = spec.node_bytes;
	spec.pattern = FATHOM_LINE_PAIR;
	spec.node_bytes = 4 * line_bytes;
	spec.stride_bytes = line_bytes;
	add(plan, request, &spec);
	spec.stride_bytes = 2 * line_bytes;
	add(plan, request, &spec);
}

/* The main curve; half as many nodes, twice as far apart; always another order. */
static void add_random(struct fathom_plan *plan, const struct fathom_request *request)
{
	struct fathom_spec spec = request->spec;
	spec.pattern = FATHOM_RANDOM_CYCLE;
	add(plan, request, &spec);
	spec.pattern = FATHOM_RANDOM_LAPS;
	spec.laps = LAPS;
	add(plan, request, &spec);
	spec.pattern = FATHOM_RANDOM_CYCLE;
	spec.laps = 0;
	spec.node_bytes *= 2;
	add(plan, request, &spec);
}

int ablation_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		   struct fathom_plan *plan, struct fathom_error *error)
{
	struct fathom_spec spec = request->spec;
	if (specs_open(plan, request, MOST_CURVES, USUAL_BYTES, error))
		return -1;
	add_random(plan, request);
	spec.pattern = FATHOM_SEQUENTIAL;
	add(plan, request, &spec);
	spec.pattern = FATHOM_PAGE_LOCAL;
	spec.window_bytes = machine->base_page_bytes;
	add(plan, request, &spec);
	spec.pattern = FATHOM_WINDOW;
	spec.window_bytes = WINDOW_BYTES - WINDOW_BYTES % spec.node_bytes;
	add(plan, request, &spec);
	add_pairs(plan, request);
	return 0;
}
