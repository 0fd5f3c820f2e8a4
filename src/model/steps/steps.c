#include "model/steps/steps.h"

#include <math.h>
#include <string.h>

#include "model/steps/behind.h"
#include "model/steps/linear.h"
#include "model/steps/prior.h"

#define MOST_MOVE        0.15 /* of a ln reach at once */
#define MOST_MOVES       8
#define LEAST_FALL       0.05
#define PATIENCE         3.0  /* times its last fall, the cost may fall yet */
#define SOFT_REACH_ERROR 0.01 /* many accesses average over all places */
#define SETS_SHAPE_ERROR 0.02 /* where it is known which sets lines fall into */
/* Of lines that lie one a page: tables are beside them, and no cache picks sets at random. */
#define PAGED_REACH_ERROR 0.1
#define PAGED_SHAPE_ERROR 0.1
#define WALK_ERROR        0.1   /* of what walks miss: no replacement is ideal */
#define FETCHED_ERROR     0.25  /* of what prefetchers leave: they come and go */
#define LEAK_ERROR        0.1   /* of what leaks: others come and go */
#define MOST_ENTRIES_LN   8.436 /* ln 4608: no TLB has more */
#define PAGES_OVER        1.5   /* that a set too full has on average, over its ways */
#define PAGES_OF_OTHERS   2.5   /* of such a set that miss, where replacement is not LRU */
#define MOST_TOO_FULL     3.5   /* sets on average: hardly ever none */
#define LEAST_ABSENT      2e-4  /* of the accesses */
#define MOST_KEPT         16.0  /* times as many lines as come between two readings: none leaves */

_Static_assert(
	LINEAR_COLUMNS >= STEPS_MOST + 4,
	"the bases of the main and the soft curve, a rise of its own of the control and of the "
	"paged curve, and what leaks");

/* The linear problem of all curves together. */
struct joined {
	struct linear linear;
	size_t first_row[STEPS_CURVES];
	size_t base_of[STEPS_CURVES]; /* columns */
	size_t column_of[STEPS_CURVES][STEPS_MOST];
	size_t leak_of; /* LINEAR_COLUMNS: none */
};

static size_t count_rows(const struct steps_curve *curves, size_t curve_count)
{
	size_t rows = 0;
	for (size_t i = 0; i < curve_count; i++)
		rows += curves[i].count;
	return rows;
}

size_t steps_scratch_count(const struct steps_curve *curves, size_t curve_count)
{
	size_t rows = count_rows(curves, curve_count);
	return linear_scratch_count(rows) + STEPS_MOST * rows + STEPS_SEARCH_DOUBLES;
}

double *steps_search_room(const struct steps_problem *problem)
{
	return problem->scratch + steps_scratch_count(problem->curves, problem->curve_count) -
	       STEPS_SEARCH_DOUBLES;
}

/* Of a step's rise, what the curve shows of it: windows begin beyond the first cache, and the last
 * one's rise in them is one of its own. */
static double share_on(const struct steps_problem *problem, const struct steps *steps, size_t which,
		       size_t curve)
{
	if (problem->curves[curve].role != STEPS_CONTROL)
		return 1;
	if (steps->items[which].translation)
		return problem->visits;
	bool inner = !prior_is_first_cache(steps, which) && !prior_is_last_cache(steps, which);
	return inner ? 1 - problem->fetched : 1;
}

/* Steps rise as much in another order as in the main curve, but for the last one in windows: of
 * these prefetchers bring more from memory. And but for the first cache in a chain through one line
 * a page: a core does not look into the next cache and the next TLB one after the other. */
static bool is_tied(const struct steps *steps, size_t which, enum steps_role role)
{
	if (role == STEPS_PAGED)
		return !prior_is_first_cache(steps, which) || steps->items[which].translation;
	return role != STEPS_CONTROL || !prior_is_last_cache(steps, which);
}

static void give_columns(const struct steps_problem *problem, const struct steps *steps,
			 struct joined *joined)
{
	size_t *columns = &joined->linear.columns;
	*columns = 0;
	for (size_t i = 0; i < problem->curve_count; i++) {
		enum steps_role role = problem->curves[i].role;
		bool own_base = role == STEPS_MAIN || role == STEPS_SOFT;
		joined->base_of[i] = own_base ? (*columns)++ : 0;
		for (size_t s = 0; s < steps->count; s++) {
			size_t *column = &joined->column_of[i][s];
			if (i > 0 && is_tied(steps, s, role))
				*column = joined->column_of[0][s];
			else
				*column = (*columns)++;
		}
	}
	joined->leak_of = problem->leaks ? (*columns)++ : LINEAR_COLUMNS;
}

double steps_way_pages(const struct steps_problem *problem, size_t shape, double ln_reach)
{
	double reach_bytes = exp(ln_reach);
	bool shared = problem->shared_bytes > 0 && reach_bytes > problem->shared_bytes;
	if (problem->frame_bytes == 0 || shared)
		return 0;
	return reach_bytes / (shapes_ways(shape) * problem->frame_bytes);
}

/* Windows follow each other in the same order each lap, and with them their pages; so do the pages
 * of a chain through one line of each, which alone tells of a TLB's sets. */
static size_t translation_table(const struct steps_problem *problem, const struct step *step,
				enum steps_role role)
{
	switch (role) {
	case STEPS_PAGED:
		return shapes_table(step->shape, step->colors);
	case STEPS_CONTROL:
		return shapes_table(shapes_first(SHAPE_LRU), 0);
	default:
		return shapes_table(problem->translation_shape, 0);
	}
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

/* One row's entry of a step's column: of its rise, `share` shows. */
static void fill_place(struct linear *linear, size_t row, size_t column, double share, double error,
		       double beyond, double moved, struct shape_value at)
{
	size_t place = column * linear->rows + row;
	linear->column[place] = share * at.missed;
	linear->slope[place] = share * at.slope;
	linear->moved[place] =
		share * (moved + error * 4 * at.missed * (1 - at.missed) + beyond * at.missed);
}

/* 1 / sqrt(colors), but that the pages of few are the more the fewer others have. */
static double luck_share(double colors)
{
	return colors > 1 ? sqrt((1 - 1 / colors) / colors) : 0;
}

/* Tables are walked after the last TLB; NULL: they are not. */
static const struct step *last_tlb(const struct steps_problem *problem, const struct steps *steps)
{
	const struct step *last = NULL;
	for (size_t s = 0; problem->table_share > 0 && s < steps->count; s++) {
		const struct step *step = &steps->items[s];
		if (step->translation && step->ln_reach < problem->ln_page + MOST_ENTRIES_LN &&
		    (!last || step->ln_reach > last->ln_reach))
			last = step;
	}
	return last;
}

/* Of the accesses of a curve, those that walk and whose line of a table has left a cache that ends
 * at the reach. Any line of the tables is as likely to be read next, so that the time between two
 * readings of one is exponential; it leaves after as many hops as the cache has lines (Che's
 * approximation): exp(-reach / (table_share size)). In windows the next walks read the same line.
 */
static struct shape_value walks_missed(const struct steps_problem *problem, const struct step *tlb,
				       enum steps_role role, double ln_reach, double ln_size)
{
	double kept = exp(ln_reach - ln_size) / problem->table_share;
	if (role == STEPS_CONTROL || kept > MOST_KEPT)
		return (struct shape_value){0, 0, 0};
	size_t table = translation_table(problem, tlb, role);
	double missed =
		exp(-kept) * shapes_at(problem->shapes, table, ln_size - tlb->ln_reach).missed;
	return (struct shape_value){missed, kept * missed, 0};
}

/* Of the caches in their order, the first that walks look into. */
static size_t first_walked(const struct steps_problem *problem)
{
	return problem->walks_ask_first ? 0 : 1;
}

static void add_walks(const struct steps_problem *problem, const struct steps *steps,
		      const struct behind *behind, struct joined *joined, size_t i)
{
	const struct steps_curve *curve = &problem->curves[i];
	const struct step *tlb = last_tlb(problem, steps);
	struct linear *linear = &joined->linear;
	double ln_most = tlb ? log(MOST_KEPT * problem->table_share) : 0;
	for (size_t c = first_walked(problem); tlb && c < behind->count; c++) {
		size_t which = behind->which[c];
		size_t first = joined->column_of[i][which] * linear->rows + joined->first_row[i];
		for (size_t k = 0; k < curve->count; k++) {
			if (steps->items[which].ln_reach - curve->ln_size[k] > ln_most)
				continue; /* spares an exponential where none leaves */
			struct shape_value walks =
				walks_missed(problem, tlb, curve->role,
					     steps->items[which].ln_reach, curve->ln_size[k]);
			linear->column[first + k] += walks.missed;
			linear->slope[first + k] += walks.slope;
			linear->moved[first + k] += WALK_ERROR * walks.missed;
		}
	}
}

/* What others take of the accesses that the last cache would hit, as behind_leaked() has it;
 * `values`: what all caches miss at that size. Independent accesses come back at any time: not of
 * them. */
static double leaked_at(const struct steps_problem *problem, const struct steps *steps,
			const struct behind *behind, const struct shape_value *values,
			double ln_size)
{
	if (!problem->leaks || !behind->cycle || behind->count == 0)
		return 0;
	const struct step *last = &steps->items[behind->which[behind->count - 1]];
	return behind_leaked(behind, values, last->ln_reach, ln_size);
}

static void fill_leak(struct joined *joined, size_t row, double leaked)
{
	size_t place = joined->leak_of * joined->linear.rows + row;
	joined->linear.column[place] = leaked;
	joined->linear.moved[place] = LEAK_ERROR * leaked;
}

/* Where few pages lie at random, most placements may have no set of a cache with more lines than it
 * has ways for, and the others many such lines: nothing in between. What misses are these sets. A
 * page too many makes all of a set miss under LRU, else but two; so their mean number follows from
 * the share of misses, and of a Poisson distribution exp(-mean) has none. */
static double too_full(const struct steps_problem *problem, size_t shape, double missed,
		       double placed_bytes)
{
	double pages = shapes_class(shape) == SHAPE_LRU ? shapes_ways(shape) + PAGES_OVER
							: PAGES_OF_OTHERS;
	return missed * placed_bytes / (problem->frame_bytes * pages);
}

/* The cache that may have none of its misses at a size, if there is one. Else it has as many as on
 * the mean of all placements: that fewer have more is left to the spread. */
static void add_absence(const struct steps_problem *problem, const struct steps *steps,
			const struct behind *behind, const struct shape_value *values,
			const double *lucks, struct joined *joined, size_t i, size_t k)
{
	struct linear *linear = &joined->linear;
	for (size_t c = 0; c < behind->count; c++) {
		size_t which = behind->which[c];
		if (!(lucks[c] > 0) || values[c].missed < LEAST_ABSENT)
			continue;
		double sets = too_full(problem, steps->items[which].shape, values[c].missed,
				       problem->curves[i].placed_bytes[k]);
		if (sets > MOST_TOO_FULL)
			continue;
		linear->absences[linear->absence_count++] =
			(struct linear_absence){.row = joined->first_row[i] + k,
						.column = joined->column_of[i][which],
						.probability = exp(-sets)};
		return;
	}
}

/* How far a law may be off: of a cache's reach, and of what it misses, half-way up. */
struct law_errors {
	double reach, shape;
};

static struct law_errors law_errors(const struct steps_problem *problem,
				    const struct behind *behind, size_t curve, size_t cache)
{
	const struct steps_paged *paged = &problem->curves[curve].paged;
	if (problem->curves[curve].role != STEPS_PAGED)
		return (struct law_errors){behind->cycle ? problem->reach_error : SOFT_REACH_ERROR,
					   problem->shape_error};
	if (cache == 0 && paged->first)
		return (struct law_errors){problem->reach_error, SETS_SHAPE_ERROR};
	return (struct law_errors){PAGED_REACH_ERROR, PAGED_SHAPE_ERROR};
}

/* Of the accesses at a size those that no TLB answers. */
static double walked_at(const struct steps_problem *problem, const struct step *tlb,
			enum steps_role role, double ln_size)
{
	if (!tlb)
		return 0;
	size_t table = translation_table(problem, tlb, role);
	return shapes_at(problem->shapes, table, ln_size - tlb->ln_reach).missed;
}

static void fill_caches(const struct steps_problem *problem, const struct steps *steps,
			struct joined *joined, size_t i)
{
	const struct steps_curve *curve = &problem->curves[i];
	struct behind behind;
	struct shape_value values[STEPS_MOST];
	double lucks[STEPS_MOST], shares[STEPS_MOST];
	struct law_errors errors[STEPS_MOST];
	const struct step *tlb = curve->role == STEPS_PAGED ? last_tlb(problem, steps) : NULL;
	behind_make(problem, steps, i, &behind);
	for (size_t c = 0; c < behind.count; c++) {
		errors[c] = law_errors(problem, &behind, i, c);
		lucks[c] = behind.cycle && curve->luck ? luck_share(behind.way_pages[c]) : 0;
		shares[c] = share_on(problem, steps, behind.which[c], i);
	}
	for (size_t k = 0; k < curve->count; k++) {
		size_t row = joined->first_row[i] + k;
		behind_place(curve, k, walked_at(problem, tlb, curve->role, curve->ln_size[k]),
			     &behind);
		behind_missed(&behind, behind.count, curve->ln_size[k], values);
		double leaked = leaked_at(problem, steps, &behind, values, curve->ln_size[k]);
		if (leaked > 0)
			fill_leak(joined, row, leaked);
		for (size_t c = 0; c < behind.count; c++) {
			if (values[c].missed == 0)
				continue;
			double moved = errors[c].reach * values[c].slope;
			if (shares[c] < 1)
				moved += FETCHED_ERROR * values[c].missed;
			double luck = lucks[c] * values[c].luck;
			if (luck > 0)
				moved = sqrt(moved * moved +
					     luck * luck * curve->luck[k] * curve->luck[k]);
			fill_place(&joined->linear, row, joined->column_of[i][behind.which[c]],
				   shares[c], errors[c].shape, problem->plateau_error, moved,
				   values[c]);
		}
		add_absence(problem, steps, &behind, values, lucks, joined, i, k);
	}
	add_walks(problem, steps, &behind, joined, i);
}

static void fill_translation(const struct steps_problem *problem, const struct steps *steps,
			     size_t which, struct joined *joined, size_t i)
{
	const struct steps_curve *curve = &problem->curves[i];
	const struct step *step = &steps->items[which];
	size_t table = translation_table(problem, step, curve->role);
	size_t column = joined->column_of[i][which];
	double share = share_on(problem, steps, which, i);
	for (size_t k = 0; k < curve->count; k++) {
		struct shape_value at =
			shapes_at(problem->shapes, table, curve->ln_size[k] - step->ln_reach);
		fill_place(&joined->linear, joined->first_row[i] + k, column, share,
			   problem->shape_error, problem->plateau_error,
			   SOFT_REACH_ERROR * at.slope, at);
	}
}

static void fill_curve(const struct steps_problem *problem, const struct steps *steps,
		       struct joined *joined, size_t i)
{
	const struct steps_curve *curve = &problem->curves[i];
	struct linear *linear = &joined->linear;
	size_t row = joined->first_row[i], bytes = curve->count * sizeof(double);
	memcpy(linear->value + row, curve->value, bytes);
	memcpy(linear->error + row, curve->error, bytes);
	memcpy(linear->start + row, curve->start_error, bytes);
	for (size_t k = 0; k < curve->count; k++) {
		linear->outlying[row + k] = problem->outlying * curve->outlying[k];
		linear->column[joined->base_of[i] * linear->rows + row + k] = 1;
	}
	fill_caches(problem, steps, joined, i);
	for (size_t s = 0; s < steps->count; s++)
		if (steps->items[s].translation)
			fill_translation(problem, steps, s, joined, i);
}

static void find_first_rows(struct linear *linear)
{
	for (size_t c = 0; c < linear->columns; c++) {
		const double *column = linear->column + c * linear->rows;
		while (linear->first[c] < linear->rows && column[linear->first[c]] == 0)
			linear->first[c]++;
	}
}

static void build(const struct steps_problem *problem, const struct steps *steps,
		  struct joined *joined)
{
	joined->linear.rows = 0;
	for (size_t i = 0; i < problem->curve_count; i++) {
		joined->first_row[i] = joined->linear.rows;
		joined->linear.rows += problem->curves[i].count;
	}
	give_columns(problem, steps, joined);
	linear_place(&joined->linear, problem->scratch);
	for (size_t i = 0; i < problem->curve_count; i++)
		fill_curve(problem, steps, joined, i);
	find_first_rows(&joined->linear);
}

/* The solution that steps have, to begin with. */
static void restore(const struct steps_problem *problem, const struct steps *steps,
		    struct joined *joined)
{
	double *solution = joined->linear.solution;
	memset(solution, 0, sizeof(joined->linear.solution));
	if (problem->leaks)
		solution[joined->leak_of] = steps->leak;
	for (size_t i = problem->curve_count; i-- > 0;) {
		solution[joined->base_of[i]] = steps->base[i];
		for (size_t s = 0; s < steps->count; s++) {
			double share = share_on(problem, steps, s, i);
			if (share > 0)
				solution[joined->column_of[i][s]] = steps->items[s].rise[i] / share;
		}
	}
}

/* steps_solve_below(), leaving the linear problem as solved. */
static void solve(const struct steps_problem *problem, double limit, bool again,
		  struct steps *steps, struct joined *joined)
{
	const double *solution = joined->linear.solution;
	build(problem, steps, joined);
	budget_take(problem->budget, (double)(joined->linear.rows * joined->linear.columns));
	if (again)
		restore(problem, steps, joined);
	limit -= prior_least(steps);
	steps->cost = again ? linear_solve_again(&joined->linear, limit)
			    : linear_solve(&joined->linear, limit);
	steps->leak = problem->leaks ? solution[joined->leak_of] : 0;
	for (size_t i = 0; i < problem->curve_count; i++) {
		steps->base[i] = solution[joined->base_of[i]];
		for (size_t s = 0; s < steps->count; s++) {
			steps->items[s].rise[i] =
				solution[joined->column_of[i][s]] * share_on(problem, steps, s, i);
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
	bool soft = curve->role == STEPS_SOFT && !step->translation;
	size_t shape = soft ? shapes_soft_of(step->shape) : step->shape;
	size_t table =
		step->translation
			? translation_table(problem, step, curve->role)
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
		precisions[s] = reach_precision(steps_widest(problem, steps->items[s].translation),
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

double steps_missed(const struct steps_problem *problem, const struct steps *steps, size_t which,
		    size_t curve, double ln_size)
{
	struct behind behind;
	struct shape_value values[STEPS_MOST];
	const struct step *step = &steps->items[which];
	if (step->translation) {
		size_t table = translation_table(problem, step, problem->curves[curve].role);
		return shapes_at(problem->shapes, table, ln_size - step->ln_reach).missed;
	}
	behind_make(problem, steps, curve, &behind);
	behind_missed(&behind, behind.count, ln_size, values);
	size_t c = 0;
	while (behind.which[c] != which)
		c++;
	return values[c].missed;
}

double steps_tables_value(const struct steps_problem *problem, const struct steps *steps,
			  size_t curve, double ln_size)
{
	struct behind behind;
	double value = 0;
	const struct step *tlb = last_tlb(problem, steps);
	behind_make(problem, steps, curve, &behind);
	for (size_t c = first_walked(problem); tlb && c < behind.count; c++) {
		const struct step *cache = &steps->items[behind.which[c]];
		value +=
			cache->rise[curve] * walks_missed(problem, tlb, problem->curves[curve].role,
							  cache->ln_reach, ln_size)
						     .missed;
	}
	return value;
}

double steps_translation_value(const struct steps_problem *problem, const struct steps *steps,
			       size_t curve, double ln_size)
{
	double value = steps_tables_value(problem, steps, curve, ln_size);
	for (size_t s = 0; s < steps->count; s++)
		if (steps->items[s].translation)
			value += steps->items[s].rise[curve] *
				 steps_missed(problem, steps, s, curve, ln_size);
	return value;
}

static double caches_value(const struct steps_problem *problem, const struct steps *steps,
			   size_t curve, const struct behind *behind, double ln_size)
{
	struct shape_value values[STEPS_MOST];
	double value = steps->base[curve];
	behind_missed(behind, behind->count, ln_size, values);
	value += steps->leak * leaked_at(problem, steps, behind, values, ln_size);
	for (size_t c = 0; c < behind->count; c++)
		value += steps->items[behind->which[c]].rise[curve] * values[c].missed;
	return value;
}

double steps_value(const struct steps_problem *problem, const struct steps *steps, size_t curve,
		   double ln_size)
{
	struct behind behind;
	behind_make(problem, steps, curve, &behind);
	return caches_value(problem, steps, curve, &behind, ln_size) +
	       steps_translation_value(problem, steps, curve, ln_size);
}

double steps_measured_translation(const struct steps_problem *problem, const struct steps *steps,
				  size_t curve, size_t value)
{
	const struct steps_curve *of = &problem->curves[curve];
	double ln_size = of->ln_size[value];
	struct behind behind;
	behind_make(problem, steps, curve, &behind);
	behind_place(of, value, walked_at(problem, last_tlb(problem, steps), of->role, ln_size),
		     &behind);
	return of->value[value] - caches_value(problem, steps, curve, &behind, ln_size);
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
