/* The steps that a curve has: how many, where, of which shape, and how sure that is. */
#ifndef MODEL_STEPS_HIERARCHY_H
#define MODEL_STEPS_HIERARCHY_H

#include "model/steps/steps.h"

enum hierarchy_effort {
	HIERARCHY_WHOLE,
	HIERARCHY_AGAIN, /* a search has found the steps given: fewer hypotheses are opened */
	HIERARCHY_LOOK   /* what it may come to: one is */
};

struct hierarchy_options {
	unsigned classes; /* of the shapes that caches may have: SHAPE_CLASS_BIT()s */
	bool translation; /* steps of translation are looked for as well */
	bool polish;      /* the steps given are near the best: fewer others are tried */
	enum hierarchy_effort effort;
};

/* Costs tell so many times less than they say: errors of neighbours on a curve are not independent.
 */
#define HIERARCHY_TEMPER 1.4

/* Hierarchies that were tried, solved, the cheapest first; no two alike. */
#define HYPOTHESES_MOST 32
struct hypotheses {
	struct {
		struct steps steps;
		bool opened; /* what differs from it by one step was tried, too */
	} items[HYPOTHESES_MOST];
	size_t count;
};

/* The same steps, as far apart at the most? */
bool hypotheses_are_alike(const struct steps *one, const struct steps *other, double ln_apart);
/* How likely it is, over the likeliest. */
double hypotheses_weight(const struct hypotheses *tried, size_t which);

/* The steps that explain the curves at the least cost, ascending in reach; none where nothing
 * rises. Best-first search: from `steps`, or from none where it has none, one step is added, left
 * out, moved or taken for another kind. `tried` (may be NULL): all that came near the best. */
void hierarchy_find(const struct steps_problem *problem, const struct hierarchy_options *options,
		    struct steps *steps, struct hypotheses *tried);
/* Makes step `which` one of translation, or one of a cache, at the best place and shape for that
 * near where it is. */
void hierarchy_assign(const struct steps_problem *problem, const struct hierarchy_options *options,
		      bool translation, size_t which, struct steps *steps);

/* Steps that are nearer than that are one, of a hypothesis and of two: of the CPUs of the published
 * curves none has two caches nearer than a factor of 2. */
#define HIERARCHY_ALIKE_LN 0.6

/* How likely it is that there is a cache where step `which` of a solved hypothesis is, that there
 * is translation, or no step at all: they sum to 1. A step of another hypothesis stands for the
 * nearest of its kind alone: one cache is no evidence of two. */
struct hierarchy_odds {
	double cache, translation, absent;
};
struct hierarchy_odds hierarchy_odds(const struct steps_problem *problem,
				     const struct hypotheses *tried, const struct steps *steps,
				     size_t which);
/* The number of caches that lie before that of step `which` at least, with a probability of `sure`.
 * Hypotheses may agree that there is one, and not where it ends. */
size_t hierarchy_caches_before(const struct steps_problem *problem, const struct hypotheses *tried,
			       const struct steps *steps, size_t which, double sure);
/* Adds those of another problem of the same curves, which is so much less likely before any curve
 * is seen, as -2 ln. */
void hierarchy_merge(const struct hypotheses *others, double rarity, struct hypotheses *tried);

struct hierarchy_sum {
	double value, deviation; /* mean, standard deviation */
};
/* What a hit takes behind none of the steps that add to it, the first one, the first two ... How
 * many. */
size_t hierarchy_hits(const struct steps *steps, double hits[STEPS_MOST + 1]);

/* What the data leave open about one step while the others stay where they are. */
struct hierarchy_spread {
	struct hierarchy_sum hits[STEPS_MOST + 1]; /* hierarchy_hits() */
	double ln_reach, ln_low, ln_high;          /* mean and 95 % */
	double class_share[SHAPE_CLASS_COUNT]; /* probability of each class of shape; sums to 1 */
};
void hierarchy_spread(const struct steps_problem *problem, const struct hierarchy_options *options,
		      const struct steps *steps, size_t which, struct hierarchy_spread *spread);
/* Makes of the spread of one step of a hypothesis that of all that have such a step
 * (HIERARCHY_ALIKE_LN), by how likely each is; round the reach that each says it is a normal
 * distribution. Of two that explain the curves about as well, neither alone is the answer. Source:
 * Hoeting et al. 1999, Bayesian model averaging, equations 1 and 2. */
void hierarchy_mix(const struct hypotheses *tried, const struct steps *steps, size_t which,
		   struct hierarchy_spread *spread);

#endif
