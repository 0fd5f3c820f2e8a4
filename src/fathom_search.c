#include "fathom_search.h"

#include <math.h>

#include "base/error.h"
#include "base/stopwatch.h"
#include "base/warnings.h"
#include "document/table.h"
#include "model/levels/levels.h"

#define GRACE_NS   500000000
#define TOLD_SHARE 0.02 /* of the budget, between two words of progress */

static double metered_s(void *context)
{
	struct meter *meter = context;
	return meter->ops->elapsed_s(meter);
}

struct search_clock search_clock_of(struct meter *meter, double budget_s)
{
	return (struct search_clock){metered_s, meter, budget_s};
}

static void tell(struct search *search)
{
	const struct fathom_observer *whole = search->whole;
	double done = search->clock.elapsed_s(search->clock.context) / search->clock.budget_s;
	if (!whole || !whole->progress || done < search->told + TOLD_SHARE)
		return;
	search->told = done;
	const struct fathom_progress progress = {
		.stage = "reading",
		.done = fmin(1, done),
		.left_s = fmax(0, 1 - done) * search->clock.budget_s,
		.latency_ns = NAN,
		.half_width = NAN,
	};
	whole->progress(whole->context, &progress);
}

static bool is_stopped(void *context)
{
	struct search *search = context;
	const struct fathom_observer *whole = search->whole;
	tell(search);
	return whole && whole->stop && whole->stop(whole->context);
}

/* After a stop the search goes on for a moment: most curves are read in less. */
static bool is_past_grace(void *context)
{
	struct search *search = context;
	if (!is_stopped(search))
		return false;
	uint64_t now_ns = stopwatch_now_ns();
	if (!search->asked_ns)
		search->asked_ns = now_ns;
	return now_ns - search->asked_ns > GRACE_NS;
}

static bool is_late(void *context)
{
	const struct search *search = context;
	return search->clock.elapsed_s(search->clock.context) > search->clock.budget_s;
}

int search_levels(struct fathom_result *result, const struct fathom_observer *observer,
		  const struct search_clock *clock, struct fathom_error *error)
{
	struct search search = {.whole = observer, .clock = *clock};
	const struct fathom_observer own = {&search, NULL, is_past_grace, is_late};
	struct fathom_error why = {0};
	int status = fathom_fit(result, &own, &why);
	if (status && why.status == FATHOM_INTERRUPTED) {
		result->interrupted = true;
		status = warnings_add(
				 &result->warnings, "levels-not-found", NULL,
				 "keep the document with -o FILE.json and run 'fathom fit' on it",
				 "interrupted during the search for levels, so the result has none")
				 ? error_no_memory(error)
				 : 0;
	} else if (status) {
		error_set(error, why.status, why.hint, "%s", why.text);
	}
	fathom_error_clear(&why);
	return status;
}

/* The control of the main curve would tell caches from TLBs, which matters less here than the time
 * that it takes. */
int search_next_sizes(void *context, const struct fathom_result *so_far, uint64_t *sizes_bytes,
		      size_t most, size_t *count, struct fathom_error *error)
{
	const struct fathom_observer own = {.context = context, .stop = is_stopped};
	struct fathom_result view = {.curves = so_far->curves, .curve_count = 1};
	struct fathom_error why = {0};
	int status = levels_find(&view, &own, NULL, &why);
	*count = status ? 0 : levels_wanted(&view, sizes_bytes, most);
	table_free_items(&level_table, view.levels, view.level_count);
	table_free_items(&hypothesis_table, view.hypotheses, view.hypothesis_count);
	warnings_free(&view.warnings);
	if (status && why.status == FATHOM_INTERRUPTED)
		status = 0; /* the sweep sees for itself that it is to stop */
	else if (status)
		error_set(error, why.status, why.hint, "%s", why.text);
	fathom_error_clear(&why);
	return status;
}
