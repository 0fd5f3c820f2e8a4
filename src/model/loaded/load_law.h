/* Latency against bandwidth: L(B) = L0 + a u / (1 - u)^p with u = B / Bmax. With p = 1 it is the
 * waiting time of a single server with random arrivals (M/G/1, Pollaczek and Khinchine: Kleinrock,
 * Queueing Systems I, 5.6); several banks and channels that share the traffic wait for later, which
 * is a p below 1, and requests in bursts for earlier. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define LOAD_LAW_FEWEST 5 /* points that a law is fitted to: one more than it has parameters */
/* How far the peak may be above the greatest bandwidth, a standard deviation in logarithms: of
 * tools that load memory until it gives no more, and where it is known that they did. */
#define LOAD_LAW_OVER      0.1
#define LOAD_LAW_SATURATED 0.015
#define LOAD_LAW_KNEE      1.5 /* of the idle latency */

struct load_estimate {
	double value, low, high; /* 95 % */
};

struct load_law {
	struct load_estimate idle_ns, peak, knee, exponent; /* peak, knee: as `bandwidth` below;
							       knee: NAN where the points end
							       before it */
	double rise_ns;                                     /* a */
	double median_error;                                /* of the points: |law / latency - 1| */
	bool bends_back;   /* past the peak more traffic gets less through */
	double bent_share; /* of the peak, that is left at the greatest latency then; else 1 */
};

/* Points in any order; bandwidths in any unit, below 0 taken as 0. `count` is LOAD_LAW_FEWEST or
 * more, latencies are > 0, and one bandwidth at least is > 0. -1: out of memory. */
int load_law_fit(const double *bandwidth, const double *latency_ns, size_t count, double over_ln,
		 struct load_law *law);
/* What the law says there, in ns; INFINITY from the peak on. */
double load_law_ns(const struct load_law *law, double bandwidth);
