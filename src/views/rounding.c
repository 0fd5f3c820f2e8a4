#include "views/rounding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define WIDE_SHARE (1 / 3.0) /* of a value, that half its interval may be */
#define LEAST_HALF 0.0005    /* in three decimals */

static int two_digits(double value)
{
	return value < 0.995 ? 2 : value < 9.95 ? 1 : 0;
}

struct rounded rounding_number(double value)
{
	struct rounded number;
	units_format_number(value, number.text);
	return number;
}

struct rounded rounding_size(uint64_t bytes)
{
	struct rounded size;
	units_format_size(bytes, size.text);
	return size;
}

struct rounded rounding_brief_size(uint64_t bytes)
{
	struct rounded size = rounding_size(bytes);
	char *unit = strchr(size.text, ' ');
	unit[0] = unit[1] == 'B' ? 0 : unit[1];
	unit[1] = 0;
	return size;
}

struct rounded rounding_sizes(double low_bytes, double high_bytes)
{
	struct rounded range;
	double whole = fmin(high_bytes, 0x1p64), high = whole;
	const char *unit = units_scale_size(&high);
	double low = fmin(fmax(low_bytes, 0) * (high / whole), high);
	snprintf(range.text, sizeof(range.text), "%.*f\u2013%.*f %s", two_digits(low), low,
		 two_digits(high), high, unit);
	return range;
}

struct rounded rounding_range(double low, double high)
{
	struct rounded range = {""};
	if (isfinite(low) && isfinite(high))
		snprintf(range.text, sizeof(range.text), "%.14s\u2013%.14s",
			 rounding_number(low).text, rounding_number(high).text);
	return range;
}

struct rounded rounding_logarithm(double value, bool difference)
{
	struct rounded logarithm = {"-"};
	if (isfinite(value))
		snprintf(logarithm.text, sizeof(logarithm.text), difference ? "%+.1f" : "%.1f",
			 value);
	return logarithm;
}

struct rounded rounding_probability(double probability)
{
	struct rounded rounded = {"-"};
	if (isfinite(probability))
		snprintf(rounded.text, sizeof(rounded.text), "%.2f", probability);
	return rounded;
}

struct rounded rounding_percent(double share)
{
	struct rounded percent;
	units_format_percent(share, percent.text);
	return percent;
}

struct rounded rounding_time(double ns, bool quoted)
{
	static const struct {
		double ns;
		const char *unit;
	} units[] = {{1, "ns"}, {1e3, "\u00b5s"}, {1e6, "ms"}, {1e9, "s"}};
	struct rounded time;
	size_t i = 0;
	if (!isfinite(ns))
		return rounding_number(ns);
	while (i + 1 < sizeof(units) / sizeof(*units) && ns >= 999.5 * units[i].ns)
		i++;
	struct rounded number = rounding_number(ns / units[i].ns);
	if (quoted)
		snprintf(number.text, sizeof(number.text), "%g", ns / units[i].ns);
	snprintf(time.text, sizeof(time.text), "%.25s %s", number.text, units[i].unit);
	return time;
}

struct rounded rounding_ratio(double ratio)
{
	struct rounded text;
	if (!isfinite(ratio) || ratio >= 9.995)
		return rounding_number(ratio);
	snprintf(text.text, sizeof(text.text), "%.3f", ratio);
	return text;
}

struct rounded rounding_overlap(double speedup, bool bound)
{
	struct rounded overlap;
	units_format_overlap(speedup, bound, overlap.text);
	return overlap;
}

bool rounding_is_wide(struct estimate estimate)
{
	return estimate.value > 0 && (estimate.low <= 0 || (estimate.high - estimate.low) / 2 >
								   WIDE_SHARE * estimate.value);
}

/* Of 1027: 1000. */
static double in_two_digits(double value)
{
	double step = value >= 100 ? pow(10, floor(log10(value)) - 1) : 0;
	return step > 0 ? round(value / step) * step : value;
}

struct rounded rounding_about(double value)
{
	struct rounded about;
	double shown = in_two_digits(value);
	snprintf(about.text, sizeof(about.text), "%.*f", shown > 0 ? two_digits(shown) : 0, shown);
	return about;
}

/* `sized`: what tells the decimals. */
static struct rounded half_of(struct estimate estimate, double sized)
{
	struct rounded spread;
	double half = (estimate.high - estimate.low) / 2;
	int digits = units_decimals(sized);
	if (digits == 0 && half < 0.95)
		digits = 1;
	if (digits > 2 && half < LEAST_HALF)
		digits = 0;
	snprintf(spread.text, sizeof(spread.text), "\u00b1%.*f", digits, half);
	return spread;
}

static bool is_known(struct estimate estimate)
{
	return isfinite(estimate.high - estimate.low) && isfinite(estimate.value);
}

struct rounded rounding_spread(struct estimate estimate)
{
	struct rounded spread;
	if (!is_known(estimate))
		return (struct rounded){""};
	if (!rounding_is_wide(estimate))
		return half_of(estimate, estimate.value);
	snprintf(spread.text, sizeof(spread.text), "%.12s\u2013%.12s",
		 rounding_about(fmax(estimate.low, 0)).text, rounding_about(estimate.high).text);
	return spread;
}

struct rounded rounding_difference(struct estimate estimate)
{
	double half = (estimate.high - estimate.low) / 2;
	return is_known(estimate) ? half_of(estimate, fmax(fabs(estimate.value), half))
				  : (struct rounded){""};
}
