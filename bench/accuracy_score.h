/* What fathom_fit makes of a machine's curves, held against what is known of it. */
#ifndef BENCH_ACCURACY_SCORE_H
#define BENCH_ACCURACY_SCORE_H

#include "accuracy_corpus.h"
#include "baselines/readings.h"

#define ACCURACY_REACH_TOLERANCE   0.30
#define ACCURACY_LATENCY_TOLERANCE 0.10
/* True levels: caches, memory, and the steps that TLBs make. */
#define ACCURACY_TRUTHS (SIMULATED_LEVELS + 1 + SIMULATED_TLBS)

enum accuracy_mode {
	ACCURACY_CONTROLLED, /* main and control curve with their intervals, as `fathom latency` */
	ACCURACY_SINGLE      /* sizes and values alone, as `fathom fit` of a foreign file */
};

enum accuracy_row { /* SIMULATED_LEVELS caches, then */
		    ACCURACY_MEMORY = SIMULATED_LEVELS,
		    ACCURACY_TLB,
		    ACCURACY_ROWS
};

struct accuracy_truth {
	size_t row;         /* 0..3: a cache; or enum accuracy_row */
	double reach_bytes; /* NAN: memory */
	double latency_ns;  /* NAN: a TLB */
	double most_ns;     /* of a lone curve: with the translation that it cannot take apart */
	int column;  /* the kind of the level reported there; FATHOM_LEVEL_KIND_COUNT: none */
	bool found;  /* of the right kind, within the tolerances */
	bool paired; /* a level of the right kind was near enough to compare */
	double reach_ratio; /* found / true; NAN: none */
	double latency_ratio;
	bool reach_held, latency_held; /* by the 95 % interval */
	double width;                  /* of the reach interval, high / low; NAN: none */
};

struct accuracy_verdict {
	struct accuracy_truth truths[ACCURACY_TRUTHS];
	size_t truth_count;
	size_t wanted, found; /* of caches and memory */
	size_t false_caches;
	bool right;                            /* all found, and no false cache */
	struct reading readings[READER_COUNT]; /* of the caches, by their size alone */
	double fit_s;
	char *reported; /* the levels in words */
};

/* Errors: FAILED. */
int accuracy_score(const struct accuracy_machine *machine, enum accuracy_mode mode,
		   struct accuracy_verdict *verdict, struct fathom_error *error);
void accuracy_verdict_free(struct accuracy_verdict *verdict);

#endif
