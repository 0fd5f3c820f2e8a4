/* What share of the accesses a cache answers, by how large the set of lines is that they go to. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum hit_law {
	HIT_CYCLE_LRU,       /* S: a fixed cycle; LRU, PLRU, static RRIP */
	HIT_CYCLE_RANDOM,    /* R: a fixed cycle; random replacement */
	HIT_CYCLE_RESISTANT, /* T: a fixed cycle; insertion that keeps a part of it */
	HIT_LAPS_LRU,        /* M: a new order each lap; LRU */
	HIT_INDEPENDENT,     /* I: independent uniform accesses, any replacement */
	HIT_SHARED_LINE,     /* K: a fixed cycle, several nodes in a line; LRU */
	HIT_CO_TENANTS, /* C: independent accesses, and others fill the cache anew all the time */
	HIT_LAW_COUNT
};

struct hit_shape {
	enum hit_law law;
	bool scattered;      /* pages lie at random over the sets (P for a cycle under LRU) */
	double ways;         /* lines of a set, a whole number from 1 on */
	double nodes_a_line; /* HIT_SHARED_LINE: >= 1 */
	double colors;       /* scattered: pages that one way has room for; 0: very many */
};

/* Sets that hold more lines are taken as holding that many. */
#define HIT_LINES_MOST 1e6

/* The share of hits, 0..1, where the accesses go to x times as many lines as the cache has; x > 0.
 * Falls (never rises) with x. Each law says how a set of A ways answers that holds n lines:
 * all where n <= A, else
 *   S  0                                 R  S2(n-1, A-1) / S2(n, A), Stirling numbers of the
 *                                           second kind
 *   T  (A-1)/n                           M  1 - (1 - A/n)(1 + 1/(n-A+1) + ... + 1/n)
 *   I  A/n                               K  1 - G(n-A+p) G(n) / (G(n-A) G(n+p)), p = (K-1)/K,
 *                                           G the gamma function
 *   C  1 - exp(-1/x) of all sets alike, x being over the longest cycle that is kept (hit_law.c)
 * In a cache of many ways, with x = n/A: R h = exp(-x (1-h)), M 1 - a + a ln a with a = 1 - 1/x,
 * K 1 - (1-1/x)^p. Derivations in hit_law.c. Even placement: all sets hold A x lines, or the
 * whole numbers next to it. Scattered: the mean over sets that hold n ~ Binomial(A x colors,
 * 1 / colors) lines each, or Poisson(A x), weighted by n. T besides: 0.99 exp(-0.0033 x^1.6) of it,
 * for what bimodal insertion lets go and sets that never insert so (hit_law.c). PLRU comes to S
 * only after some laps, ten for 16 ways. */
double hit_share(const struct hit_shape *shape, double x);

/* Of many x, in less time: what sets of so many lines hit is kept in `known`, room for as many
 * doubles. */
#define HIT_SETS_KNOWN 2048
void hit_shares(const struct hit_shape *shape, const double *x, size_t count, double *known,
		double *shares);

/* How far the share of one placement of scattered pages is from the mean of all: its standard
 * deviation times the root of the colors, which are many. With m(n) lines missed of a set of n ~
 * Poisson(a), a = A x, it is sqrt(Var m - Cov(m, n)^2 / a) / a, as the sets' lines add up to what
 * the cycle has. */
void hit_placement_sds(const struct hit_shape *shape, const double *x, size_t count, double *known,
		       double *placement_sds);
