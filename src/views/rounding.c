#include "views/rounding.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define WIDE_SHARE  (1 / 3.0) /* of a value, that half its interval may be */
#define SKEWED      1.5       /* the longer side of an interval over the other */
#define END_PARTS   2.5       /* of an interval, one of which its ends are rounded to at most */
#define THIRD_DIGIT 0.05      /* of a value, that two digits may be off */
#define MOST_DIGITS 3         /* of the ends of an interval */
#define SMALL_RATIO 0.1

struct estimate estimate_times(struct estimate estimate, double factor)
{
	return (struct estimate){factor * estimate.value, factor * estimate.low,
				 factor * estimate.high};
}

struct estimate estimate_over(struct estimate above, struct estimate below)
{
	return (struct estimate){above.value / below.value, above.low / below.high,
				 above.high / below.low};
}

/* A text of printf's. */
static struct rounded made(const char *format, ...) __attribute__((format(printf, 1, 2)));
static struct rounded made(const char *format, ...)
{
	struct rounded text;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text.text, sizeof(text.text), format, arguments);
	va_end(arguments);
	return text;
}

static double away_to(double value, int digits, bool up)
{
	return units_away(value, pow(10, -digits), up);
}

struct rounded rounding_number(double value)
{
	struct rounded number;
	units_format_number(value, number.text);
	return number;
}

struct rounded rounding_small(double value)
{
	struct rounded ratio = rounding_number(value);
	if (value > 0 && value < SMALL_RATIO)
		snprintf(ratio.text, sizeof(ratio.text), "%.*f", 1 - (int)floor(log10(value)),
			 value);
	return ratio;
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
	struct rounded sizes;
	units_format_sizes(low_bytes, high_bytes, sizes.text);
	return sizes;
}

struct rounded rounding_size_of(struct estimate bytes)
{
	struct rounded size;
	units_format_known_size(bytes.value, bytes.low, bytes.high, size.text);
	return size;
}

struct rounded rounding_range(double low, double high)
{
	if (!isfinite(low) || !isfinite(high))
		return made("%s", "");
	return made("%.14s\u2013%.14s", rounding_number(low).text, rounding_number(high).text);
}

struct rounded rounding_logarithm(double value, bool difference)
{
	return isfinite(value) ? made(difference ? "%+.1f" : "%.1f", value) : made("-");
}

struct rounded rounding_probability(double probability)
{
	return isfinite(probability) ? made("%.2f", probability) : made("-");
}

struct rounded rounding_percent(double share)
{
	struct rounded percent;
	units_format_percent(share, percent.text);
	return percent;
}

static const struct time_unit {
	double ns;
	const char *name;
} time_units[] = {{1, "ns"}, {1e3, "\u00b5s"}, {1e6, "ms"}, {1e9, "s"}};

static const struct time_unit *time_unit_of(double ns)
{
	size_t i = 0;
	while (i + 1 < sizeof(time_units) / sizeof(*time_units) && ns >= 999.5 * time_units[i].ns)
		i++;
	return &time_units[i];
}

struct rounded rounding_time(double ns, bool quoted)
{
	const struct time_unit *unit = time_unit_of(ns);
	if (!isfinite(ns))
		return rounding_number(ns);
	if (quoted)
		return made("%g %s", ns / unit->ns, unit->name);
	return made("%.25s %s", rounding_number(ns / unit->ns).text, unit->name);
}

struct rounded rounding_ratio(double ratio)
{
	return isfinite(ratio) && ratio < 9.995 ? made("%.3f", ratio) : rounding_number(ratio);
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

/* Of 1027: 100. */
static double two_digit_step(double value)
{
	return value >= 100 ? pow(10, floor(log10(value)) - 1) : pow(10, -units_two_digits(value));
}

static struct rounded in_two_digits(double shown)
{
	return made("%.*f", shown > 0 ? units_two_digits(shown) : 0, shown);
}

struct rounded rounding_about(double value)
{
	double step = two_digit_step(value);
	return in_two_digits(value >= 100 ? round(value / step) * step : value);
}

/* In two digits, away from the value. */
static struct rounded about_end(double value, bool up)
{
	return in_two_digits(units_away(value, two_digit_step(value), up));
}

/* `sized`: what tells the decimals. */
static struct rounded half_of(struct estimate estimate, double sized)
{
	double half = (estimate.high - estimate.low) / 2;
	int digits = units_decimals(sized);
	if (digits == 0 && half < 0.95)
		digits = 1;
	return made("\u00b1%.*f", digits, half);
}

static bool is_known(struct estimate estimate)
{
	return isfinite(estimate.high - estimate.low) && isfinite(estimate.value);
}

/* Would half of it put an end elsewhere, by more than the last digit that is shown? */
static bool is_skewed(struct estimate estimate, double sized)
{
	double below = estimate.value - estimate.low, above = estimate.high - estimate.value;
	double digit = pow(10, -units_decimals(sized));
	return fmax(below, above) > SKEWED * fmin(below, above) && fabs(above - below) / 2 > digit;
}

/* As many decimals as tell a good part of the interval; of a large one -1 for tens, ... */
static int digits_of(struct estimate estimate, double sized)
{
	double part = (estimate.high - estimate.low) / END_PARTS;
	int most = units_decimals(sized) > 0 ? units_decimals(sized)
					     : MOST_DIGITS - 1 - (int)floor(log10(sized));
	int least = most < 0 ? most - 1 : 0;
	return (int)fmin(fmax(-floor(log10(part)), least), most);
}

static struct rounded ends_in(struct estimate estimate, int digits, const char *between)
{
	int decimals = digits > 0 ? digits : 0;
	return made("%.*f%s%.*f", decimals, away_to(estimate.low, digits, false), between, decimals,
		    away_to(estimate.high, digits, true));
}

static struct rounded ends_of(struct estimate estimate, double sized, const char *between)
{
	return ends_in(estimate, digits_of(estimate, sized), between);
}

static struct rounded range_of(struct estimate estimate, double sized)
{
	return estimate.low < 0 ? made("(%.25s)", ends_of(estimate, sized, " to ").text)
				: ends_of(estimate, sized, "\u2013");
}

static struct rounded half_or_ends(struct estimate estimate, double sized)
{
	return is_skewed(estimate, sized) ? range_of(estimate, sized) : half_of(estimate, sized);
}

static struct rounded wide_range(struct estimate estimate, const char *between)
{
	return made("%.12s%s%.12s", about_end(fmax(estimate.low, 0), false).text, between,
		    about_end(estimate.high, true).text);
}

struct rounded rounding_spread(struct estimate estimate)
{
	if (!is_known(estimate))
		return made("%s", "");
	if (!rounding_is_wide(estimate))
		return half_or_ends(estimate, estimate.value);
	return wide_range(estimate, "\u2013");
}

static bool has_third_digit(struct estimate estimate)
{
	return !((estimate.high - estimate.low) / 2 > THIRD_DIGIT * estimate.value);
}

struct rounded rounding_known(struct estimate estimate)
{
	if (!has_third_digit(estimate))
		return rounding_about(estimate.value);
	double step = pow(10, floor(log10(estimate.value)) - (MOST_DIGITS - 1));
	return rounding_number(estimate.value >= 1000 ? step * round(estimate.value / step)
						      : estimate.value);
}

struct rounded rounding_or_range(struct estimate estimate)
{
	bool range = is_known(estimate) && rounding_is_wide(estimate);
	return range ? wide_range(estimate, "\u2013") : rounding_number(estimate.value);
}

struct rounded rounding_time_or_range(struct estimate ns)
{
	const struct time_unit *unit = time_unit_of(ns.value);
	if (!isfinite(ns.value))
		return rounding_number(ns.value);
	return made("%.25s %s", rounding_or_range(estimate_times(ns, 1 / unit->ns)).text,
		    unit->name);
}

/* Of a count. */
static int whole_digits_of(struct estimate count)
{
	return is_known(count) ? (int)fmin(digits_of(count, count.value), 0) : 0;
}

struct rounded rounding_count(struct estimate count)
{
	double step = pow(10, -whole_digits_of(count));
	return rounding_is_wide(count) ? rounding_about(count.value)
				       : made("%.0f", step * round(count.value / step));
}

struct rounded rounding_count_range(struct estimate count)
{
	if (!is_known(count))
		return made("%s", "");
	return rounding_is_wide(count) ? wide_range(count, "\u2013")
				       : ends_in(count, whole_digits_of(count), "\u2013");
}

struct rounded rounding_interval(struct estimate estimate)
{
	if (!is_known(estimate))
		return made("%s", "");
	return rounding_is_wide(estimate) ? wide_range(estimate, " to ")
					  : ends_of(estimate, estimate.value, " to ");
}

struct rounded rounding_difference_interval(struct estimate estimate)
{
	double half = (estimate.high - estimate.low) / 2;
	return is_known(estimate) ? ends_of(estimate, fmax(fabs(estimate.value), half), " to ")
				  : made("%s", "");
}

struct rounded rounding_difference(struct estimate estimate)
{
	double half = (estimate.high - estimate.low) / 2;
	return is_known(estimate) ? half_or_ends(estimate, fmax(fabs(estimate.value), half))
				  : made("%s", "");
}
