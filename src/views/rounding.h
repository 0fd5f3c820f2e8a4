/* In how many digits a number is shown: base/units.h has the rule, and here is what an interval
 * makes of it. Texts come by value: `rounding_number(1.35).text` is there until the statement ends.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/units.h"

struct rounded {
	char text[UNITS_TEXT_BYTES];
};

/* A value and its 95 % interval; what is not finite is not known. */
struct estimate {
	double value, low, high;
};
#define ESTIMATE_UNKNOWN ((struct estimate){NAN, NAN, NAN})
/* Without an interval. */
#define ESTIMATE_ALONE(value) ((struct estimate){(value), NAN, NAN})
/* Of a struct with latency_ns, latency_low_ns and latency_high_ns: ESTIMATE(level, latency, _ns).
 */
#define ESTIMATE(of, name, unit)                                                                   \
	((struct estimate){(of)->name##unit, (of)->name##_low##unit, (of)->name##_high##unit})
/* Of one with ns, low_ns and high_ns: ESTIMATE_PLAIN(cost, ns). */
#define ESTIMATE_PLAIN(of, unit)                                                                   \
	((struct estimate){(of)->unit, (of)->low_##unit, (of)->high_##unit})
struct estimate estimate_times(struct estimate estimate, double factor);
/* How many times as much: the interval reaches from the least that both intervals leave to the
 * most.
 */
struct estimate estimate_over(struct estimate above, struct estimate below);

/* "1.35", "36.1", "265", "0.162", "-" for what is not known. */
struct rounded rounding_number(double value);
/* The same, but in two digits however small: "0.0013" instructions per cycle. */
struct rounded rounding_small(double value);
/* "48 KiB", "1.09 MiB". */
struct rounded rounding_size(uint64_t bytes);
/* "48K", "1.09M", "64". */
struct rounded rounding_brief_size(uint64_t bytes);
/* "1.8–2.1 MiB". Here and wherever an interval has fewer digits than its value, its ends are
 * rounded away from the value. */
struct rounded rounding_sizes(double low_bytes, double high_bytes);
/* The size, or where it is not known well that interval. */
struct rounded rounding_size_of(struct estimate bytes);
/* "1.33–1.37", "" where an end is not known. */
struct rounded rounding_range(double low, double high);
/* "-12.3": of a probability or a density; with its sign as a difference; "-" for what is not known.
 */
struct rounded rounding_logarithm(double value, bool difference);
/* "0.97": of a probability. */
struct rounded rounding_probability(double probability);
/* "34 %" of 0.34, "1.5 %": two digits. */
struct rounded rounding_percent(double share);
/* "1.39 ns", "12.5 µs"; what was `quoted` in the digits that it has: "0.5 ns". */
struct rounded rounding_time(double ns, bool quoted);
/* "1.013": of what is held against 1, which three digits would hide. */
struct rounded rounding_ratio(double ratio);
/* How many accesses overlap; of what is only a lower bound no more than was seen: "15.9" of 15.99.
 */
struct rounded rounding_overlap(double speedup, bool bound);

/* Does the 95 % interval reach 0, or over a third of the value to either side? Then it is shown as
 * a range, and the value as about so much. (Not of differences, which may be 0.) */
bool rounding_is_wide(struct estimate estimate);
/* "390" of 388: in two digits. */
struct rounded rounding_about(double value);
/* Of a ratio: in three digits, "1340" of 1339, or in two where its interval is wider than a third
 * digit. */
struct rounded rounding_known(struct estimate estimate);
/* In a cell that has no room for an interval: the value, or where that is wide the range in its
 * place: "28–101". */
struct rounded rounding_or_range(struct estimate estimate);
/* The same with its unit: "28–101 ns". */
struct rounded rounding_time_or_range(struct estimate ns);
/* "73" entries, and of 3620 that may be 3100 as well "3600". */
struct rounded rounding_count(struct estimate count);
/* "70–81", "3100–4300": to the same place. */
struct rounded rounding_count_range(struct estimate count);
/* "9.75 to 9.92": in a sentence, with the ends that a range in a table has; "" where there is none.
 */
struct rounded rounding_interval(struct estimate estimate);
/* The same of a difference. */
struct rounded rounding_difference_interval(struct estimate estimate);
/* Behind a value: half its interval, with as many decimals, or the range: where that is wide in two
 * digits ("60–440"), and where one side is much longer than the other ("4.0–6.0"); "" where there
 * is none. */
struct rounded rounding_spread(struct estimate estimate);
/* The same of a difference: a range only where one side is much longer than the other, and not "0"
 * for what is less than 1. */
struct rounded rounding_difference(struct estimate estimate);
