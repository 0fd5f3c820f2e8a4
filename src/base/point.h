/* What one point says of itself, and what its lists own. */
#pragma once

#include "fathom.h"

/* As slow as the loop alone, or nearly: times the floor. */
#define POINT_NEAR_FLOOR 1.15
/* Of the samples that were watched, beside a program on the core's other thread: from here on they
 * are not to be trusted. docs/method.md has where it is from. */
#define POINT_SHARED_SHARE 0.5

/* The time of an access, of whatever kind: its latency, or its part of many that overlap. */
double point_ns(const struct fathom_point *point);
/* Of several lanes: does the loop take what the access takes? False where that is not known. */
bool point_at_floor(const struct fathom_point *point);

/* The first of that size; NULL: none. */
const struct fathom_point *point_at_size(const struct fathom_curve *curve, uint64_t size_bytes);
/* The line that the OS reports of the data caches, the nearest first; 0: none. `machine` may be
 * NULL. */
uint64_t line_bytes_reported(const struct fathom_machine *machine);
/* Of a cache line, as measured or else as the OS says; 0: neither. */
uint64_t line_bytes_known(const struct fathom_result *result);
/* The same; where it is not known, of most machines. */
double line_bytes_likely(const struct fathom_result *result);
/* Are its predictions those that a survey makes by itself: of lookups among ten million keys, none
 * of them run? Or has it none? */
#define PREDICTIONS_USUAL_KEYS 10000000
extern const char *const predictions_usual[]; /* structures, ended by NULL */
bool predictions_are_usual(const struct fathom_result *result);
/* Has it latencies under load alone? */
bool result_is_of_loads(const struct fathom_result *result);
/* Single accesses, or what was found of them? */
bool result_has_accesses(const struct fathom_result *result);
/* How many points, pairs of CPUs and loads all curves have. */
size_t point_count_of(const struct fathom_result *result);
#define PAIRS_ALL_CPUS 64 /* so many CPUs have few enough pairs to measure all of them */

/* Is the pair one of those that the classes are of: alike in home and hand-over with the curve's
 * first? */
bool pair_is_main(const struct fathom_curve *curve, const struct fathom_pair *pair);
/* How many are. */
size_t pair_count_main(const struct fathom_curve *curve);
/* What they hold, and the list. Accepts NULL. */
void counts_free(struct fathom_count *counts, size_t count);
