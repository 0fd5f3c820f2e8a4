/* What a mispredicted branch, a lock and a value that is stored and loaded again cost, beside what
 * memory does. */
#include <math.h>

#include "model/latency_numbers.h"
#include "views/experiments/experiments.h"
#include "views/rounding.h"

#define GHZ 1e9

static void add_row(struct view *view, const char *name, struct fathom_cost cost, double clock_hz)
{
	if (!isfinite(cost.ns))
		return;
	view_row(view);
	view_name(view, "%s", name);
	view_estimate(view, ESTIMATE_PLAIN(&cost, ns));
	view_number(view, cost.ns * clock_hz / GHZ);
}

void operations_view(struct view *view, const struct fathom_result *result)
{
	struct fathom_cost branch = latency_numbers_mispredict(result),
			   lock = latency_numbers_lock(result);
	struct fathom_cost forward = {NAN, NAN, NAN};
	if (result->forward_ns > 0)
		forward = (struct fathom_cost){result->forward_ns, result->forward_low_ns,
					       result->forward_high_ns};
	if (!isfinite(branch.ns) && !isfinite(lock.ns) && !isfinite(forward.ns))
		return;
	view_gap(view);
	view_say(view, VIEW_PLAIN, "other costs, beside those of memory:");
	VIEW_TABLE(view, COLUMN(NULL), COLUMN("ns"), COLUMN("cycles"));
	add_row(view, "a mispredicted branch adds", branch, result->clock_median_hz);
	add_row(view, "a free lock, taken and released", lock, result->clock_median_hz);
	add_row(view, "a value stored, and loaded again", forward, result->clock_median_hz);
	view_gap(view);
}
