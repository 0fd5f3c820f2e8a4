/* One block: several timed batches on one placement of one chain, the disturbed ones repeated. */
#ifndef MEASURE_SAMPLER_H
#define MEASURE_SAMPLER_H

#include "measure/meter.h"

struct sampler_options {
	unsigned batches;       /* accepted batches wanted, >= 1 */
	double expected_ns;     /* a hop, from an earlier block; NAN: find out */
	bool runs;              /* hits and misses are known to come in runs, see below */
	uint64_t shortest_hops; /* a batch has at least so many, however fast they are made */
	uint64_t lap_hops;   /* a chain that a run walks whole is walked once, untimed, before each
			      * batch: the system calls between batches evict lines */
	uint64_t warm_hops;  /* to warm the caches with before the first batch; 0: they are warm */
	bool warm_once;      /* one lap of it will do */
	uint64_t alone_hops; /* then to be walked by the chase alone, as far as warm_ns allows */
	double warm_ns;      /* the most time for that, and for walking on until steady */
	bool (*stop)(void *context); /* NULL: never */
	void *stop_context;
};

struct sampler_block {
	double ns;          /* a hop: median of the clean batches, or mean, see below */
	double cycles;      /* a hop; NAN: no clock */
	double clock_hz;    /* median; NAN: none */
	double *samples_ns; /* owned, `count` long: the batches that ns is of */
	unsigned count;
	uint64_t hops;  /* that they timed */
	double warm_s;  /* what warming took of the block's time; of a cold block, making the
			 * memory cold once */
	bool mixed;     /* hits and misses came in runs, see below */
	bool disturbed; /* not one clean batch was to be had: these are the others */
	uint64_t rejected[FATHOM_REJECTION_COUNT];
};

/* A batch times N and then 2N hops, from where the last ended; what a run costs besides its hops is
 * subtracted from both (meter->fixed_cost_ns) and the hops of both count. It is rejected and
 * repeated, up to three times as often as batches are wanted, when the thread was preempted,
 * faulted, migrated or had to wait, when the core clock moved more than 1 % between the probes
 * before and after, or when the two times do not fit together. Where most of less than a lap do
 * not, hits and misses come in runs: these count, too, and the block is the mean of all. Returns 0,
 * -1 with an error (FAILED: the chain did not arrive where it must), or 1: stopped, *block
 * untouched. */
int sampler_run(struct meter *meter, const struct sampler_options *options,
		struct sampler_block *block, struct fathom_error *error);
/* One timed run, and the proof that it walked what it should. Errors: FAILED. */
int sampler_time_hops(struct meter *meter, uint64_t hops, double *ns, struct fathom_error *error);
/* The same, in which the meter counts the events that it was asked for. */
int sampler_time_counted(struct meter *meter, uint64_t hops, double *ns,
			 struct fathom_error *error);

void sampler_block_free(struct sampler_block *block);

#endif
