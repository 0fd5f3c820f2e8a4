#include "model/checks/quality.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/point.h"
#include "base/stats.h"
#include "base/text.h"
#include "base/warnings.h"

/* From which share on a result is but usable, and from which it is not to be quoted. */
struct threshold {
	double usable, unusable;
};
/* Of the samples. A block's value is its densest half: simulated storms of up to a fifth of all
 * samples changed none by 0.3 %, of a third some by 30 %. */
static const struct threshold disturbed = {QUALITY_DISTURBED_SHARE, 0.25};
/* What is rejected leaves no trace in a value; but where so much is, more goes unnoticed. */
static const struct threshold rejected = {QUALITY_REJECTED_SHARE, 0.5};
/* Of the samples during which that thread was watched. Of 40 sweeps of a guest the 13 with less had
 * L1 within 3 % and L2 within 8 %, of the 27 with more 13 had one of them more than 15 % off (`make
 * repeat`). */
static const struct threshold shared = {POINT_SHARED_SHARE, 0.65};
/* Of the blocks of the median point: what is slow for a while is slow at all sizes, a cliff or a
 * shared cache at some. The median over blocks bears fewer than half. */
static const struct threshold slow = {QUALITY_SLOW_SHARE, 0.3};
#define SLOW_TIMES 1.5
/* Of the points: that have too few blocks for an interval. */
static const struct threshold bare = {QUALITY_BARE_SHARE, 0.5};
/* Of the sizes well inside L1. What another guest does on the core's other thread slows a whole run
 * evenly, so that no interval shows it; but in a survey L1 rests on other curves besides. Of 45
 * documents of a Zen 4 guest 41 had no such size, 1 had less than a tenth, 3 had more. */
static const struct threshold late = {QUALITY_LATE_SHARE, 0.5};
#define LATE_TIMES   1.02 /* as far as an L1 may be from whole cycles (withhold.c) */
#define INSIDE_SHARE 0.5  /* of L1's size: far enough from its end that all of it hits */
/* Of the CPUs. With one of two busy L1 and L2 read as on an idle machine and memory up to 7 % off;
 * as many programs as CPUs leave 0.66. */
static const struct threshold busy = {QUALITY_BUSY_SHARE, 0.6};
/* A tenth is what cycles and ns of a point may differ by, a third makes a value a range. */
static const struct threshold clock_spread = {0.1, 1 / 3.0};
/* Of the levels, or where there are none of the points: of which the interval is wide. */
static const struct threshold wide = {0.1, 0.5};
#define WIDE_SHARE     (1 / 3.0) /* of a value, half of its interval */
#define NAMED_WITHHELD 2         /* of the first line, that tells which numbers are missing */

/* ---- conditions ---- */

/* Of points whose samples lie within 1 % of each other, where each can be told that does not: how
 * many of these; of all points the rejected ones; and of the batches during which the core's other
 * thread was watched, those that a program ran beside. */
static void find_shares(const struct fathom_result *result, double found[QUALITY_CONDITIONS])
{
	double rejections = 0, beside = 0, watched = 0, all = 0, off = 0, looked_at = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			const struct fathom_point *point = &result->curves[i].points[k];
			double count = 0;
			double by_sibling = (double)point->rejected[FATHOM_REJECTED_SIBLING];
			for (int reason = 0; reason < FATHOM_REJECTION_COUNT; reason++)
				count += (double)point->rejected[reason];
			rejections += count - by_sibling;
			beside += by_sibling;
			watched += (double)point->watched;
			count += (double)point->sample_count;
			all += count;
			if (point->estimator != FATHOM_ESTIMATOR_MODE ||
			    !isfinite(point->disturbed_share))
				continue;
			off += point->disturbed_share * count;
			looked_at += count;
		}
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].pair_count; k++) {
			rejections += result->curves[i].pairs[k].disturbed;
			all += result->curves[i].pairs[k].batches;
		}
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].load_count; k++) {
			const struct fathom_load *load = &result->curves[i].loads[k];
			rejections += load->disturbed;
			all += (double)load->block_count + load->disturbed;
		}
	found[QUALITY_REJECTED] = all > 0 ? rejections / all : NAN;
	found[QUALITY_SHARED] = watched > 0 ? beside / watched : NAN;
	found[QUALITY_DISTURBED] = looked_at > 0 ? off / looked_at : NAN;
}

static double slow_blocks(const struct fathom_point *point)
{
	double least_ns = INFINITY, count = 0;
	for (size_t i = 0; i < point->block_count; i++)
		least_ns = fmin(least_ns, point->blocks_ns[i]);
	for (size_t i = 0; i < point->block_count; i++)
		count += point->blocks_ns[i] >= SLOW_TIMES * least_ns;
	return least_ns > 0 && point->block_count ? count / (double)point->block_count : NAN;
}

static double find_bare(const struct fathom_result *result)
{
	double count = 0, all = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			const struct fathom_point *point = &result->curves[i].points[k];
			bool known = isfinite(point->latency_low_ns) ||
				     isfinite(point->low_ns_per_access);
			if (point->block_count == 0 || !isfinite(point_ns(point)))
				continue;
			all++;
			count += !known;
		}
	return all > 0 ? count / all : NAN;
}

/* NAN also where memory runs out: the other shares say what they can. */
static double find_slow(const struct fathom_result *result)
{
	size_t count = 0;
	double *shares = calloc(point_count_of(result) + 1, sizeof(*shares));
	for (size_t i = 0; shares && i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			double share = slow_blocks(&result->curves[i].points[k]);
			if (isfinite(share))
				shares[count++] = share;
		}
	double median = shares && count ? stats_median(shares, count) : NAN;
	free(shares);
	return median;
}

/* By more than its interval, in cycles where they are known: the clock may have been another. */
static bool is_late(const struct fathom_point *point, const struct fathom_level *level)
{
	bool cycles = isfinite(point->latency_low_cycles) && isfinite(level->latency_cycles);
	return cycles ? point->latency_low_cycles > LATE_TIMES * level->latency_cycles
		      : point->latency_low_ns > LATE_TIMES * level->latency_ns;
}

/* Of the first L1 that was measured here. */
static double find_late(const struct fathom_result *result)
{
	double count = 0, all = 0;
	for (size_t i = 0; i < result->level_count && all == 0; i++) {
		const struct fathom_level *level = &result->levels[i];
		const struct fathom_curve *curve = &result->curves[level->curve];
		if (curve->tool || level->kind != FATHOM_LEVEL_CACHE || !level->name ||
		    strcmp(level->name, "L1") != 0)
			continue;
		for (size_t k = 0; k < curve->point_count; k++) {
			const struct fathom_point *point = &curve->points[k];
			if (!((double)point->spec.size_bytes <= INSIDE_SHARE * level->size_bytes))
				continue;
			all++;
			count += is_late(point, level);
		}
	}
	return all > 0 ? count / all : NAN;
}

/* Over all curves of a CPU. */
static double clock_spread_on(const struct fathom_result *result, int cpu)
{
	double least_hz = NAN, most_hz = NAN;
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			if (result->curves[i].cpu != cpu)
				continue;
			least_hz = fmin(least_hz, result->curves[i].points[k].clock_hz);
			most_hz = fmax(most_hz, result->curves[i].points[k].clock_hz);
		}
	return most_hz / least_hz - 1;
}

/* Of runs at several clocks the clock is what differs, and kinds of core have each their own. */
static double find_clock_spread(const struct fathom_result *result)
{
	double most = fabs(result->clock_drift);
	for (size_t i = 0; i < result->curve_count && !result->clock_count; i++)
		most = fmax(most, clock_spread_on(result, result->curves[i].cpu));
	return most;
}

static const struct fathom_curve *first_curve(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->curve_count; i++)
		if (!result->curves[i].tool && result->curves[i].point_count)
			return &result->curves[i];
	return NULL;
}

/* Pairs of CPUs, loads, or single accesses, that fathom measured. */
static bool has_own_others(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->distribution_count; i++)
		if (result->distributions[i].counter)
			return true;
	for (size_t i = 0; i < result->curve_count; i++)
		if (!result->curves[i].tool &&
		    (result->curves[i].pair_count || result->curves[i].load_count))
			return true;
	return false;
}

void quality_find_conditions(const struct fathom_result *result, double found[QUALITY_CONDITIONS])
{
	const struct fathom_curve *first = first_curve(result);
	uint64_t page_bytes = first ? first->points[first->point_count - 1].page_bytes : 0;
	double cpus = result->machine ? result->machine->online_cpus : 0;
	find_shares(result, found);
	found[QUALITY_BUSY] = cpus > 0 ? result->busy_cpus / cpus : NAN;
	found[QUALITY_SLOW] = find_slow(result);
	found[QUALITY_BARE] = find_bare(result);
	found[QUALITY_LATE] = find_late(result);
	found[QUALITY_CLOCK] = find_clock_spread(result);
	found[QUALITY_PAGE] = page_bytes ? (double)page_bytes : NAN;
}

/* ---- intervals ---- */

struct tally {
	size_t known, wide;
};

/* Whether its interval is wide, of a value that is no difference. */
static void count_interval(struct tally *tally, double value, double low, double high)
{
	if (!(value > 0) || !isfinite(low) || !isfinite(high))
		return;
	tally->known++;
	tally->wide += low <= 0 || (high - low) / 2 > WIDE_SHARE * value;
}

static struct tally count_levels(const struct fathom_result *result)
{
	struct tally tally = {0};
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		if (!result->curves[level->curve].tool &&
		    (level->kind == FATHOM_LEVEL_CACHE || level->kind == FATHOM_LEVEL_MEMORY))
			count_interval(&tally, level->latency_ns, level->latency_low_ns,
				       level->latency_high_ns);
	}
	return tally;
}

static struct tally count_points(const struct fathom_result *result)
{
	struct tally tally = {0};
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			const struct fathom_point *at = &result->curves[i].points[k];
			if (result->curves[i].tool)
				continue;
			count_interval(&tally, at->latency_ns, at->latency_low_ns,
				       at->latency_high_ns);
			count_interval(&tally, at->ns_per_access, at->low_ns_per_access,
				       at->high_ns_per_access);
		}
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].pair_count; k++) {
			const struct fathom_pair *pair = &result->curves[i].pairs[k];
			if (!result->curves[i].tool)
				count_interval(&tally, pair->latency_ns, pair->latency_low_ns,
					       pair->latency_high_ns);
		}
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].load_count; k++) {
			const struct fathom_load *load = &result->curves[i].loads[k];
			if (!result->curves[i].tool)
				count_interval(&tally, load->latency_ns, load->latency_low_ns,
					       load->latency_high_ns);
		}
	return tally;
}

/* ---- reasons ---- */

struct reasons {
	struct text usable, unusable;
};

__attribute__((format(printf, 4, 5))) static void add_reason(struct reasons *reasons, double share,
							     struct threshold threshold,
							     const char *format, ...)
{
	if (!(share >= threshold.usable))
		return;
	struct text *text = share >= threshold.unusable ? &reasons->unusable : &reasons->usable;
	va_list arguments;
	text_add(text, "%s", text->length ? ", " : "");
	va_start(arguments, format);
	text_vadd(text, format, arguments);
	va_end(arguments);
}

static void add_conditions(const struct fathom_result *result, struct reasons *reasons)
{
	double found[QUALITY_CONDITIONS];
	quality_find_conditions(result, found);
	add_reason(reasons, found[QUALITY_DISTURBED], disturbed,
		   "%.0f %% of the samples were disturbed: 1 %% longer than most",
		   100 * found[QUALITY_DISTURBED]);
	add_reason(reasons, found[QUALITY_REJECTED], rejected,
		   "%.0f %% of the samples were rejected", 100 * found[QUALITY_REJECTED]);
	add_reason(reasons, found[QUALITY_SHARED], shared,
		   "a program ran on the other thread of the %score during %.0f %% of the samples "
		   "that watch for it",
		   result->machine && result->machine->hypervisor ? "host's " : "",
		   100 * found[QUALITY_SHARED]);
	add_reason(reasons, found[QUALITY_SLOW], slow,
		   "%.0f %% of the blocks took half again as long as the fastest or more",
		   100 * found[QUALITY_SLOW]);
	add_reason(reasons, found[QUALITY_BARE], bare, "%.0f %% of the points have no interval",
		   100 * found[QUALITY_BARE]);
	add_reason(reasons, found[QUALITY_LATE], late,
		   "%.0f %% of the sizes inside L1 took longer than L1 does, as when something "
		   "else uses the core",
		   100 * found[QUALITY_LATE]);
	add_reason(reasons, found[QUALITY_BUSY], busy, "other programs kept %.2g of %u CPUs busy",
		   result->busy_cpus, result->machine ? result->machine->online_cpus : 0);
	add_reason(reasons, found[QUALITY_CLOCK], clock_spread, "the core clock moved by %.0f %%",
		   100 * found[QUALITY_CLOCK]);
}

static void add_intervals(const struct fathom_result *result, struct reasons *reasons)
{
	struct tally tally = count_levels(result);
	bool levels = tally.known > 0;
	if (!levels)
		tally = count_points(result);
	if (tally.known)
		add_reason(reasons, (double)tally.wide / (double)tally.known, wide,
			   "%zu of %zu %s are known to no better than a third", tally.wide,
			   tally.known, levels ? "latencies of levels" : "values");
}

static bool is_one_of(const char *id, const char *const *ids, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(id, ids[i]) == 0)
			return true;
	return false;
}

static bool warns_of(const struct fathom_result *result, const char *const *ids, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (warnings_find(&result->warnings, ids[i]))
			return true;
	return false;
}

/* "numbers that contradict each other are withheld: L2, 16 MiB and 3 more" */
static void add_withheld(const struct fathom_result *result, struct reasons *reasons)
{
	static const char *const ids[] = {
		"one-lane-disturbed", "lanes-disturbed",   "parts-doubtful",    "cycles-doubtful",
		"contradiction",      "interval-doubtful", "large-pages-slower"};
	static const struct threshold any = {1, INFINITY};
	struct text where = {0};
	size_t found = 0, named = 0, more = 0;
	for (size_t i = 0; i < result->warnings.count; i++) {
		const struct fathom_warning *warning = &result->warnings.items[i];
		if (!is_one_of(warning->id, ids, sizeof(ids) / sizeof(*ids)))
			continue;
		found++;
		if (warning->where && named < NAMED_WITHHELD)
			text_add(&where, "%s%s", named++ ? ", " : ": ", warning->where);
		else
			more += warning->where != NULL;
	}
	if (more)
		text_add(&where, " and %zu more", more);
	add_reason(reasons, found > 0, any, "numbers that contradict each other are withheld%s",
		   where.data ? where.data : "");
	reasons->usable.failed |= where.failed;
	text_free(&where);
}

static void add_cuts(const struct fathom_result *result, struct reasons *reasons)
{
	static const char *const cut[] = {"stage-failed",     "stage-cut",        "points-left-out",
					  "points-lost",      "sizes-left-out",   "search-cut",
					  "levels-not-found", "control-left-out", "loads-cut",
					  "loads-disturbed",  "pairs-left-out"};
	static const char *const poor[] = {"fit-poor"};
	static const char *const moved[] = {"cpus-moved"};
	static const char *const drifted[] = {"pairs-drifted", "pairs-moved"};
	static const char *const lost[] = {"cpus-lost"};
	static const struct threshold any = {1, INFINITY};
	add_reason(reasons, result->interrupted, any, "it was interrupted");
	add_reason(reasons, warns_of(result, cut, sizeof(cut) / sizeof(*cut)), any,
		   "some of it was cut short");
	add_withheld(result, reasons);
	add_reason(reasons, warns_of(result, poor, sizeof(poor) / sizeof(*poor)), any,
		   "the levels miss many points");
	add_reason(reasons, warns_of(result, moved, 1), any,
		   "CPUs were moved, or disturbed, between two looks at the same pair");
	add_reason(reasons, warns_of(result, drifted, 2), any,
		   "lines between CPUs took longer in one part of the run than in another");
	add_reason(reasons, warns_of(result, lost, 1), any, "some CPUs were taken away");
}

int quality_find(struct fathom_result *result, struct fathom_error *error)
{
	struct reasons reasons = {0};
	enum fathom_quality quality = FATHOM_QUALITY_UNKNOWN;
	if (first_curve(result) || has_own_others(result)) {
		add_conditions(result, &reasons);
		add_intervals(result, &reasons);
		add_cuts(result, &reasons);
		quality = reasons.unusable.length ? FATHOM_QUALITY_DO_NOT_QUOTE
			  : reasons.usable.length ? FATHOM_QUALITY_USABLE
						  : FATHOM_QUALITY_GOOD;
	}
	bool failed = reasons.usable.failed || reasons.unusable.failed;
	char *reason = quality == FATHOM_QUALITY_DO_NOT_QUOTE ? text_take(&reasons.unusable)
		       : quality == FATHOM_QUALITY_USABLE     ? text_take(&reasons.usable)
							      : NULL;
	text_free(&reasons.usable);
	text_free(&reasons.unusable);
	if (failed || (quality > FATHOM_QUALITY_GOOD && !reason)) {
		free(reason);
		return error_no_memory(error);
	}
	free(result->quality_reason);
	result->quality_reason = reason;
	result->quality = quality;
	return 0;
}
