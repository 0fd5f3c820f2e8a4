/* Single accesses: percentiles, modes, and what share of them takes longer than what. */
#include <math.h>

#include "model/distribution/refresh.h"
#include "views/accesses/accesses.h"
#include "views/figure.h"
#include "views/rounding.h"

#define NS_A_US 1000.0
/* What so few do is told by how many there are to each of them. */
#define RARE 0.01

/* Of how many accesses one takes longer. */
static size_t one_in(double share)
{
	return (size_t)round(1 / (1 - share));
}

/* "half", "9 in 10", "999 in 1000". */
static void name_share(struct view *view, double share)
{
	size_t of = one_in(share);
	if (of <= 2)
		view_name(view, "half");
	else
		view_name(view, "%zu in %zu", of - 1, of);
}

static void add_quantiles(struct view *view, const struct fathom_distribution *distribution)
{
	VIEW_TABLE(view, COLUMN("accesses"), COLUMN("at most", "ns"));
	for (size_t i = 0; i < distribution->quantile_count; i++) {
		const struct fathom_quantile *one = &distribution->quantiles[i];
		view_row(view);
		if (one->share <= 0)
			view_name(view, "the fastest");
		else if (one->share >= 1)
			view_name(view, "all");
		else
			name_share(view, one->share);
		view_estimate(view, ESTIMATE(one, latency, _ns));
	}
	view_row(view);
	view_name(view, "mean");
	view_number(view, distribution->mean_ns);
	view_gap(view);
}

static const char *const causes[FATHOM_MODE_KIND_COUNT] = {
	[FATHOM_MODE_UNKNOWN] = "",
	[FATHOM_MODE_REFRESH] = "refresh of memory",
	[FATHOM_MODE_INTERRUPTION] = "interrupt, or the host",
	[FATHOM_MODE_CACHE] = "a cache",
	[FATHOM_MODE_MEMORY] = "memory",
	[FATHOM_MODE_TLB_MISS] = "memory, TLB miss",
	[FATHOM_MODE_ROW_HIT] = "memory, row hit",
	[FATHOM_MODE_ROW_MISS] = "memory, row miss",
};

static void add_modes(struct view *view, const struct fathom_distribution *distribution)
{
	double rest = 1;
	VIEW_TABLE(view, COLUMN("mode", "ns"), COLUMN("share"), COLUMN("from", "ns"),
		   COLUMN("to", "ns"), COLUMN("of"));
	for (size_t i = 0; i < distribution->mode_count; i++) {
		const struct fathom_mode *mode = &distribution->modes[i];
		rest -= mode->share;
		view_row(view);
		view_number(view, mode->latency_ns);
		view_rounded(view, rounding_percent(mode->share));
		view_number(view, mode->low_ns);
		view_number(view, mode->high_ns);
		view_name(view, "%s", mode->level ? mode->level : causes[mode->kind]);
	}
	view_say(
		view, VIEW_NOTE,
		"modes: latencies round which accesses gather; nine tenths of each lie between its "
		"ends; %s of the accesses are of none",
		rounding_percent(fmax(0, rest)).text);
	view_gap(view);
}

static void say_tail(struct view *view, const struct fathom_distribution *distribution)
{
	for (size_t i = 0; i < distribution->quantile_count; i++) {
		const struct fathom_quantile *one = &distribution->quantiles[i];
		if (one->share < 1 && 1 - one->share < 1.01 * RARE)
			view_say(view, VIEW_ITEM, "1 in %zu accesses takes longer than %s ns",
				 one_in(one->share), rounding_number(one->latency_ns).text);
	}
}

struct long_ones { /* that take longer than any refresh */
	size_t count;
	double ns; /* all together */
};

static struct long_ones find_long(const struct fathom_distribution *distribution)
{
	struct long_ones found = {0, 0};
	double from_ns = INFINITY;
	for (size_t i = 0; i < distribution->quantile_count; i++)
		if (distribution->quantiles[i].share >= 0.5 && isinf(from_ns))
			from_ns = distribution->quantiles[i].latency_ns + REFRESH_MOST_WAIT_NS;
	for (size_t i = 0; i < distribution->bin_count; i++) {
		const struct fathom_bin *bin = &distribution->bins[i];
		if (bin->low_ns < from_ns)
			continue;
		found.count += bin->accesses;
		found.ns += (double)bin->accesses * (bin->low_ns + bin->high_ns) / 2;
	}
	return found;
}

/* A cause is named where as much of it was counted as would make half of them. */
static void say_long(struct view *view, const struct fathom_distribution *distribution)
{
	struct long_ones found = find_long(distribution);
	struct text words = {0};
	double half = (double)found.count / 2;
	if (!found.count || !distribution->counter)
		return;
	text_add(&words, "%zu of them took over %s \u00b5s more than the median: ", found.count,
		 rounding_number(REFRESH_MOST_WAIT_NS / NS_A_US).text);
	if (distribution->switches >= half)
		text_add(&words, "the CPU was given to another thread %.0f times meanwhile",
			 distribution->switches);
	else if (distribution->stolen_ns >= found.ns * distribution->run_accesses / 2)
		text_add(&words, "the host took the CPU for %s meanwhile",
			 rounding_time(distribution->stolen_ns, false).text);
	else if (distribution->interrupts >= half)
		text_add(&words, "the CPU had %.0f interrupts meanwhile", distribution->interrupts);
	else
		text_add(&words, "nothing that the OS counts explains them");
	view_take(view, VIEW_ITEM, &words);
}

static void say_timing(struct view *view, const struct fathom_distribution *distribution)
{
	struct text words = {0};
	if (!distribution->counter)
		return;
	if (isfinite(distribution->chain_ns))
		text_add(&words, "of many timed at once each takes %s ns; ",
			 rounding_number(distribution->chain_ns).text);
	text_add(&words,
		 "timing takes %s \u00b1%s ns, which is taken off, and scatters by %s ns, which is "
		 "not",
		 rounding_number(distribution->timing_ns).text,
		 rounding_number((distribution->timing_high_ns - distribution->timing_low_ns) / 2)
			 .text,
		 rounding_number(distribution->timing_spread_ns).text);
	view_take(view, VIEW_NOTE, &words);
	if (distribution->run_accesses > 1)
		view_say(view, VIEW_NOTE,
			 "single accesses here are too short for that: %u were timed together, and "
			 "their mean stands for each",
			 distribution->run_accesses);
}

/* How far what the slowest take differs from slice to slice. */
static void say_slices(struct view *view, const struct fathom_distribution *distribution)
{
	const struct fathom_slice *least = NULL, *most = NULL;
	for (size_t i = 0; i < distribution->slice_count; i++) {
		const struct fathom_slice *slice = &distribution->slices[i];
		if (isnan(slice->p999_ns))
			continue;
		least = !least || slice->p999_ns < least->p999_ns ? slice : least;
		most = !most || slice->p999_ns > most->p999_ns ? slice : most;
	}
	if (!least || distribution->slice_count < 2)
		return;
	struct text words = {0};
	text_add(&words, "over the time, 999 in 1000 take at most %s ns (%s s after the start)",
		 rounding_number(least->p999_ns).text, rounding_number(least->start_s).text);
	text_add(&words, " to %s ns (%s s)", rounding_number(most->p999_ns).text,
		 rounding_number(most->start_s).text);
	view_take(view, VIEW_ITEM, &words);
}

static void say_refresh(struct view *view, const struct fathom_result *result,
			const struct fathom_distribution *distribution)
{
	if (result->curves[distribution->curve].warmth == FATHOM_UNTOUCHED)
		return; /* the kernel's work, of which memory is a small part */
	if (!distribution->refresh_looked_for) {
		view_say(
			view, VIEW_ITEM,
			"refresh of memory is not looked for: when each access began is not known");
		return;
	}
	if (isnan(distribution->refresh_period_ns)) {
		view_say(view, VIEW_ITEM,
			 "no refresh of memory is visible, with any period from 1.5 to 16 \u00b5s");
		return;
	}
	struct text words = {0};
	text_add(&words, "memory is refreshed each %s \u00b5s",
		 rounding_number(distribution->refresh_period_ns / NS_A_US).text);
	if (isfinite(distribution->refresh_share))
		text_add(&words, "; %s of the accesses wait for it",
			 rounding_percent(distribution->refresh_share).text);
	view_take(view, VIEW_ITEM, &words);
}
static void add_one(struct view *view, const struct fathom_result *result,
		    const struct fathom_distribution *one)
{
	struct text name = {0};
	bool control = accesses_is_control(result, one);
	view_gap(view);
	accesses_add_name(&name, result, one);
	text_add(&name, one->counter ? ": %zu accesses%s" : ": %zu%s", one->accesses,
		 control ? ", a control" : "");
	view_take(view, VIEW_PLAIN, &name);
	if (!control)
		add_quantiles(view, one);
	add_modes(view, one);
	if (!control) {
		say_timing(view, one);
		view_gap(view);
		say_tail(view, one);
		say_long(view, one);
		say_refresh(view, result, one);
		say_slices(view, one);
	}
	accesses_say_control(view, result, one);
}

void distribution_view(struct view *view, const struct fathom_result *result)
{
	if (!result->distribution_count)
		return;
	view_part(view, "distribution", "Single accesses");
	figure_add(view, result, (struct figure_wish){.kind = FIGURE_DISTRIBUTION});
	figure_add(view, result, (struct figure_wish){.kind = FIGURE_TAIL});
	figure_add(view, result, (struct figure_wish){.kind = FIGURE_SLICES});
	for (size_t i = 0; i < result->distribution_count; i++)
		add_one(view, result, &result->distributions[i]);
	view_gap(view);
}
