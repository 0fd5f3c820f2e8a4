/* One block: many short timed batches on one placement of one chain, the disturbed ones repeated.
 */
#pragma once

#include "measure/meter.h"

/* In private caches half of the batches lie within 0.1 to 0.5 % of each other, past them within 3 %
 * and more (seen on Zen 4, quiet and beside neighbours: docs/method.md). */
#define SAMPLER_SHARP_WIDTH 0.01

/* How long a chain is walked until it has settled beside what else takes lines from the caches. On
 * two guests (Zen 4, Emerald Rapids) chains of 4 to 16 MiB came to the same time within 50 to 100
 * ms, from lines just written and from evicted ones. */
#define SAMPLER_SETTLE_NS 1e8

struct sampler_options {
	uint64_t hops;      /* that a block should time at least; 0: as few as will do */
	double expected_ns; /* a hop, from an earlier block; NAN: find out */
	bool alike;         /* all stretches of the chain have as much of everything */
	bool bimodal;       /* batches are known to be bimodal, see batches.h */
	uint64_t lap_hops;  /* a chain that a batch walks whole is walked once, untimed, before each
			     * group of batches: the system calls between groups evict lines */
	uint64_t warm_hops; /* to warm the caches with before the first batch; 0: they are warm */
	bool warm_once;     /* one lap of it will do */
	uint64_t alone_hops; /* then to be walked by the chase alone, as far as warm_ns allows */
	double warm_ns;      /* the most time for that, and for walking on until steady */
	double settle_ns;    /* the least time for that */
	double patience_s;   /* the longest wait for pauses of a program on the core's other thread;
			      * none is longer than 20 ms */
	bool (*stop)(void *context); /* NULL: never */
	void *stop_context;
};

struct sampler_value { /* of a hop */
	double ns;
	double cycles; /* NAN: no clock */
};

struct sampler_block {
	struct sampler_value mode; /* where batches lie densest, rejected ones too: what disturbs
				    * the fewer half of them does not count (stats_shorth). Those
				    * beside a program on the core's other thread are left out,
				    * unless all are. */
	double mode_width; /* how wide the denser half of them is, as a share; INFINITY: their
			    * hops are not alike */
	struct sampler_value mean; /* over the hops of the clean batches */
	double all_ns;             /* mean over the hops of all batches: what a program feels */
	double clock_hz;           /* median; NAN: none */
	double *samples_ns;        /* owned, `count` long: the clean batches */
	unsigned count;
	unsigned batches, off_mode; /* all of them; of those with no program on the core's other
				     * thread the ones that took over 1 % longer than the mode */
	uint64_t hops, all_hops;    /* that the clean ones timed; and all of them */
	double warm_s;   /* what warming took of the block's time; of a cold block, making the
			  * memory cold once */
	double beside_s; /* that batches took beside a program on the core's other thread */
	bool bimodal;    /* see batches.h */
	bool paged;      /* the kernel split, moved or reclaimed pages beside it; set by visits */
	bool disturbed;  /* not one clean batch was to be had: these are the others */
	uint64_t rejected[FATHOM_REJECTION_COUNT];
	unsigned watched; /* batches with the core's other thread watched */
};

/* A batch is one timed run as short as the meter allows, whole laps or an equal part of one where
 * the chain is short enough, from where the last ended; what a run costs besides its hops is
 * subtracted (meter->fixed_cost_ns). Batches come in groups of a fraction of a millisecond, between
 * readings of the core clock and of what disturbs. All of a group are rejected, and repeated up to
 * three times as often as wanted, where the thread was preempted, faulted, migrated or had to wait,
 * or where the core clock moved more than 1 %; single ones where they are far from the others.
 * Single ones are rejected, too, where a program ran on the core's other thread (sibling_probe.h),
 * or had since the chain was last walked whole; these are repeated as long as patience lasts. Where
 * a lap takes longer than a block nothing is asked of that thread. Returns 0, -1 with an error
 * (FAILED: the chain did not arrive where it must), or 1: stopped, *block untouched. */
int sampler_run(struct meter *meter, const struct sampler_options *options,
		struct sampler_block *block, struct fathom_error *error);
/* One timed run, and the proof that it walked what it should. Errors: FAILED. */
int sampler_time_hops(struct meter *meter, uint64_t hops, double *ns, struct fathom_error *error);
/* The same, in which the meter counts the events that it was asked for. */
int sampler_time_counted(struct meter *meter, uint64_t hops, double *ns,
			 struct fathom_error *error);

void sampler_block_free(struct sampler_block *block);
