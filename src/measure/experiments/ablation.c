/* Pairs of patterns that differ in what one prefetcher could do for them, and in nothing else. */
#include "measure/experiments/experiments.h"
#include "measure/experiments/specs.h"
#include "measure/spec.h"

#include "base/warnings.h"

#define USUAL_BYTES  (256ull << 20)
#define MOST_CURVES  9
#define LAPS         4
#define WINDOW_BYTES 65536

struct pairs {
	struct fathom_plan *plan;
	const struct fathom_request *request;
	uint64_t usual_bytes;
};

static void add(const struct pairs *pairs, const struct fathom_spec *spec)
{
	specs_add(pairs->plan, pairs->request, spec, pairs->usual_bytes);
}

/* Two hops in each random node of four lines: the second to the other line of a pair, or to the
 * first of the next pair. */
static void add_pairs(const struct pairs *pairs, uint64_t line_bytes)
{
	struct fathom_spec spec = pairs->request->spec;
	spec.pattern = FATHOM_LINE_PAIR;
	spec.node_bytes = 4 * line_bytes;
	spec.stride_bytes = line_bytes;
	add(pairs, &spec);
	spec.stride_bytes = 2 * line_bytes;
	add(pairs, &spec);
}

/* The main curve; always another order; half as many nodes, twice as far apart. */
static void add_random(const struct pairs *pairs)
{
	struct fathom_spec spec = pairs->request->spec;
	spec.pattern = FATHOM_RANDOM_CYCLE;
	add(pairs, &spec);
	spec.pattern = FATHOM_RANDOM_LAPS;
	spec.laps = spec_most_laps(&spec) < LAPS ? spec_most_laps(&spec) : LAPS;
	if (spec.laps > 1)
		add(pairs, &spec);
	spec.pattern = FATHOM_RANDOM_CYCLE;
	spec.laps = 0;
	spec.node_bytes *= 2;
	add(pairs, &spec);
}

static void add_windows(const struct pairs *pairs, enum fathom_pattern pattern,
			uint64_t window_bytes)
{
	struct fathom_spec spec = pairs->request->spec;
	spec.pattern = pattern;
	spec.window_bytes = window_bytes;
	if (spec_holds_nodes(&spec))
		add(pairs, &spec);
}

int ablation_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		   struct fathom_plan *plan, struct fathom_error *error)
{
	const struct pairs pairs = {plan, request, specs_usual_bytes(machine, USUAL_BYTES)};
	struct fathom_spec spec = request->spec;
	if (specs_open(plan, request, MOST_CURVES, pairs.usual_bytes, error))
		return -1;
	add_random(&pairs);
	spec.pattern = FATHOM_SEQUENTIAL;
	add(&pairs, &spec);
	add_windows(&pairs, FATHOM_PAGE_LOCAL, machine->base_page_bytes);
	add_windows(&pairs, FATHOM_WINDOW, WINDOW_BYTES - WINDOW_BYTES % spec.node_bytes);
	add_pairs(&pairs, specs_line_bytes(machine));
	return 0;
}

void ablation_warn(const struct fathom_plan *plan, const struct fathom_machine *machine,
		   struct fathom_warnings *warnings)
{
	specs_warn_of_page_local(plan, machine, warnings);
	if (!specs_has(plan, FATHOM_RANDOM_LAPS))
		warnings_add(warnings, "row-left-out", "random_laps",
			     "use a larger --spacing, or --link index32",
			     "the temporal-prefetch test is skipped: a node of this size holds one "
			     "link only");
}
