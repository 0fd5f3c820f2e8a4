#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

#define SIZE_HINT      "sizes are written like 48K, 1.5M or 2GiB (K = 1024)"
#define FREQUENCY_HINT "frequencies are written like 3.6G or 3600M"
#define DURATION_HINT  "durations are written like 20s, 500ms or 2m"

#define LEAST_SHOWN 0.0005 /* by that rule */
#define EXACT       1e-9   /* of the last digit: what binary fractions are off */
#define WIDE_SIZE   1.2    /* both ends of its interval over each other */

const char *units_parse_decimal(const char *text, double *value)
{
	double whole = 0, scale = 1;
	const char *at = text;
	for (; isdigit((unsigned char)*at); at++)
		whole = whole * 10 + (*at - '0');
	const char *digits_end = at;
	if (*at == '.')
		for (at++; isdigit((unsigned char)*at); at++) {
			whole = whole * 10 + (*at - '0');
			scale *= 10;
		}
	if (at == text || (digits_end == text && at == text + 1))
		return NULL;
	if (!isfinite(whole) || !isfinite(scale))
		return NULL; /* hundreds of digits */
	*value = whole / scale;
	return at;
}

/* The power of 1024 that a unit stands for, -1: none. */
static int binary_exponent(const char *unit)
{
	static const char letters[] = "kmgtpe";
	if (*unit == 0 || strcasecmp(unit, "b") == 0)
		return 0;
	const char *letter = strchr(letters, tolower((unsigned char)*unit));
	if (!letter)
		return -1;
	const char *rest = unit + 1;
	if (*rest && strcasecmp(rest, "b") != 0 && strcasecmp(rest, "i") != 0 &&
	    strcasecmp(rest, "ib") != 0)
		return -1;
	return (int)(letter - letters) + 1;
}

int units_parse_size(const char *text, uint64_t *bytes, struct fathom_error *error)
{
	double value;
	const char *unit = units_parse_decimal(text, &value);
	int exponent = unit ? binary_exponent(*unit == ' ' ? unit + 1 : unit) : -1;
	if (exponent < 0)
		return error_set(error, FATHOM_USAGE, SIZE_HINT, "'%s' is not a size", text);
	value = ldexp(value, 10 * exponent);
	if (value == 0)
		return error_set(error, FATHOM_USAGE, SIZE_HINT, "size '%s' must be more than 0",
				 text);
	if (value >= 0x1p63)
		return error_set(error, FATHOM_USAGE, SIZE_HINT, "size '%s' is too large", text);
	/* 1.3M is no whole number of bytes, and nobody minds: the nearest one is meant. A whole
	 * number is exact, also where a double is not. */
	uint64_t rounded = strchr(text, '.')
				   ? (uint64_t)llround(value)
				   : (uint64_t)strtoull(text, NULL, 10) << (10 * exponent);
	if (rounded == 0)
		return error_set(error, FATHOM_USAGE, SIZE_HINT, "size '%s' is less than a byte",
				 text);
	*bytes = rounded;
	return 0;
}

int units_parse_duration(const char *text, double *seconds, struct fathom_error *error)
{
	static const struct {
		const char *unit;
		double seconds;
	} units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"min", 60}, {"h", 3600}};
	double value;
	const char *unit = units_parse_decimal(text, &value);
	for (size_t i = 0; unit && i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(unit, units[i].unit) != 0)
			continue;
		value *= units[i].seconds;
		if (!(value > 0 && value <= 1e7))
			return error_set(error, FATHOM_USAGE, DURATION_HINT,
					 "duration '%s' is out of range", text);
		*seconds = value;
		return 0;
	}
	return error_set(error, FATHOM_USAGE, DURATION_HINT, "'%s' is not a duration", text);
}

int units_parse_share(const char *text, double *share, struct fathom_error *error)
{
	double value;
	const char *unit = units_parse_decimal(text, &value);
	bool percent = unit && strcmp(unit, "%") == 0;
	if (!unit || (*unit && !percent) || !(value > 0) || !(value < (percent ? 100 : 1)))
		return error_set(error, FATHOM_USAGE, "shares are written like 1% or 0.01",
				 "'%s' is not a share between 0 and 1", text);
	*share = percent ? value / 100 : value;
	return 0;
}

int units_parse_frequency(const char *text, double *hz, struct fathom_error *error)
{
	double value;
	const char *unit = units_parse_decimal(text, &value);
	bool known = unit && (*unit == 'M' || *unit == 'G');
	if (!known || (unit[1] && strcmp(unit + 1, "Hz") != 0) || !(value > 0))
		return error_set(error, FATHOM_USAGE, FREQUENCY_HINT, "'%s' is not a frequency",
				 text);
	*hz = value * (*unit == 'M' ? 1e6 : 1e9);
	return 0;
}

int units_parse_integer(const char *text, int64_t low, int64_t high, int64_t *value,
			struct fathom_error *error)
{
	char *end;
	errno = 0;
	long long number = strtoll(text, &end, 10);
	bool plain =
		isdigit((unsigned char)*text) || (*text == '-' && isdigit((unsigned char)text[1]));
	if (!plain || *end)
		return error_set(error, FATHOM_USAGE, NULL, "'%s' is not a whole number", text);
	if (errno == ERANGE || number < low || number > high)
		return error_set(error, FATHOM_USAGE, NULL, "'%s' is not between %lld and %lld",
				 text, (long long)low, (long long)high);
	*value = number;
	return 0;
}

int units_decimals(double value)
{
	double size = fabs(value);
	return size < 0.9995 ? 3 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
}

int units_two_digits(double value)
{
	return value < 0.995 ? 2 : value < 9.95 ? 1 : 0;
}

double units_away(double value, double step, bool up)
{
	double steps = value / step, nearest = round(steps);
	if (fabs(steps - nearest) <= EXACT * fmax(1, fabs(steps)))
		return nearest * step;
	return (up ? ceil(steps) : floor(steps)) * step;
}

const char *units_format_number(double value, char text[static UNITS_TEXT_BYTES])
{
	if (!isfinite(value))
		snprintf(text, UNITS_TEXT_BYTES, "-");
	else if (fabs(value) < LEAST_SHOWN)
		snprintf(text, UNITS_TEXT_BYTES, "0");
	else if (fabs(value) >= 1e6)
		snprintf(text, UNITS_TEXT_BYTES, "%.3g", value);
	else
		snprintf(text, UNITS_TEXT_BYTES, "%.*f", units_decimals(value), value);
	return text;
}

/* "1.5" of "1.50", "1" of "1.00". Returns the length. */
static size_t drop_zeros(char *text)
{
	size_t length = strlen(text);
	while (strchr(text, '.') && (text[length - 1] == '0' || text[length - 1] == '.'))
		text[--length] = 0;
	return length;
}

const char *units_scale_size(double *bytes)
{
	static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	size_t unit = 0;
	for (; *bytes >= 999.5 && unit + 1 < sizeof(names) / sizeof(*names); unit++)
		*bytes /= 1024;
	return names[unit];
}

const char *units_format_size(uint64_t bytes, char text[static UNITS_TEXT_BYTES])
{
	double value = (double)bytes;
	const char *unit = units_scale_size(&value);
	units_format_number(value, text);
	size_t length = drop_zeros(text);
	snprintf(text + length, UNITS_TEXT_BYTES - length, " %s", unit);
	return text;
}

bool units_size_is_wide(double low_bytes, double high_bytes)
{
	return high_bytes > WIDE_SIZE * low_bytes;
}

const char *units_format_sizes(double low_bytes, double high_bytes,
			       char text[static UNITS_TEXT_BYTES])
{
	double whole = fmin(high_bytes, 0x1p64), high = whole;
	const char *unit = units_scale_size(&high);
	double low = fmin(fmax(low_bytes, 0) * (high / whole), high);
	int below = units_two_digits(low), above = units_two_digits(high);
	snprintf(text, UNITS_TEXT_BYTES, "%.*f\u2013%.*f %s", below,
		 units_away(low, pow(10, -below), false), above,
		 units_away(high, pow(10, -above), true), unit);
	return text;
}

const char *units_format_known_size(double bytes, double low_bytes, double high_bytes,
				    char text[static UNITS_TEXT_BYTES])
{
	return units_size_is_wide(low_bytes, high_bytes)
		       ? units_format_sizes(low_bytes, high_bytes, text)
		       : units_format_size((uint64_t)llround(bytes), text);
}

const char *units_format_percent(double share, char text[static UNITS_TEXT_BYTES])
{
	double value = 100 * share, size = fabs(value);
	if (!isfinite(value) || size >= 1e6)
		return units_format_number(value, text);
	if (size < 0.005)
		value = 0; /* not -0 */
	snprintf(text, UNITS_TEXT_BYTES, "%.*f", size < 0.995 ? 2 : size < 9.95 ? 1 : 0, value);
	size_t length = drop_zeros(text);
	snprintf(text + length, UNITS_TEXT_BYTES - length, " %%");
	return text;
}

const char *units_format_size_exact(uint64_t bytes, char text[static UNITS_TEXT_BYTES])
{
	static const char letters[] = "KMGTPE";
	int exponent = 0;
	while (exponent < 6 && bytes >= 1024 && bytes % 1024 == 0) {
		bytes /= 1024;
		exponent++;
	}
	if (exponent)
		snprintf(text, UNITS_TEXT_BYTES, "%llu%c", (unsigned long long)bytes,
			 letters[exponent - 1]);
	else
		snprintf(text, UNITS_TEXT_BYTES, "%llu", (unsigned long long)bytes);
	return text;
}

const char *units_format_overlap(double speedup, bool bound, char text[static UNITS_TEXT_BYTES])
{
	double steps = speedup < 9.995 ? 100 : 10;
	return units_format_number(bound ? floor(steps * speedup) / steps : speedup, text);
}
