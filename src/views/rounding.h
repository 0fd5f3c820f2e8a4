/* In how many digits a number is shown. */
#ifndef VIEWS_ROUNDING_H
#define VIEWS_ROUNDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/units.h"

/* "1.35", "36.1", "265", "-" for what is not known; with `most` 3 "0.162", with 2 "0.16". */
const char *rounding_number(double value, int most, char number[static UNITS_TEXT_BYTES]);
/* "48 KiB", "1.09 MiB": three digits, no zeros at the end. With `brief` "48K", "1.09M", "64". */
const char *rounding_size(uint64_t bytes, bool brief, char size[static UNITS_TEXT_BYTES]);
/* "1.8–2.1 MiB": two digits, the unit that of `high_bytes`. */
const char *rounding_sizes(double low_bytes, double high_bytes,
			   char range[static UNITS_TEXT_BYTES]);

/* Does the 95 % interval reach 0, or over a third of the value to either side? Then it is shown as
 * a range, and the value as about so much. (Not of differences, which may be 0.) */
bool rounding_is_wide(double value, double low, double high);
/* "390" of 388: in two digits. */
const char *rounding_about(double value, char about[static UNITS_TEXT_BYTES]);
/* Behind a value: half its interval, with as many decimals, or where that is wide the range
 * ("60–440", in two digits); "" where there is none. */
const char *rounding_spread(double value, double low, double high,
			    char spread[static UNITS_TEXT_BYTES]);
/* The same of a difference: never a range, and not "0" for what is less than 1. */
const char *rounding_difference(double value, double low, double high,
				char spread[static UNITS_TEXT_BYTES]);
/* "1.39 ns", "12.5 µs"; what was `quoted` in the digits that it has. */
const char *rounding_time(double ns, bool quoted, char time[static UNITS_TEXT_BYTES]);

#endif
