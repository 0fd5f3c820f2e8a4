/* What an index array reads, as fathom states it and as a simple benchmark would: the least of ten
 * means. */
#include <math.h>

#include "base/patterns.h"
#include "base/point.h"
#include "views/experiments/experiments.h"
#include "views/rounding.h"

/* In warm memory: simple benchmarks know no other. */
static bool has_means(const struct fathom_curve *curve)
{
	if (curve->point_count && curve->points[0].spec.warmth != FATHOM_WARM)
		return false;
	for (size_t i = 0; i < curve->point_count; i++)
		if (isfinite(curve->points[i].least_mean_ns_per_access))
			return true;
	return false;
}

static void add_row(struct view *view, const struct fathom_point *point)
{
	double least_ns = point->least_mean_ns_per_access;
	if (!isfinite(point->ns_per_access))
		return;
	view_row(view);
	view_size(view, (double)point->spec.size_bytes);
	view_estimate(view, ESTIMATE_PLAIN(point, ns_per_access));
	view_number(view, least_ns);
	view_rounded(view, rounding_percent(least_ns / point->ns_per_access - 1));
}

static void add_curve(struct view *view, const struct fathom_curve *curve)
{
	const struct fathom_spec *spec = &curve->points[0].spec;
	view_gap(view);
	view_say(view, VIEW_PLAIN, "index array, a byte of each node of %s%s, ns per access:",
		 rounding_size(spec->node_bytes).text,
		 pattern_traits(spec->pattern)->keeps ? ", stored in a volatile variable" : "");
	VIEW_TABLE(view, COLUMN("size"), COLUMN("estimate"), COLUMN("least of 10 means"),
		   COLUMN("differs"));
	for (size_t i = 0; i < curve->point_count; i++)
		add_row(view, &curve->points[i]);
}

/* An access without and with a store. */
struct store_pair {
	struct estimate without, with;
	uint64_t size_bytes;
};

static bool is_exact(const struct store_pair *pair)
{
	const struct estimate *both[] = {&pair->without, &pair->with};
	for (size_t i = 0; i < 2; i++)
		if (!isfinite(both[i]->high - both[i]->low) || rounding_is_wide(*both[i]))
			return false;
	return true;
}

/* Of the smallest size that both know to a third: what memory takes is the least part there. */
static bool find_pair(const struct fathom_curve *without, const struct fathom_curve *with,
		      struct store_pair *pair)
{
	bool found = false;
	for (size_t i = 0; i < without->point_count; i++) {
		const struct fathom_point *a = &without->points[i];
		const struct fathom_point *b = point_at_size(with, a->spec.size_bytes);
		if (!b || a->spec.node_bytes != b->spec.node_bytes || !isfinite(a->ns_per_access) ||
		    !isfinite(b->ns_per_access))
			continue;
		const struct store_pair here = {ESTIMATE_PLAIN(a, ns_per_access),
						ESTIMATE_PLAIN(b, ns_per_access),
						a->spec.size_bytes};
		if (is_exact(&here)) {
			*pair = here;
			return true;
		}
		if (!found)
			*pair = here;
		found = true;
	}
	return found;
}

/* "8.1 % (7.4 to 8.8) more": of two whose intervals are apart. */
static void add_difference(const struct store_pair *pair, struct text *line)
{
	struct estimate times = estimate_over(pair->with, pair->without);
	bool more = times.value > 1;
	struct estimate percent =
		more ? (struct estimate){times.value - 1, times.low - 1, times.high - 1}
		     : (struct estimate){1 - times.value, 1 - times.high, 1 - times.low};
	text_add(line, "%s (%s) %s", rounding_percent(percent.value).text,
		 rounding_interval(estimate_times(percent, 100)).text, more ? "more" : "less");
}

static void add_store(struct view *view, const struct store_pair *pair)
{
	bool differ = pair->with.low > pair->without.high || pair->without.low > pair->with.high;
	struct text line = {0};
	text_add(&line,
		 "at %s an access takes %s ns, and %s ns with a store to a volatile variable: ",
		 rounding_size(pair->size_bytes).text, rounding_number(pair->without.value).text,
		 rounding_number(pair->with.value).text);
	if (!is_exact(pair))
		text_add(&line, "no size is known well enough to tell a difference");
	else if (differ)
		add_difference(pair, &line);
	else
		text_add(&line, "no difference beyond the intervals");
	view_take(view, VIEW_NOTE, &line);
}

void least_mean_view(struct view *view, const struct fathom_result *result)
{
	const struct fathom_curve *without = NULL, *with = NULL;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (!has_means(curve))
			continue;
		add_curve(view, curve);
		if (pattern_traits(curve->points[0].spec.pattern)->keeps)
			with = curve;
		else
			without = curve;
	}
	struct store_pair pair;
	if (with && without && find_pair(without, with, &pair))
		add_store(view, &pair);
	if (with || without)
		view_say(view, VIEW_NOTE,
			 "estimate: median over blocks, each without its disturbed batches; least "
			 "of 10 means: of ten blocks, with them, as simple benchmarks state it");
	view_gap(view);
}
