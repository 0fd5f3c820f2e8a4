/* Numbers with units, to text and back. Parse is the inverse of format. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "fathom.h"

/* "48K", "1.5M", "2GiB", "64" (bytes), "4kB"; K = 1024, case does not matter. More than 0 and a
 * whole number of bytes. Errors: USAGE, the text quoted. */
int units_parse_size(const char *text, uint64_t *bytes, struct fathom_error *error);
/* "20s", "500ms", "1.5m" (minutes), "2h", plain numbers are seconds. More than 0. */
int units_parse_duration(const char *text, double *seconds, struct fathom_error *error);
/* "3.6G", "3600M", "4.1GHz". More than 0. */
int units_parse_frequency(const char *text, double *hz, struct fathom_error *error);
/* "1%" or "0.01" to 0.01. In (0, 1). */
int units_parse_share(const char *text, double *share, struct fathom_error *error);
/* A whole decimal number in [low, high]. */
int units_parse_integer(const char *text, int64_t low, int64_t high, int64_t *value,
			struct fathom_error *error);

/* The units that files of other tools may have, for help and hints; other spellings of them are
 * taken too ("KiB", "usec"). */
#define UNITS_OF_SIZES     "B, K, M, G, T, P or E"
#define UNITS_OF_LATENCIES "ps, ns, us, ms, s or cycles"

/* The plain decimal number ("16", "1.5", ".5") that `text` starts with, and what follows it; NULL:
 * none. strtod would follow the locale and take hexadecimal, "nan" and blanks. */
const char *units_parse_decimal(const char *text, double *value);

/* Enough for each of the formats below, the zero included. */
#define UNITS_TEXT_BYTES 32
/* The one rule of digits for whatever a person reads: three, and no more than three decimals. */
int units_decimals(double value);
/* The decimals that leave it two digits. */
int units_two_digits(double value);
/* An end of an interval in whole steps, never inside of it: a value next to it shall not lie
 * outside what is shown. */
double units_away(double value, double step, bool up);
/* "1.35", "36.1", "265", "0.162": by that rule, never an exponent below 10^6. "-" for what is not
 * finite. */
const char *units_format_number(double value, char text[static UNITS_TEXT_BYTES]);
/* "48 KiB", "1.09 MiB", "10 B": by the same rule, without zeros at the end. */
const char *units_format_size(uint64_t bytes, char text[static UNITS_TEXT_BYTES]);
/* "1.8–2.1 MiB": two digits, the unit that of `high_bytes`. */
const char *units_format_sizes(double low_bytes, double high_bytes,
			       char text[static UNITS_TEXT_BYTES]);
/* Is a size that lies there known so badly that its interval is shown in its place? */
bool units_size_is_wide(double low_bytes, double high_bytes);
/* The size, or that interval. */
const char *units_format_known_size(double bytes, double low_bytes, double high_bytes,
				    char text[static UNITS_TEXT_BYTES]);
/* Scales *bytes to the unit that shows it by the rule, and names that: "KiB". */
const char *units_scale_size(double *bytes);
/* "34 %" of 0.34, "1.5 %", "0.25 %": two digits, without zeros at the end. */
const char *units_format_percent(double share, char text[static UNITS_TEXT_BYTES]);
/* "48K", "1.5M", "12345": exact, units_parse_size gives the same number back. */
const char *units_format_size_exact(uint64_t bytes, char text[static UNITS_TEXT_BYTES]);
/* How many accesses overlap: "4.46", "13.7"; of what is only a lower bound no more than was seen:
 * "15.9" of 15.99. "-" for NAN. */
const char *units_format_overlap(double speedup, bool bound, char text[static UNITS_TEXT_BYTES]);
