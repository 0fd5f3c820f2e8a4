/* What no measurement gives: a point that contradicts itself. */
#include <math.h>
#include <stddef.h>

#include "base/kernel_kind.h"
#include "base/patterns.h"
#include "base/point.h"
#include "document/read_curve.h"

#define ROUNDING 1e-6 /* of documents of 9 digits */
/* Batches that were rejected were slower, unless the clock was higher then: on no machine by this
 * factor. */
#define CLOCK_TIMES      10.0
#define LEAST_LINE_BYTES 16

/* What is measured of caches just made cold, or has another latency taken off it, may come out
 * below 0 by noise. */
static bool may_be_negative(const struct fathom_spec *spec)
{
	return pattern_traits(spec->pattern)->order == PATTERN_DRAWN ||
	       spec->warmth == FATHOM_COLD_FLUSHED || spec->warmth == FATHOM_COLD_MAPPED;
}

/* ---- a value and its interval ---- */

static double member(const struct fathom_point *point, size_t offset)
{
	return *(const double *)((const char *)point + offset);
}

#define QUANTITY(value, low, high)                                                                 \
	{                                                                                          \
#value, #high, offsetof(struct fathom_point, value),                               \
			offsetof(struct fathom_point, low), offsetof(struct fathom_point, high)    \
	}

/* NULL: the value is in its interval, or it has none. */
static const char *find_outside(double value, double low, double high)
{
	if (value < low)
		return "is below its lower bound";
	return value > high ? "is above its upper bound" : NULL;
}

static bool find_wrong_quantity(const struct fathom_curve *curve, const struct fathom_point *at,
				const char **name, const char **what)
{
	static const struct {
		const char *name, *high_name;
		size_t value, low, high;
	} quantities[] = {
		QUANTITY(latency_ns, latency_low_ns, latency_high_ns),
		QUANTITY(latency_cycles, latency_low_cycles, latency_high_cycles),
		QUANTITY(ns_per_access, low_ns_per_access, high_ns_per_access),
		QUANTITY(cycles_per_access, low_cycles_per_access, high_cycles_per_access),
		QUANTITY(bandwidth_bytes_per_second, bandwidth_low_bytes_per_second,
			 bandwidth_high_bytes_per_second),
	};
	for (size_t i = 0; i < sizeof(quantities) / sizeof(*quantities); i++) {
		double value = member(at, quantities[i].value);
		bool least = value < 0 || (value == 0 && !curve->relative_to_l1);
		if (least && !may_be_negative(&at->spec)) {
			*name = quantities[i].name;
			*what = "is not above 0";
			return true;
		}
		double low = member(at, quantities[i].low), high = member(at, quantities[i].high);
		if (low > high) {
			*name = quantities[i].high_name;
			*what = "is below the lower bound";
			return true;
		}
		*name = quantities[i].name;
		*what = find_outside(value, low, high);
		if (*what)
			return true;
	}
	return false;
}

#undef QUANTITY

/* ---- one field beside others ---- */

/* What overlaps has bounds of its own. */
static double half_width_ns(const struct fathom_point *at)
{
	return spec_overlaps(&at->spec) ? (at->high_ns_per_access - at->low_ns_per_access) / 2
					: (at->latency_high_ns - at->latency_low_ns) / 2;
}

static bool is_too_wide(const struct fathom_point *at)
{
	double most_ns = at->target * point_ns(at);
	return at->within_target && half_width_ns(at) > most_ns + ROUNDING * fabs(most_ns);
}

/* Other than the median of the blocks: that has as many of them above it as below. */
static bool is_no_median(const struct fathom_point *at)
{
	double value = point_ns(at);
	size_t below = 0, above = 0;
	for (size_t i = 0; i < at->block_count; i++) {
		double slack = ROUNDING * fabs(at->blocks_ns[i]);
		below += at->blocks_ns[i] < value - slack;
		above += at->blocks_ns[i] > value + slack;
	}
	return 2 * below > at->block_count || 2 * above > at->block_count;
}

static bool is_below_blocks(const struct fathom_point *at, double mean_ns)
{
	bool below = at->block_count > 0 && !may_be_negative(&at->spec);
	for (size_t i = 0; i < at->block_count; i++)
		below &= CLOCK_TIMES * mean_ns < at->blocks_ns[i];
	return below;
}

static bool is_mean_below_blocks(const struct fathom_point *at)
{
	return is_below_blocks(at, at->latency_mean_ns);
}

static bool is_access_mean_below_blocks(const struct fathom_point *at)
{
	return is_below_blocks(at, at->mean_ns_per_access);
}

static bool is_mean_negative(const struct fathom_point *at)
{
	return !may_be_negative(&at->spec) &&
	       (at->latency_mean_ns <= 0 || at->mean_ns_per_access <= 0);
}

/* On any machine pages are powers of two, and lines have LEAST_LINE_BYTES. */
static bool is_no_page(const struct fathom_point *at)
{
	return (at->page_bytes & (at->page_bytes - 1)) != 0;
}

static bool has_too_many_lines(const struct fathom_point *at)
{
	return at->lines_touched > at->spec.size_bytes / LEAST_LINE_BYTES + 1;
}

static bool is_nowhere(const struct fathom_point *at)
{
	return at->block_count && !at->placements;
}

static bool has_too_few_accesses(const struct fathom_point *at)
{
	return at->accesses && at->accesses < at->sample_count;
}

static bool is_not_watched(const struct fathom_point *at)
{
	return at->watched && at->watched < at->rejected[FATHOM_REJECTED_SIBLING];
}

/* Bytes that an access asks for, of all threads, over the time that it takes. */
static bool is_no_quotient(const struct fathom_point *at)
{
	const struct pattern_traits *traits = pattern_traits(at->spec.pattern);
	double bytes = KERNEL_LINE_BYTES * (traits->loads + traits->stores) * at->spec.threads;
	double made = at->bandwidth_bytes_per_second * at->ns_per_access * 1e-9;
	return pattern_streams(at->spec.pattern) && fabs(made - bytes) > ROUNDING * bytes;
}

static bool is_below(double value, double least)
{
	return value < least * (1 - ROUNDING);
}

static bool is_best_below(const struct fathom_point *at)
{
	return is_below(at->bandwidth_best_bytes_per_second, at->bandwidth_bytes_per_second);
}

static bool is_traffic_below(const struct fathom_point *at)
{
	return is_below(at->traffic_bytes_per_second, at->bandwidth_bytes_per_second);
}

static bool is_fastest_below(const struct fathom_point *at)
{
	return is_below(at->bandwidth_fastest_thread_bytes_per_second,
			at->bandwidth_slowest_thread_bytes_per_second);
}

static const struct {
	bool (*is_broken)(const struct fathom_point *at);
	const char *name, *what;
} rules[] = {
	{is_too_wide, "within_target", "is true, but the interval is wider than 'target'"},
	{is_no_median, "blocks_ns", "do not have the latency as their median"},
	{is_mean_below_blocks, "latency_mean_ns", "is below what any block took"},
	{is_access_mean_below_blocks, "mean_ns_per_access", "is below what any block took"},
	{is_mean_negative, "latency_mean_ns", "is not above 0"},
	{is_no_page, "page_bytes", "is not a power of two"},
	{has_too_many_lines, "lines_touched", "is more than 'size_bytes' has"},
	{is_nowhere, "placements", "is 0, but there are blocks"},
	{has_too_few_accesses, "accesses", "is less than 'samples'"},
	{is_not_watched, "watched", "is less than 'sibling' of 'rejected'"},
	{is_no_quotient, "bandwidth_bytes_per_second", "is not the bytes over 'ns_per_access'"},
	{is_best_below, "bandwidth_best_bytes_per_second", "is below the bandwidth"},
	{is_traffic_below, "traffic_bytes_per_second", "is below the bandwidth"},
	{is_fastest_below, "bandwidth_fastest_thread_bytes_per_second",
	 "is below that of the slowest thread"},
};

bool curve_find_wrong(const struct fathom_curve *curve, size_t point, const char **name,
		      const char **what)
{
	const struct fathom_point *at = &curve->points[point];
	if (find_wrong_quantity(curve, at, name, what))
		return true;
	for (size_t i = 0; !curve->tool && i < sizeof(rules) / sizeof(*rules); i++)
		if (rules[i].is_broken(at)) {
			*name = rules[i].name;
			*what = rules[i].what;
			return true;
		}
	return false;
}
