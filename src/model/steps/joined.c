#include "model/steps/joined.h"

#include <math.h>
#include <string.h>

#include "model/steps/prior.h"
#include "model/steps/walked.h"

#define SOFT_REACH_ERROR 0.01 /* many accesses average over all places */
#define SETS_SHAPE_ERROR 0.02 /* where it is known which sets lines fall into */
/* Of lines that lie one a page: tables are beside them, and no cache picks sets at random. */
#define PAGED_REACH_ERROR 0.1
#define PAGED_SHAPE_ERROR 0.1
#define WALK_ERROR        0.1  /* of what walks miss: no replacement is ideal */
#define FETCHED_ERROR     0.25 /* of what prefetchers leave: they come and go */
/* Of a TLB's rise in windows, more than visits of pages say: on a Zen 4 entering a page there takes
 * as long as 5 to 8 misses elsewhere, 0.08 to 0.12 of one an access instead of 0.016. */
#define ENTERED_ERROR   0.08
#define LEAK_ERROR      0.1  /* of what leaks: others come and go */
#define PAGES_OVER      1.5  /* that a set too full has on average, over its ways */
#define PAGES_OF_OTHERS 2.5  /* of such a set that miss, where replacement is not LRU */
#define MOST_TOO_FULL   3.5  /* sets on average: hardly ever none */
#define LEAST_ABSENT    2e-4 /* of the accesses */

_Static_assert(
	LINEAR_COLUMNS >= STEPS_MOST + 4,
	"the bases of the main and the soft curve, a rise of its own of the control and of the "
	"paged curve, and what leaks");

size_t joined_rows(const struct steps_curve *curves, size_t curve_count)
{
	size_t rows = 0;
	for (size_t i = 0; i < curve_count; i++)
		rows += curves[i].count;
	return rows;
}

double joined_share(const struct steps_problem *problem, const struct steps *steps, size_t which,
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
static double color_share(double colors)
{
	return colors > 1 ? sqrt((1 - 1 / colors) / colors) : 0;
}

static void add_walks(const struct steps_problem *problem, const struct steps *steps,
		      const struct behind *behind, struct joined *joined, size_t i)
{
	const struct steps_curve *curve = &problem->curves[i];
	const struct step *tlb = walked_last(problem, steps);
	struct linear *linear = &joined->linear;
	double ln_most = tlb ? log(WALKED_MOST_KEPT * problem->table_share) : 0;
	for (size_t c = walked_from(problem); tlb && c < behind->count; c++) {
		size_t which = behind->which[c];
		size_t first = joined->column_of[i][which] * linear->rows + joined->first_row[i];
		for (size_t k = 0; k < curve->count; k++) {
			if (steps->items[which].ln_reach - curve->ln_size[k] > ln_most)
				continue; /* spares an exponential where none leaves */
			struct shape_value walks =
				walked_missed(problem, tlb, curve->role,
					      steps->items[which].ln_reach, curve->ln_size[k]);
			linear->column[first + k] += walks.missed;
			linear->slope[first + k] += walks.slope;
			linear->moved[first + k] += WALK_ERROR * walks.missed;
		}
	}
}

double joined_leaked(const struct steps_problem *problem, const struct steps *steps,
		     const struct behind *behind, const struct shape_value *values, double ln_size)
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
static void add_zero(const struct steps_problem *problem, const struct steps *steps,
		     const struct behind *behind, const struct shape_value *values,
		     const double *placement_sds, struct joined *joined, size_t i, size_t k)
{
	struct linear *linear = &joined->linear;
	for (size_t c = 0; c < behind->count; c++) {
		size_t which = behind->which[c];
		if (!(placement_sds[c] > 0) || values[c].missed < LEAST_ABSENT)
			continue;
		double sets = too_full(problem, steps->items[which].shape, values[c].missed,
				       problem->curves[i].placed_bytes[k]);
		if (sets > MOST_TOO_FULL)
			continue;
		linear->zeros[linear->zero_count++] =
			(struct linear_zero){.row = joined->first_row[i] + k,
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

static void fill_caches(const struct steps_problem *problem, const struct steps *steps,
			struct joined *joined, size_t i)
{
	const struct steps_curve *curve = &problem->curves[i];
	struct behind behind;
	struct shape_value values[STEPS_MOST];
	double placement_sds[STEPS_MOST], shares[STEPS_MOST];
	struct law_errors errors[STEPS_MOST];
	const struct step *tlb = curve->role == STEPS_PAGED ? walked_last(problem, steps) : NULL;
	behind_make(problem, steps, i, &behind);
	for (size_t c = 0; c < behind.count; c++) {
		errors[c] = law_errors(problem, &behind, i, c);
		placement_sds[c] = curve->placement_share ? color_share(behind.way_pages[c]) : 0;
		shares[c] = joined_share(problem, steps, behind.which[c], i);
	}
	for (size_t k = 0; k < curve->count; k++) {
		size_t row = joined->first_row[i] + k;
		behind_place(curve, k, walked_share(problem, tlb, curve->role, curve->ln_size[k]),
			     &behind);
		behind_miss_ratios(&behind, behind.count, curve->ln_size[k], values);
		double leaked = joined_leaked(problem, steps, &behind, values, curve->ln_size[k]);
		if (leaked > 0)
			fill_leak(joined, row, leaked);
		for (size_t c = 0; c < behind.count; c++) {
			if (values[c].missed == 0)
				continue;
			double moved = errors[c].reach * values[c].slope;
			if (shares[c] < 1)
				moved += FETCHED_ERROR * values[c].missed;
			double placement_sd = placement_sds[c] * values[c].placement_sd;
			if (placement_sd > 0)
				moved = sqrt(moved * moved + placement_sd * placement_sd *
								     curve->placement_share[k] *
								     curve->placement_share[k]);
			fill_place(&joined->linear, row, joined->column_of[i][behind.which[c]],
				   shares[c], errors[c].shape, problem->plateau_error, moved,
				   values[c]);
		}
		add_zero(problem, steps, &behind, values, placement_sds, joined, i, k);
	}
	add_walks(problem, steps, &behind, joined, i);
}

static void fill_translation(const struct steps_problem *problem, const struct steps *steps,
			     size_t which, struct joined *joined, size_t i)
{
	const struct steps_curve *curve = &problem->curves[i];
	const struct step *step = &steps->items[which];
	size_t table = walked_table(problem, step, curve->role);
	size_t column = joined->column_of[i][which];
	double share = joined_share(problem, steps, which, i);
	double entered = curve->role == STEPS_CONTROL && share > 0 ? ENTERED_ERROR / share : 0;
	for (size_t k = 0; k < curve->count; k++) {
		struct shape_value at =
			shapes_at(problem->shapes, table, curve->ln_size[k] - step->ln_reach);
		fill_place(&joined->linear, joined->first_row[i] + k, column, share,
			   problem->shape_error, problem->plateau_error + entered,
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

void joined_build(const struct steps_problem *problem, const struct steps *steps,
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

void joined_restore(const struct steps_problem *problem, const struct steps *steps,
		    struct joined *joined)
{
	double *solution = joined->linear.solution;
	memset(solution, 0, sizeof(joined->linear.solution));
	if (problem->leaks)
		solution[joined->leak_of] = steps->leak;
	for (size_t i = problem->curve_count; i-- > 0;) {
		solution[joined->base_of[i]] = steps->base[i];
		for (size_t s = 0; s < steps->count; s++) {
			double share = joined_share(problem, steps, s, i);
			if (share > 0)
				solution[joined->column_of[i][s]] = steps->items[s].rise[i] / share;
		}
	}
}
