/* The curves that speak of the same levels, fitted together: a main one, and where there are any
 * its control (in windows), its soft twin (in independent order), and the chain through one line of
 * each page. */
#ifndef MODEL_LEVELS_GROUP_H
#define MODEL_LEVELS_GROUP_H

#include "model/curve_data.h"
#include "model/steps/hierarchy.h"

#define GROUP_FEWEST_SIZES 3
#define GROUP_NO_CURVE     ((size_t)-1)

struct group {
	const struct fathom_result *result;
	size_t main, control, soft, twin, paged; /* indices in result->curves; GROUP_NO_CURVE */
	double *first_missed;                    /* as of struct steps_paged */
	struct steps start; /* what the chains alone show; count 0: there are none */
	struct curve_data data[STEPS_CURVES];
	struct steps_curve curves[STEPS_CURVES]; /* those that there are, the main one first */
	struct shapes *shapes;
	double *scratch;
	struct steps_problem problem;
	struct hierarchy_options options;
	/* Sizes below take core cycles: their values are as at that clock. -INFINITY: none are
	 * known to. */
	double ln_core, core_per_ns;
	struct budget *budget; /* of the search; NULL: it takes what it needs */
	/* How far that let it come: through the first look at an order at least; through all of
	 * the likeliest. */
	enum group_came { GROUP_BEGUN, GROUP_LOOKED, GROUP_SEARCHED } came_to;
	struct steps steps;
	/* Hierarchies near the best, which is `steps`; and those of one order, while it is
	 * searched. */
	struct hypotheses *tried, *of_order;
	struct hierarchy_spread spreads[STEPS_MOST]; /* one a step */
	struct hierarchy_sum sums[STEPS_MOST + 1];
};

/* The next group from curve *next on, which is moved past it. False: there are no more. A curve
 * whose order teaches nothing of caches (sequential, ...) belongs to none. */
bool group_next(const struct fathom_result *result, size_t *next, struct group *group);
/* That of a chain through one line of each page, and of one through as many lines side by side. */
struct group group_of_pages(const struct fathom_result *result, size_t spread, size_t packed);
/* Finds the steps of the group; with less than three points there are none. Errors: FAILED
 * (memory). */
int group_fit(struct group *group, struct fathom_error *error);
/* Once all know whether they are translation: fills the spreads and sums. */
void group_spread(struct group *group);
void group_free(struct group *group);
/* Leaves nothing behind. The budget of the search is left out. */
void group_move(struct group *from, struct group *to);
/* The page that translation is counted in: the one obtained, where not known the usual 4 KiB. */
double group_page_bytes(const struct group *group);

const struct fathom_curve *group_curve(const struct group *group);
/* The place of the control and of the soft curve in `curves`; GROUP_NO_CURVE: there is none. */
size_t group_role(const struct group *group, enum steps_role role);

#endif
