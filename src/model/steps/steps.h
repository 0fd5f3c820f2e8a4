/* A latency curve as a sum of steps: base + sum of rise_j * missed_j(size), missed_j by behind.h,
 * and what leaks from the last cache.
 * Given the reaches and shapes, the base and the rises follow by non-negative least squares. */
#ifndef MODEL_STEPS_STEPS_H
#define MODEL_STEPS_STEPS_H

#include "model/budget.h"
#include "model/laws/shapes.h"

#define STEPS_MOST     12
#define STEPS_CURVES   5
#define STEPS_REPORTED 6
#define STEPS_SET_WAYS 16 /* of a first cache whose sets are known */

/* Of a TLB. Documented are 10 (Cortex-A7) to 4096 (Zen 5): bench/published-tlbs.csv. */
#define TLB_FEWEST_ENTRIES 8
#define TLB_MOST_ENTRIES   4608

enum steps_role {
	STEPS_MAIN,
	STEPS_CONTROL, /* a cycle through the same lines in windows: hardly any translation */
	STEPS_SOFT,    /* the same lines in independent order: each cache's step is a soft one */
	STEPS_TWIN,    /* as the main one */
	STEPS_PAGED    /* a cycle through one line of each page: its sizes are those of the pages */
};

/* What a chain through one line of each page has besides. */
struct steps_paged {
	double ln_line;     /* ln of a line's bytes over a page's: caches hold lines */
	double table_lines; /* lines of page tables that go with a page, once it is walked for */
	/* Of each value what a first cache of 1, 2 ... STEPS_SET_WAYS ways misses, where it is
	 * known which of its sets the lines fall into; NULL: it is not. */
	const double *first;
};

/* The arrays are ascending in ln_size, and the caller's. */
struct steps_curve {
	enum steps_role role;
	size_t count;
	const double *ln_size;
	const double *value; /* any unit */
	const double *error; /* standard deviation of each value, > 0 */
	const double
		*outlying; /* density of errors that can be anything, that of no error being 1 */
	const double *start_error; /* the same before any model is there: more for what looks odd */
	/* How much of the spread between placements (shape_value) is left in the value; NULL:
	 * none. */
	const double *placement_share;
	const double *placed_bytes; /* of all placements that a value is of; set where that is */
	struct steps_paged paged;   /* of that role */
};

struct step {
	double ln_reach;
	size_t shape;
	bool translation; /* absent from the control */
	double colors; /* of a TLB: pages fill its sets as if a way had room for so many that lie at
			  random, INFINITY being a perfect hash; 0: in turn */
	bool apart;    /* no part of what a hit takes, as if it were translation */
	double rise[STEPS_CURVES];
};

struct steps {
	struct step items[STEPS_MOST];
	size_t count;
	double base[STEPS_CURVES];
	double leak; /* that an access takes longer, in a lap of the last cache's reach, for lines
			that others took */
	double cost; /* -2 ln of likelihood times prior density but for a constant: less is better
		      */
	double unlikely; /* -2 ln of the evidence, but for a constant: steps_weigh() */
};

struct steps_problem {
	const struct shapes *shapes;
	const struct steps_curve *curves;
	size_t curve_count;  /* 1..STEPS_CURVES */
	double ln_page;      /* ln of a page's bytes: no TLB reaches less than a few */
	double frame_bytes;  /* pages lie at random over a cache's sets; 0: in one run */
	double shared_bytes; /* caches that reach farther end as steeply as if pages lay in one
				run: the more of a lap misses the longer it takes, and the more of
				it others take; 0: none does */
	bool ends_at_once;   /* of a curve that visits a line at irregular times, too */
	double share_varies; /* standard deviation of ln of what others leave of a cache but the
				first: of the last one co-tenants, of one before it the core's other
				thread */
	bool leaks;          /* others may take lines from the last cache: behind_leaked() */
	double fetched; /* by prefetchers for the control, of what a cache misses that is neither
			   the first nor the last */
	double visits;  /* of a page, a hop of the control: the share of translation that it has */
	double line_visits;   /* in a lap of the main curve, of each line; 0, 1: one, as elsewhere;
				 INFINITY: at any time */
	double table_share;   /* bytes of page tables that a byte of data has; 0: none are read */
	bool walks_ask_first; /* tables are read from the first cache, else from the second on */
	size_t translation_shape;           /* of steps of translation, but on a paged curve */
	double hidden_base;                 /* of the base, what the values leave out */
	double unit_ns;                     /* of the values */
	double missing_tlb;                 /* -2 ln of how rare it is that a TLB shows no step */
	double reported_ln[STEPS_REPORTED]; /* ln bytes of caches as the OS has them */
	size_t reported_count;
	bool flat_prior;    /* the axis is of no bytes: only that there are so many steps is rare */
	double reach_error; /* standard deviation of a reach as a share, from point to point,
			       besides placements: the laws are not exact */
	double shape_error; /* of a step, half-way up: the laws are not all of the truth */
	double plateau_error; /* of a step, past it: it goes on changing with the size */
	/* So many times less do costs tell of a reach than they say, as errors of neighbours are
	 * not independent, of an LRU cache and of a random or resistant one: hierarchy_spread(). */
	double temper_lru, temper_inexact;
	double outlying;       /* factor of all the curves' outlying */
	double *scratch;       /* steps_scratch_count() doubles */
	struct budget *budget; /* of the search; NULL: it takes what it needs */
};

/* Doubles of that for who searches, at its end. */
#define STEPS_SEARCH_DOUBLES 24000
double *steps_search_room(const struct steps_problem *problem);
size_t steps_scratch_count(const struct steps_curve *curves, size_t curve_count);

/* Sets base, rises, leak and cost. All curves share the rises but that of the last cache step and
 * what is fetched, the main one and its control also the base. The errors are taken as Student's t
 * of 4 degrees of freedom, and as anything at all for a few points: those far from the model count
 * for nothing. */
void steps_solve(const struct steps_problem *problem, struct steps *steps);
/* The same, in less time where the cost will not come below `limit`: then it is anything above. */
void steps_solve_below(const struct steps_problem *problem, double limit, struct steps *steps);

/* Sets `unlikely` of solved steps: -2 ln of the integral of likelihood times prior over sizes and
 * rises, by Laplace's method. Where no size lies within the rise of a step, the gap between two
 * sizes bounds it instead of the curve. Source: Kass and Raftery 1995, section 4.1. */
void steps_weigh(const struct steps_problem *problem, struct steps *steps);

/* The cheaper of that and of what the solution that is there leads to. */
void steps_solve_again(const struct steps_problem *problem, struct steps *steps);

/* Moves all reaches of solved steps to where the cost is least nearby. */
void steps_settle(const struct steps_problem *problem, struct steps *steps);
/* The same, in less time where the cost will not come below `limit`. */
void steps_settle_below(const struct steps_problem *problem, double limit, struct steps *steps);

/* By how much each of the candidates as one step more would lower the weighted squares that solved
 * steps leave: a first look. All shapes as if no cache were before. */
void steps_gains(const struct steps_problem *problem, const struct steps *steps,
		 const struct step *candidates, size_t count, double *gains);

/* Of a step, at a size, on a curve: what it misses, all steps before it being what they are. */
double steps_missed(const struct steps_problem *problem, const struct steps *steps, size_t which,
		    size_t curve, double ln_size);
/* May translation have that shape? */
bool steps_translates(const struct steps_problem *problem, size_t shape);
/* The curve that shows a step of that kind to the largest sizes. */
const struct steps_curve *steps_widest(const struct steps_problem *problem, bool translation);
/* Pages that a way of such a cache has room for, where they lie at random: 0 else. */
double steps_way_pages(const struct steps_problem *problem, size_t shape, double ln_reach);
/* The one that shows that step: the same, but the main one where it goes on past that one's end. */
const struct steps_curve *steps_showing(const struct steps_problem *problem,
					const struct step *step);
/* The model's value on a curve of the problem. */
double steps_value(const struct steps_problem *problem, const struct steps *steps, size_t curve,
		   double ln_size);
/* Is its rise a part of what a hit in the next cache takes? */
bool step_adds_to_hits(const struct step *step);
/* Of that what translation takes: what misses a TLB, and of this, what page tables take that
 * have left a cache. */
double steps_translation_value(const struct steps_problem *problem, const struct steps *steps,
			       size_t curve, double ln_size);
double steps_tables_value(const struct steps_problem *problem, const struct steps *steps,
			  size_t curve, double ln_size);
/* What a value of a curve has over what the caches take by the model: translation, as measured. */
double steps_measured_translation(const struct steps_problem *problem, const struct steps *steps,
				  size_t curve, size_t value);
/* Standard deviations, from the curvature at the solution, of base + the first `count` rises of
 * those steps that add to hits, on the main curve; sums[0] is the base's. */
void steps_errors(const struct steps_problem *problem, const struct steps *steps, double *sums);

#endif
