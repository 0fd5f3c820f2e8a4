/* Simulated machines whose truth is known, the curves that were traced on them, and the file that
 * keeps both. */
#ifndef BENCH_ACCURACY_CORPUS_H
#define BENCH_ACCURACY_CORPUS_H

#include <stdio.h>

#include "base/rng.h"
#include "simulate/simulated_spec.h"

#define ACCURACY_WINDOW_BYTES 65536
#define ACCURACY_STRIDE_BYTES 512 /* between the lines of a window that one pass visits */
#define ACCURACY_LINE_BYTES   64

struct accuracy_point {
	double size_bytes;
	double ns, low_ns, high_ns; /* as measured: the median over blocks and its 95 % interval */
	double clock_hz;            /* as a probe beside the point saw it */
	double exact_ns;            /* without noise, outliers and drift */
	double translation_ns;      /* what translation has of it */
};

struct accuracy_curve {
	struct accuracy_point *points; /* ascending in size */
	size_t count;
};

struct accuracy_machine {
	char *description; /* "sim:...", what `fathom latency --machine` takes */
	struct simulated_spec spec;
	uint64_t page_bytes; /* of the mapping that was measured */
	bool in_rounds;      /* the blocks of a size lie far apart in time */
	bool guest;          /* what the OS reports is known, and may be wrong */
	/* Ways of the last cache by which the share that co-tenants leave swings, up and down; the
	 * spec has its mean. 0: nobody else uses it. */
	unsigned tenant_ways;
	/* Share of the lines of a window that prefetchers have in the second cache in time. */
	double window_help;
	uint64_t largest_bytes;
	struct accuracy_curve main;
	struct accuracy_curve control; /* the same lines in windows, an eighth of each a pass */
};

/* Draws machine `index` of the set that `seed` stands for; no curves yet. `guest`: with co-tenants,
 * prefetchers that help windows, and reported sizes that lie. Errors: FAILED. */
int accuracy_machine_draw(uint64_t seed, uint64_t index, bool guest,
			  struct accuracy_machine *machine, struct fathom_error *error);
void accuracy_machine_free(struct accuracy_machine *machine);

/* Traces both curves. `exact`: without the caps on warm-up and measured hops, to hold them
 * against it. Errors: FAILED. */
int accuracy_machine_trace(struct accuracy_machine *machine, bool exact,
			   struct fathom_error *error);

/* On how many placements the blocks of a point of so many lines lie. */
size_t accuracy_placements(const struct accuracy_machine *machine, uint64_t lines);

/* Does it keep a part of a cycle that is too long for the cache? */
bool accuracy_is_resistant(enum simulated_policy policy);

/* What is to be found: the longest cycle that misses nowhere up to `level`. That is the size of the
 * cache, and besides what the caches before it keep of a longer cycle for good: all of one whose
 * victims it takes, all but a way of one that resists thrashing. */
double accuracy_reach_bytes(const struct simulated_spec *spec, size_t level);
/* A hit there at the nominal clock. */
double accuracy_latency_ns(const struct simulated_spec *spec, size_t level);
/* Of the main curve without noise, between its points on a line in ln(size). */
double accuracy_exact_ns(const struct accuracy_machine *machine, double size_bytes);

void accuracy_machine_write(const struct accuracy_machine *machine, FILE *file);
/* 1: a machine was read, 0: end of file. Errors: BAD_INPUT, FAILED. */
int accuracy_machine_read(FILE *file, struct accuracy_machine *machine, struct fathom_error *error);

#endif
