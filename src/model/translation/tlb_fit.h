/* The TLBs and page tables that one kind of page shows: steps in what a chain through one line a
 * page costs more than one through as many lines side by side. */
#ifndef MODEL_TRANSLATION_TLB_FIT_H
#define MODEL_TRANSLATION_TLB_FIT_H

#include "base/stats.h"
#include "model/steps/hierarchy.h"
#include "model/translation/chain_lines.h"

#define TLB_FIT_DRAWS  120 /* of the fit, as its errors allow */
#define TLB_FIT_FEWEST 5   /* points */

struct tlb_fit {
	size_t count; /* points; the arrays below are one block of memory */
	double *ln_pages, *value, *error, *start_error, *outlying;
	double *pages;                           /* N itself */
	double *cycles_per_ns;                   /* NAN: no core clock */
	double *packed_pages;                    /* the packed chain is on so many */
	double *spread_ns, *packed_ns, *pair_ns; /* both, and the difference block by block */
	double *spread_error, *packed_error, *pair_error;
	double *uneven;      /* ns: of `error`, what the first cache has to do with */
	uint64_t page_lines; /* nodes of the packed chain in a page */
	struct chain_lines lines;
	struct step first; /* as the first fit had it */
	/* Where the last TLB's reach is looked for: where the first fit had it, and elsewhere. */
	double ln_last[2];
	double *second_ns, *second_error; /* what one line a page takes in the second cache */
	double *means, *squares;          /* of that, over its shapes */
	struct shapes *shapes;
	double *drawn; /* values as their errors allow */
	double *scratch;
	struct steps_curve curve;
	struct steps_problem problem;
	struct hierarchy_options options;
	struct steps steps; /* ascending in reach, which is in pages */
	struct hierarchy_spread spreads[STEPS_MOST];
	size_t tlb_count; /* the first so many steps are TLBs, the rest are page tables that leave
			     a cache */
	bool one_level;   /* of TLBs is known, and the chains end before a second one would: whether
			     that or walks answer what the first misses is not known */
	struct steps draws[TLB_FIT_DRAWS];
};

/* Which of the TLBs' and tables' cost an access on so many pages has, in random order. */
struct tlb_cost {
	double tlb_ns;  /* looking in the second TLB, or what it is where that is not known; 0:
			   there is none */
	double walk_ns; /* the rest */
};

/* Finds the steps. With fewer points than TLB_FIT_FEWEST there are none. Errors: FAILED. */
int tlb_fit_make(const struct fathom_curve *spread, const struct fathom_curve *packed,
		 uint64_t seed, struct tlb_fit *fit, struct fathom_error *error);
void tlb_fit_free(struct tlb_fit *fit);

/* The number of pages that the chains end at; 0: no points. */
double tlb_fit_most_pages(const struct tlb_fit *fit);
/* Of `steps`, the fit's own or one of its draws: rises of the first `count` steps together. */
double tlb_fit_sum_ns(const struct steps *steps, size_t count);
/* What an access of the chain itself, through one line a page, costs by the steps. */
double tlb_fit_cycle_ns(const struct tlb_fit *fit, const struct steps *steps, double ln_pages);
/* What a random access among so many pages, each as likely as any, costs by the steps: of a TLB of
 * E entries 1 - E / pages of the accesses miss. Table lines are read as often either way. */
struct tlb_cost tlb_fit_cost(const struct tlb_fit *fit, const struct steps *steps, double pages);
/* Percentiles of what the draws gave, TLB_FIT_DRAWS values; they hold the estimate. Sorts. */
struct stats_interval tlb_fit_interval(double *drawn, double estimate);
/* Of the clock at the points between two numbers of pages; NAN: no core clock. */
double tlb_fit_clock(const struct tlb_fit *fit, double from_pages, double to_pages);

#endif
