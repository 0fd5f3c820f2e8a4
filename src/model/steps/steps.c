#include "model/steps/steps.h"

#include <math.h>
#include <string.h>

#include "model/steps/joined.h"
#include "model/steps/prior.h"
#include "model/steps/walked.h"

#define MOST_MOVE  0.15 /* of a ln reach at once */
#define MOST_MOVES 8    /* a bound of work */
#define LEAST_FALL 0.05 /* of -2 ln: no move is worth less */
#define PATIENCE   3.0  /* times its last fall, the cost may fall yet */

size_t steps_scratch_count(const struct steps_curve *curves, size_t curve_count)
{
	size_t rows = joined_rows(curves, curve_count);
	return linear_scratch_count(rows) + STEPS_MOST * rows + STEPS_SEARCH_DOUBLES;
}

double *steps_search_room(const struct steps_problem *problem)
{
	return problem->scratch + steps_scratch_count(problem->curves, problem->curve_count) -
	       STEPS_SEARCH_DOUBLES;
}

double steps_way_pages(const struct steps_problem *problem, size_t shape, double ln_reach)
{
	double reach_bytes = exp(ln_reach);
	bool shared = problem->shared_bytes > 0 && reach_bytes > problem->shared_bytes;
	if (problem->frame_bytes == 0 || shared)
		return 0;
	return reach_bytes / (shapes_ways(shape) * problem->frame_bytes);
}

bool steps_translates(const struct steps_problem *problem, size_t shape)
{
	const struct steps_curve *curve = steps_widest(problem, true);
	if (curve->role != STEPS_PAGED)
		return shape == problem->translation_shape;
	enum shape_class class = shapes_class(shape);
	bool known = class == SHAPE_LRU || class == SHAPE_RANDOM;
	return known && !shapes_is_victim(shape);
}

const struct steps_curve *steps_widest(const struct steps_problem *problem, bool translation)
{
	const struct steps_curve *widest = &problem->curves[0];
	for (size_t i = 1; i < problem->curve_count; i++) {
		const struct steps_curve *curve = &problem->curves[i];
		bool shows = curve->role == STEPS_PAGED ? translation : curve->role == STEPS_TWIN;
		if (shows &&
		    (curve->role == STEPS_PAGED ||
		     curve->ln_size[curve->count - 1] > widest->ln_size[widest->count - 1]))
			widest = curve;
	}
	return widest;
}

const struct steps_curve *steps_showing(const struct steps_problem *problem,
					const struct step *step)
{
	const struct steps_curve *main = &problem->curves[0];
	const struct steps_curve *widest = steps_widest(problem, step->translation);
	double ln_end = widest->ln_size[widest->count - 1];
	return step->ln_reach > ln_end && main->ln_size[main->count - 1] > ln_end ? main : widest;
}

/* steps_solve_below(), leaving the linear problem as solved. */
static void solve(const struct steps_problem *problem, double limit, bool again,
		  struct steps *steps, struct joined *joined)
{
	const double *solution = joined->linear.solution;
	joined_build(problem, steps, joined);
	budget_take(problem->budget, (double)(joined->linear.rows * joined->linear.columns));
	if (again)
		joined_restore(problem, steps, joined);
	limit -= prior_least(steps);
	steps->cost = again ? linear_solve_again(&joined->linear, limit)
			    : linear_solve(&joined->linear, limit);
	steps->leak = problem->leaks ? solution[joined->leak_of] : 0;
	for (size_t i = 0; i < problem->curve_count; i++) {
		steps->base[i] = solution[joined->base_of[i]];
		for (size_t s = 0; s < steps->count; s++) {
			steps->items[s].rise[i] = solution[joined->column_of[i][s]] *
						  joined_share(problem, steps, s, i);
		}
	}
	steps->cost += prior_cost(problem, steps);
}

void steps_solve_below(const struct steps_problem *problem, double limit, struct steps *steps)
{
	struct joined joined;
	solve(problem, limit, false, steps, &joined);
}

/* The column that one step more would have on a curve, the caches before it being far smaller. */
static void fill_candidate(const struct steps_problem *problem, const struct step *step,
			   const struct steps_curve *curve, double *column)
{
	size_t shape = behind_shape(problem, curve->role, step);
	size_t table =
		step->translation
			? walked_table(problem, step, curve->role)
			: shapes_table(shape, steps_way_pages(problem, shape, step->ln_reach));
	double share = step->translation && curve->role == STEPS_CONTROL ? problem->visits : 1;
	bool lines = curve->role == STEPS_PAGED && !step->translation;
	double ln_less = step->ln_reach - (lines ? curve->paged.ln_line : 0);
	for (size_t k = 0; k < curve->count; k++)
		column[k] = share *
			    shapes_at(problem->shapes, table, curve->ln_size[k] - ln_less).missed;
}

void steps_gains(const struct steps_problem *problem, const struct steps *steps,
		 const struct step *candidates, size_t count, double *gains)
{
	struct joined joined;
	struct steps solved = *steps;
	struct linear_span span;
	solve(problem, INFINITY, true, &solved, &joined);
	double *column = problem->scratch + linear_scratch_count(joined.linear.rows);
	linear_span_make(&joined.linear, &span);
	for (size_t c = 0; c < count; c++) {
		for (size_t i = 0; i < problem->curve_count; i++)
			fill_candidate(problem, &candidates[c], &problem->curves[i],
				       column + joined.first_row[i]);
		gains[c] = linear_gain(&joined.linear, &span, column);
	}
}

/* The reach that each column belongs to. */
static void list_reaches(const struct steps_problem *problem, const struct steps *steps,
			 const struct joined *joined, size_t *reach_of)
{
	for (size_t c = 0; c < LINEAR_COLUMNS; c++)
		reach_of[c] = STEPS_MOST;
	for (size_t i = 0; i < problem->curve_count; i++)
		for (size_t s = 0; s < steps->count; s++)
			reach_of[joined->column_of[i][s]] = s;
}

/* Moved as Gauss and Newton's method says, from where `joined` is solved. */
static bool move(const struct steps_problem *problem, const struct steps *steps,
		 struct joined *joined, struct steps *moved)
{
	size_t reach_of[LINEAR_COLUMNS];
	double moves[LINEAR_COLUMNS];
	list_reaches(problem, steps, joined, reach_of);
	if (!linear_moves(&joined->linear, reach_of, steps->count,
			  problem->scratch + linear_scratch_count(joined->linear.rows), moves))
		return false;
	*moved = *steps;
	for (size_t s = 0; s < steps->count; s++)
		moved->items[s].ln_reach += fmax(-MOST_MOVE, fmin(MOST_MOVE, moves[s]));
	return true;
}

/* A reach lies evenly likely between two sizes, if nothing else is known of it: 12 / gap^2; and
 * the prior is not wider than that of any size. */
static double reach_precision(const struct steps_curve *curve, double ln_reach)
{
	size_t after = 1;
	while (after + 1 < curve->count && curve->ln_size[after] < ln_reach)
		after++;
	double gap = curve->count > 1 ? curve->ln_size[after] - curve->ln_size[after - 1] : 1;
	return 12 / (gap * gap);
}

void steps_weigh(const struct steps_problem *problem, struct steps *steps)
{
	struct joined joined;
	size_t reach_of[LINEAR_COLUMNS], free_count;
	double precisions[STEPS_MOST];
	solve(problem, INFINITY, true, steps, &joined);
	list_reaches(problem, steps, &joined, reach_of);
	for (size_t s = 0; s < steps->count; s++)
		precisions[s] = reach_precision(steps_showing(problem, &steps->items[s]),
						steps->items[s].ln_reach) +
				1;
	double ln =
		linear_log_determinant(&joined.linear, reach_of, steps->count,
				       problem->scratch + linear_scratch_count(joined.linear.rows),
				       precisions, 1, &free_count);
	steps->unlikely = steps->cost + ln - (double)free_count * log(2 * M_PI);
}

void steps_settle_below(const struct steps_problem *problem, double limit, struct steps *steps)
{
	struct joined joined;
	struct steps trial = *steps;
	solve(problem, INFINITY, true, &trial, &joined);
	for (int i = 0; i < MOST_MOVES && move(problem, steps, &joined, &trial); i++) {
		solve(problem, steps->cost, true, &trial, &joined);
		double fall = steps->cost - trial.cost;
		for (int halved = 0; halved < 2 && !(fall > 0); halved++) {
			for (size_t s = 0; s < steps->count; s++)
				trial.items[s].ln_reach =
					(trial.items[s].ln_reach + steps->items[s].ln_reach) / 2;
			solve(problem, steps->cost, true, &trial, &joined);
			fall = steps->cost - trial.cost;
		}
		if (!(fall > 0))
			return;
		*steps = trial;
		if (fall < LEAST_FALL || steps->cost - PATIENCE * fall > limit)
			return;
	}
}

void steps_settle(const struct steps_problem *problem, struct steps *steps)
{
	steps_settle_below(problem, INFINITY, steps);
}

void steps_solve(const struct steps_problem *problem, struct steps *steps)
{
	steps_solve_below(problem, INFINITY, steps);
}

void steps_solve_again(const struct steps_problem *problem, struct steps *steps)
{
	struct joined joined;
	struct steps anew = *steps;
	solve(problem, INFINITY, true, steps, &joined);
	solve(problem, INFINITY, false, &anew, &joined);
	if (anew.cost < steps->cost)
		*steps = anew;
}

bool step_adds_to_hits(const struct step *step)
{
	return !step->translation && !step->apart;
}

void steps_errors(const struct steps_problem *problem, const struct steps *steps, double *sums)
{
	struct joined joined;
	struct steps solved = *steps;
	double sum[LINEAR_COLUMNS] = {0};
	size_t out = 0;
	solve(problem, INFINITY, false, &solved, &joined);
	for (size_t s = 0; s <= steps->count; s++) {
		if (s > 0 && !step_adds_to_hits(&steps->items[s - 1]))
			continue;
		sum[s ? joined.column_of[0][s - 1] : joined.base_of[0]] = 1;
		sums[out++] = sqrt(fmax(0, linear_variance(&joined.linear, sum)));
	}
}
