/* Curves of known steps, fitted, and what must have been found of them. */
#ifndef LEVEL_CURVES_H
#define LEVEL_CURVES_H

#include <stdbool.h>
#include <stddef.h>

#include "curves.h"

/* 48 KiB at 1.5 ns, 2 MiB at 4.5, 12 MiB at 20, memory at 90. */
extern const struct known_step three_caches[3];
/* The second step is a TLB. */
extern const struct known_step with_tlb[3];

/* A curve of these. */
struct known_curve usual(void);
struct known_curve with_steps(const struct known_step *steps, size_t count);
/* A result of these curves, with its levels: release(). */
struct fathom_result fit(const struct known_curve *known, size_t count);
void release(struct fathom_result *result);
size_t count_kind(const struct fathom_result *result, enum fathom_level_kind kind);

void assert_near(double value, double truth, double share);
void assert_cache(const struct fathom_level *level, const char *name, double reach_bytes,
		  double latency_ns);
/* The first curve has three_caches. */
void assert_three(const struct fathom_result *result);

#endif
