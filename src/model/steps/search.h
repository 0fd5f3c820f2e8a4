/* Trials of a search for steps: one moved, reshaped, all sorted or polished. */
#ifndef MODEL_STEPS_SEARCH_H
#define MODEL_STEPS_SEARCH_H

#include "model/steps/hierarchy.h"

struct search {
	const struct steps_problem *problem;
	const struct hierarchy_options *options;
	bool coarse; /* of shapes, those that stand for others are enough */
};

/* What is not solved yet stays so: the trials below leave `steps` as they are, or `best` without
 * it. */
bool search_is_over(const struct search *search);
/* Is it too near another of its kind, or a TLB of hardly any entries? */
bool search_is_crowded(const struct search *search, const struct steps *steps,
		       const struct step *step);
/* Is it worth a look for a cache there? */
bool search_allows(const struct search *search, size_t shape, double ln_reach);
/* Solves the trial, and keeps it where it costs less than the best. */
void search_keep_better(const struct search *search, const struct steps *trial, struct steps *best);
/* ln of the size over the reach of the step at which half is missed. */
double search_ln_half(const struct search *search, const struct step *step);
/* The step in another shape that misses half at the same size. */
struct step search_reshaped(const struct search *search, const struct step *step, size_t shape,
			    bool translation);
/* What a TLB may be: a shape, and how pages fill its sets (`colors` of a step). Into `kinds`; how
 * many. */
#define SEARCH_KINDS_MOST 64
struct search_kind {
	size_t shape;
	double colors;
};
size_t search_tlb_kinds(const struct steps_problem *problem,
			struct search_kind kinds[SEARCH_KINDS_MOST]);
/* All shapes of a cache, or that of translation, for step `which`, near where it is. */
void search_try_cache_shapes(const struct search *search, const struct steps *steps, size_t which,
			     struct steps *best);
void search_try_translation(const struct search *search, const struct steps *steps, size_t which,
			    struct steps *best);
/* The best shape and place of step `which` near where it is; of all, one after the other. */
void search_refine_step(const struct search *search, size_t which, struct steps *steps);
void search_refine(const struct search *search, struct steps *steps);
/* All reaches at once, as slopes say. */
void search_settle(const struct search *search, struct steps *steps);
/* Ascending in reach, and solved. */
void search_sort(const struct search *search, struct steps *steps);

#endif
