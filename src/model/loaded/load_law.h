/* Latency against bandwidth: L(B) = L0 + a u / (1 - u)^p with u = B / Bmax. With p = 1 it is the
 * waiting time of a single server with random arrivals (M/G/1, Pollaczek and Khinchine: Kleinrock,
 * Queueing Systems I, 5.6); several banks and channels that share the traffic wait for later, which
 * is a p below 1, and requests in bursts for earlier. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define LOAD_LAW_FEWEST  5     /* points that a law is fitted to: one more than it has parameters */
#define LOAD_LAW_KNEE    1.5   /* of the idle latency */
#define LOAD_LAW_AT_PEAK 0.985 /* of a peak that was measured: such bandwidths are the peak */

struct load_estimate {
	double value, low, high; /* 95 % */
};

/* What was measured as such, so that the law need not tell it; NAN: it was not. */
struct load_known {
	struct load_estimate idle_ns;
	/* Threads made all they could, and memory gave no more. How long an access takes there says
	 * how many lines wait, of as many as these threads have, and nothing of the law. */
	struct load_estimate peak;
};
#define LOAD_NOTHING_KNOWN ((struct load_known){{NAN, NAN, NAN}, {NAN, NAN, NAN}})

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
int load_law_fit(const double *bandwidth, const double *latency_ns, size_t count,
		 const struct load_known *known, struct load_law *law);
/* Threads make all that they can: does memory give no more? Then an access waits for them longer
 * than at the knee, or less gets through than the greatest bandwidth at another rate. */
bool load_law_is_saturated(double times_idle, double of_greatest);
/* What the law says there, in ns; INFINITY from the peak on. */
double load_law_ns(const struct load_law *law, double bandwidth);
