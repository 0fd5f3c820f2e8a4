#include "readers/read_units.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"

#define SIZE_HINT    "sizes are written like 48K, 1.5M or 65536; give their unit with --size-unit"
#define WHOLE_HINT   "give the unit of the sizes with --size-unit: " UNITS_OF_SIZES
#define VALUE_HINT   "latencies are written like 1.35; give their unit with --value-unit"
#define DECIMAL_HINT "write numbers with a decimal point and without separators: 1234.5"

double units_size(struct span name)
{
	static const char letters[] = "kmgtpe";
	static const char *const bytes[] = {"b", "byte", "bytes", NULL};
	static const char *const endings[] = {"", "b", "i", "ib", "byte", "bytes", "ibytes", NULL};
	static const char *const prefixes[][2] = {
		{"kilo", "kibi"}, {"mega", "mebi"}, {"giga", "gibi"}, {"tera", "tebi"}};
	if (span_is_any(name, bytes))
		return 1;
	for (int i = 0; i < 8; i++)
		if (span_starts(name, prefixes[i / 2][i % 2]) &&
		    span_is_any(span_after(name, 4), bytes + 1))
			return ldexp(1, 10 * (i / 2 + 1));
	const char *letter =
		name.length && *name.start ? strchr(letters, *name.start | 0x20) : NULL;
	if (!letter || !span_is_any(span_after(name, 1), endings))
		return 0;
	return ldexp(1, 10 * ((int)(letter - letters) + 1));
}

struct value_unit units_value(struct span name)
{
	static const struct {
		const char *const names[8];
		struct value_unit unit;
	} units[] = {
		{{"ns", "nsec", "nsecs", "nanosecond", "nanoseconds"}, {1, false}},
		{{"us", "usec", "usecs", "microsecond", "microseconds", "\xC2\xB5s", "\xCE\xBCs"},
		 {1e3, false}},
		{{"ms", "msec", "msecs", "millisecond", "milliseconds"}, {1e6, false}},
		{{"s", "sec", "secs", "second", "seconds"}, {1e9, false}},
		{{"ps", "psec", "picosecond", "picoseconds"}, {1e-3, false}},
		{{"cycles", "cycle", "cyc", "clk", "clks", "clock", "clocks"}, {1, true}},
	};
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (span_is_any(name, units[i].names))
			return units[i].unit;
	return (struct value_unit){0, false};
}

int units_of_input(const struct fathom_input *input, double *size_unit_bytes,
		   struct value_unit *value_unit, struct fathom_error *error)
{
	double size = input->size_unit ? units_size(span_of(input->size_unit)) : *size_unit_bytes;
	struct value_unit value =
		input->value_unit ? units_value(span_of(input->value_unit)) : *value_unit;
	if (input->size_unit && size == 0)
		return error_set(error, FATHOM_USAGE, "sizes are in " UNITS_OF_SIZES " (K = 1024)",
				 "'%s' is not a unit of sizes", input->size_unit);
	if (input->value_unit && value.scale == 0)
		return error_set(error, FATHOM_USAGE, "latencies are in " UNITS_OF_LATENCIES,
				 "'%s' is not a unit of latencies", input->value_unit);
	*size_unit_bytes = size;
	*value_unit = value;
	return 0;
}

bool units_is_missing(struct span cell)
{
	static const char *const words[] = {"",     "-",    "--",  "nan",      "na", "n/a",
					    "null", "none", "inf", "infinity", "?",  NULL};
	bool sign = cell.length > 1 && (*cell.start == '-' || *cell.start == '+');
	return span_is_any(cell, words) || (sign && span_is_any(span_after(cell, 1), words));
}

bool units_is_number(struct span cell)
{
	double value;
	size_t length = span_number(cell, &value);
	struct span unit = span_trim(span_after(cell, length));
	return length && (unit.length == 0 || units_size(unit) > 0 || units_value(unit).scale > 0);
}

static bool has_comma(struct span cell)
{
	return memchr(cell.start, ',', cell.length) != NULL;
}

static int refuse_number(struct span cell, size_t line, const char *what, const char *hint,
			 struct fathom_error *error)
{
	return span_refuse(cell, line, what, has_comma(cell) ? DECIMAL_HINT : hint, error);
}

int units_read_size(struct span cell, double unit_bytes, size_t line, uint64_t *bytes,
		    struct fathom_error *error)
{
	double value;
	size_t length = span_number(cell, &value);
	struct span unit = span_trim(span_after(cell, length));
	double scale = unit.length ? units_size(unit) : unit_bytes;
	if (!length || scale == 0)
		return refuse_number(cell, line, "is not a size", SIZE_HINT, error);
	value *= scale;
	if (value < 0)
		return span_refuse(cell, line, "is negative", SIZE_HINT, error);
	if (!(value < 0x1p63))
		return span_refuse(cell, line, "is too large for a size", SIZE_HINT, error);
	if (value > 0 && (value < 0.5 || (scale == 1 && value != floor(value))))
		return span_refuse(cell, line, "is not a whole number of bytes", WHOLE_HINT, error);
	*bytes = (uint64_t)llround(value);
	return 0;
}

int units_read_value(struct span cell, struct value_unit unit, size_t line, double *value,
		     struct fathom_error *error)
{
	double number;
	if (units_is_missing(cell)) {
		*value = NAN;
		return 0;
	}
	size_t length = span_number(cell, &number);
	struct span name = span_trim(span_after(cell, length));
	struct value_unit own = name.length ? units_value(name) : unit;
	if (!length || own.scale == 0)
		return refuse_number(cell, line, "is not a latency", VALUE_HINT, error);
	if (own.cycles != unit.cycles)
		return span_refuse(cell, line,
				   unit.cycles ? "is a time, but the curve is in cycles"
					       : "is in cycles, but the curve is in times",
				   "use one unit for each curve", error);
	*value = number * own.scale;
	return 0;
}
