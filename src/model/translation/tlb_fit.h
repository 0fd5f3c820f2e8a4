/* The TLBs and page tables that one kind of page shows: the steps of translation in a chain through
 * one line a page, fitted together with one through as many lines side by side, which tells what
 * the caches take. */
#ifndef MODEL_TRANSLATION_TLB_FIT_H
#define MODEL_TRANSLATION_TLB_FIT_H

#include "base/stats.h"
#include "model/levels/judge.h"

#define TLB_FIT_DRAWS  120 /* of the fit, as its errors allow */
#define TLB_FIT_FEWEST 5   /* points */

struct tlb_fit {
	struct group group;
	size_t paged;                 /* that chain's place in the group's curves */
	size_t count;                 /* points of it; 0: there are no two chains */
	size_t tlbs[JUDGE_MOST_TLBS]; /* the steps of these, ascending */
	size_t tlb_count;
	bool one_level; /* of TLBs is known, and the chains end before a second one would: whether
			     that or walks answer what the first misses is not known */
	struct steps draws[TLB_FIT_DRAWS];
};

/* Which of the TLBs' and tables' cost an access on so many pages has, in random order. */
struct tlb_cost {
	double tlb_ns;  /* looking in the second TLB, or what it is where that is not known; 0:
			   there is none */
	double walk_ns; /* the rest */
};

/* Finds the steps; `observer` (may be NULL): its `stop` and `hurry` are asked. With fewer points
 * than TLB_FIT_FEWEST there are none. Errors: FAILED, INTERRUPTED. */
int tlb_fit_make(const struct fathom_result *result, size_t spread, size_t packed,
		 const struct fathom_observer *observer, struct tlb_fit *fit,
		 struct fathom_error *error);
/* The same of chains that were fitted with other curves, taken over. */
int tlb_fit_take(struct group *chains, struct tlb_fit *fit, struct fathom_error *error);
void tlb_fit_free(struct tlb_fit *fit);

/* Of a TLB, or of a point of the chain: pages. */
double tlb_fit_entries(const struct tlb_fit *fit, const struct steps *steps, size_t tlb);
double tlb_fit_pages(const struct tlb_fit *fit, size_t point);
/* What missing it adds, tables of the last one's being in the nearest cache. */
double tlb_fit_penalty_ns(const struct tlb_fit *fit, const struct steps *steps, size_t tlb);
/* The number of pages that the chains end at; 0: no points. */
double tlb_fit_most_pages(const struct tlb_fit *fit);
/* `steps`: the fit's own or one of its draws. What translation costs an access of the chain itself,
 * through one line a page, by the steps. */
double tlb_fit_cycle_ns(const struct tlb_fit *fit, const struct steps *steps, double pages);
/* The same, as it was measured at a point. */
double tlb_fit_measured_ns(const struct tlb_fit *fit, size_t point);
/* What a random access among so many pages, each as likely as any, costs by the steps. */
struct tlb_cost tlb_fit_cost(const struct tlb_fit *fit, const struct steps *steps, double pages);
/* Percentiles of what the draws gave, TLB_FIT_DRAWS values; they hold the estimate. Sorts. */
struct stats_interval tlb_fit_interval(double *drawn, double estimate);
/* Of the clock at the points between two numbers of pages; NAN: no core clock. */
double tlb_fit_clock(const struct tlb_fit *fit, double from_pages, double to_pages);

#endif
