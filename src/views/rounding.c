#include "views/rounding.h"

#include <math.h>
#include <stdio.h>

#define WIDE_SHARE  (1 / 3.0) /* of a value, that half its interval may be */
#define LEAST_SHOWN 0.005     /* what is less is 0, not -0 */

/* Three digits, and no more than `most` decimals: two or three. */
static int decimals(double value, int most)
{
	double size = fabs(value);
	if (most > 2 && size < 0.9995)
		return 3;
	return size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
}

static int two_digits(double value)
{
	return value < 0.995 ? 2 : value < 9.95 ? 1 : 0;
}

const char *rounding_number(double value, int most, char number[static UNITS_TEXT_BYTES])
{
	if (isfinite(value))
		snprintf(number, UNITS_TEXT_BYTES, "%.*f", decimals(value, most),
			 most == 2 && fabs(value) < LEAST_SHOWN ? 0 : value);
	else
		snprintf(number, UNITS_TEXT_BYTES, "-");
	return number;
}

static const char *const unit_names[] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
#define UNIT_COUNT (sizeof(unit_names) / sizeof(*unit_names))

/* Scales *value to the unit that shows it with three digits. */
static size_t find_unit(double *value)
{
	size_t unit = 0;
	for (; *value >= 999.5 && unit + 1 < UNIT_COUNT; unit++)
		*value /= 1024;
	return unit;
}

const char *rounding_size(uint64_t bytes, bool brief, char size[static UNITS_TEXT_BYTES])
{
	static const char *const letters[] = {"", "K", "M", "G", "T", "P", "E"};
	double value = (double)bytes;
	size_t unit = find_unit(&value);
	int digits = decimals(value, 2);
	int length = snprintf(size, UNITS_TEXT_BYTES, "%.*f", digits, value);
	while (digits && size[length - 1] == '0')
		length--;
	if (digits && size[length - 1] == '.')
		length--;
	snprintf(size + length, UNITS_TEXT_BYTES - (size_t)length, "%s",
		 brief ? letters[unit] : unit_names[unit]);
	return size;
}

const char *rounding_sizes(double low_bytes, double high_bytes, char range[static UNITS_TEXT_BYTES])
{
	double high = fmin(high_bytes, 0x1p64);
	size_t unit = find_unit(&high);
	double low = fmin(fmax(low_bytes, 0) / exp2(10.0 * (double)unit), high);
	snprintf(range, UNITS_TEXT_BYTES, "%.*f\u2013%.*f%s", two_digits(low), low,
		 two_digits(high), high, unit_names[unit]);
	return range;
}

bool rounding_is_wide(double value, double low, double high)
{
	return value > 0 && (low <= 0 || (high - low) / 2 > WIDE_SHARE * value);
}

/* Of 1027: 1000. */
static double in_two_digits(double value)
{
	double step = value >= 100 ? pow(10, floor(log10(value)) - 1) : 0;
	return step > 0 ? round(value / step) * step : value;
}

const char *rounding_about(double value, char about[static UNITS_TEXT_BYTES])
{
	double shown = in_two_digits(value);
	snprintf(about, UNITS_TEXT_BYTES, "%.*f", shown > 0 ? two_digits(shown) : 0, shown);
	return about;
}

/* `sized`: what tells the decimals. */
static void put_half(double sized, double half, char *spread)
{
	int digits = decimals(sized, 2);
	snprintf(spread, UNITS_TEXT_BYTES, "\u00b1%.*f", digits == 0 && half < 0.95 ? 1 : digits,
		 half);
}

const char *rounding_spread(double value, double low, double high,
			    char spread[static UNITS_TEXT_BYTES])
{
	double least = in_two_digits(fmax(low, 0)), most = in_two_digits(high);
	*spread = 0;
	if (!isfinite(high - low) || !isfinite(value))
		return spread;
	if (rounding_is_wide(value, low, high))
		snprintf(spread, UNITS_TEXT_BYTES, "%.*f\u2013%.*f",
			 least > 0 ? two_digits(least) : 0, least, two_digits(most), most);
	else
		put_half(value, (high - low) / 2, spread);
	return spread;
}

const char *rounding_difference(double value, double low, double high,
				char spread[static UNITS_TEXT_BYTES])
{
	double half = (high - low) / 2;
	*spread = 0;
	if (isfinite(half) && isfinite(value))
		put_half(fmax(fabs(value), half), half, spread);
	return spread;
}

const char *rounding_time(double ns, bool quoted, char time[static UNITS_TEXT_BYTES])
{
	static const struct {
		double ns;
		const char *unit;
	} units[] = {{1, "ns"}, {1e3, "\u00b5s"}, {1e6, "ms"}, {1e9, "s"}};
	char number[UNITS_TEXT_BYTES];
	size_t i = 0;
	if (!isfinite(ns))
		return rounding_number(ns, 2, time);
	while (i + 1 < sizeof(units) / sizeof(*units) && ns >= 999.5 * units[i].ns)
		i++;
	if (quoted)
		snprintf(time, UNITS_TEXT_BYTES, "%g %s", ns / units[i].ns, units[i].unit);
	else
		snprintf(time, UNITS_TEXT_BYTES, "%.25s %s",
			 units_format_number(ns / units[i].ns, number), units[i].unit);
	return time;
}
