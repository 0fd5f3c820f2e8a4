/* What a line costs, and all else of a machine that a step of a data structure takes. */
#pragma once

#include "fathom.h"

/* Values by the logarithm of a number of lines, pages or bytes; straight between them, level
 * beyond.
 */
struct costs_curve {
	double *ln_x;
	struct fathom_cost *values; /* ns, bytes a second or a ratio */
	size_t count;               /* 0: not known */
};

/* What varies within its interval, one at a time. */
enum costs_input {
	COSTS_LATENCY,
	COSTS_REACH,
	COSTS_TRANSLATION,
	COSTS_LANES,
	COSTS_STREAMS,
	COSTS_CYCLE,   /* ns */
	COSTS_BRANCH,  /* ns that a mispredicted one costs */
	COSTS_FORWARD, /* ns from a value to the same one stored and loaded again */
	COSTS_WINDOW,  /* instructions that the schedulers hold */
	COSTS_REORDER, /* instructions that the reorder buffer holds */
	COSTS_WIDTH,   /* instructions a cycle */
	COSTS_CODE,    /* cycles and instructions of a step, over those that it states */
	COSTS_CORES,   /* ns that a line takes from another core */
	COSTS_INPUT_COUNT
};

#define COSTS_CACHES 4

/* Sizes in lines and times are of the result's levels. */
struct costs_cache {
	struct fathom_cost lines; /* reach */
	struct fathom_cost ns;    /* of a hit, without translation */
};

struct costs {
	double line_bytes, page_bytes; /* what an entry of a TLB covers */
	struct costs_curve latency;    /* by distinct lines, translation of packed lines in it */
	struct costs_curve settled;    /* the same of caches that have settled beside others, from
					* where no core has its own; empty: not known */
	struct costs_curve visits;     /* by lines: each visit to a settled chain, likewise */
	/* By ns: of lines that a shared cache could hold, the share s that others take in that
	 * time, as ln(-ln(1 - s)): straight over ln ns by Weibull's law of what is left. */
	struct costs_curve taken;
	/* By distinct pages, what translation adds to a hit in the first TLB: where so many are
	 * between two accesses to one; and of packed lines in so many, a mean over all distances.
	 */
	struct costs_curve translation, packed;
	struct costs_curve lanes;            /* by lines: how many accesses overlap at most */
	struct costs_curve reading, writing; /* by bytes: bytes a second */
	struct fathom_cost inputs[COSTS_INPUT_COUNT]; /* from COSTS_CYCLE on */
	struct costs_cache caches[COSTS_CACHES];      /* nearest first */
	size_t cache_count;
	double tlb_pages;  /* that the last TLB holds; INFINITY: not known */
	double kept_pages; /* whose tables stayed in the caches while they were measured, one line
			    * each; INFINITY: not measured */
	/* Central moments of single accesses to memory over powers of their mean; 0: not known. */
	double memory_variance, memory_third;
	/* Of what a line past the last cache takes over a hit there, what one takes in a page whose
	 * other lines are gone to at the same time; 1: not known. */
	double beside_share;
	double most_bytes; /* that the latency was measured for */
};

/* Which bound each input is at: -1 low, 0 its value, 1 high. */
struct costs_state {
	int at[COSTS_INPUT_COUNT];
};

void costs_free(struct costs *costs);
void costs_curve_free(struct costs_curve *curve);

/* An empty curve with room for so many values. Errors: FAILED. */
int costs_curve_make(size_t count, struct costs_curve *curve, struct fathom_error *error);
/* In ascending order; of the same place the first counts. What is not finite is left out. */
void costs_curve_add(struct costs_curve *curve, double x, struct fathom_cost value);
/* `taken`, from all else: in a lap of a settled chain others take what it hits less than a filled
 * one. Of each visit, since the cache may keep a chain in one and not in the next; it never falls
 * as time goes by. Errors: FAILED. */
int costs_find_taken(struct costs *costs, struct fathom_error *error);
/* How many values of `translation`, from the first, were measured in laps in which others took less
 * than half of what a shared cache could hold. */
size_t costs_kept_translation(const struct costs *costs);

/* A bound that is not known becomes the value. */
void costs_close(struct fathom_cost *cost);

/* Of a curve that is known. */
double costs_at(const struct costs_curve *curve, double x, int bound);
/* Of the inputs from COSTS_CYCLE on. */
double costs_input(const struct costs *costs, enum costs_input input,
		   const struct costs_state *state);
/* Of an access to a line that so many lines were between, without translation: the level that it is
 * in, whatever that replaces. Past the caches of a core it is what a filled chain takes, after
 * others took from it since the line was last gone to, `apart_ns` ago. Without a settled curve,
 * past all caches, where hardly anything hits them, it is what the latency curve says. Of a random
 * cycle through so many lines, as the curves were measured. And what translation takes where so
 * many pages were between: others take the page tables, too, the more the longer the page was not
 * gone to. */
double costs_line_ns(const struct costs *costs, double lines, double apart_ns,
		     const struct costs_state *state);
double costs_cycle_ns(const struct costs *costs, double lines, const struct costs_state *state);
double costs_page_ns(const struct costs *costs, double pages, double apart_ns,
		     const struct costs_state *state);
/* Do costs depend on the time between two accesses? */
bool costs_take_time(const struct costs *costs);
/* What a chain of so many packed lines takes, translation in it. */
double costs_packed_ns(const struct costs *costs, double lines);
/* Central moments, over powers of `ns`, of an access that takes so long on average past the caches
 * of a core: there it hits the last cache, or goes to memory. */
void costs_mixture(const struct costs *costs, double lines, double ns,
		   const struct costs_state *state, double *variance, double *third);
/* In the last cache. */
double costs_hit_ns(const struct costs *costs, const struct costs_state *state);
/* Of the caches of a core: the first two, since a last one that cores share takes the slice of a
 * line from a hash of its address (Maurice et al. 2015). */
double costs_own_lines(const struct costs *costs);
/* Are so many lines more than the caches of a core hold, where there is a further cache? */
bool costs_is_shared(const struct costs *costs, double lines);
/* FATHOM_PREDICT_L1 to FATHOM_PREDICT_MEMORY. */
enum fathom_predict_part costs_level(const struct costs *costs, double lines,
				     const struct costs_state *state);
