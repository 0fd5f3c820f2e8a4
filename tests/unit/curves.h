/* Curves that follow the hit laws exactly, for tests of what reads them. */
#ifndef CURVES_H
#define CURVES_H

#include "fathom.h"
#include "model/laws/hit_law.h"

struct known_step {
	double reach_bytes;
	double rise; /* of the latency, once everything misses */
	struct hit_shape shape;
	bool translation; /* absent from a control */
};

struct known_curve {
	double first_bytes, last_bytes; /* sizes */
	double per_octave;
	double base; /* latency in L1 */
	const struct known_step *steps;
	size_t step_count;
	enum fathom_pattern pattern; /* FATHOM_WINDOW: a control, FATHOM_INDEPENDENT: soft steps */
	double noise;                /* relative standard deviation */
	double outliers;             /* share of the points that read 1.1 to 2 times as much */
	double clock_ghz;            /* 0: no cycles */
	bool cycles_alone;           /* the latencies are in cycles, and there are no ns */
	uint64_t seed;
};

/* Of the latency at that size, without noise. */
double known_latency(const struct known_curve *known, double size_bytes);
/* Owns its points: free(curve.points). */
struct fathom_curve make_curve(const struct known_curve *known);

#endif
