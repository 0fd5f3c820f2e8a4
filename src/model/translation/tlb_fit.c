#include "model/translation/tlb_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rng.h"

#define TAIL (TLB_FIT_DRAWS / 40)

static const struct steps_curve *chain_of(const struct tlb_fit *fit)
{
	return &fit->group.curves[fit->paged];
}

/* In the chain's bytes, of which each page has as many. */
static double ln_size_of(const struct tlb_fit *fit, double pages)
{
	return log(pages) + fit->group.problem.ln_page;
}

/* ---- the steps ---- */

/* Values and reaches as their errors allow, and what then follows. */
static int draw(struct tlb_fit *fit, uint64_t seed, struct fathom_error *error)
{
	struct rng rng = rng_make(seed);
	const struct group *group = &fit->group;
	struct steps_problem problem = group->problem;
	struct steps_curve curves[STEPS_CURVES];
	size_t rows = 0;
	for (size_t i = 0; i < problem.curve_count; i++)
		rows += group->curves[i].count;
	double *values = calloc(rows + 1, sizeof(*values));
	if (!values)
		return error_no_memory(error);
	problem.curves = curves;
	memcpy(curves, group->curves, sizeof(curves));
	for (size_t d = 0; d < TLB_FIT_DRAWS; d++) {
		struct steps *drawn = &fit->draws[d];
		double *next = values;
		*drawn = group->steps;
		for (size_t i = 0; i < problem.curve_count; i++) {
			curves[i].value = next;
			for (size_t k = 0; k < curves[i].count; k++)
				*next++ = group->curves[i].value[k] +
					  curves[i].error[k] * rng_normal(&rng);
		}
		for (size_t s = 0; s < drawn->count; s++)
			drawn->items[s].ln_reach +=
				rng_normal(&rng) *
				(group->spreads[s].ln_high - group->spreads[s].ln_low) /
				(2 * STATS_NORMAL_95);
		steps_solve(&problem, drawn);
	}
	free(values);
	return 0;
}

/* Of a group with spreads. */
static int finish(struct tlb_fit *fit, struct fathom_error *error)
{
	const struct group *group = &fit->group;
	fit->paged = group_role(group, STEPS_PAGED);
	fit->count = chain_of(fit)->count;
	fit->tlb_count = judge_tlbs(group, fit->tlbs);
	fit->one_level = judge_is_one_level(group, fit->tlb_count);
	return draw(fit, rng_mix(group->result->seed, group->paged), error);
}

int tlb_fit_take(struct group *chains, struct tlb_fit *fit, struct fathom_error *error)
{
	memset(fit, 0, sizeof(*fit));
	group_move(chains, &fit->group);
	return finish(fit, error);
}

int tlb_fit_make(const struct fathom_result *result, size_t spread, size_t packed,
		 const struct fathom_observer *observer, struct tlb_fit *fit,
		 struct fathom_error *error)
{
	struct group *group = &fit->group;
	struct budget budget = budget_make(observer);
	memset(fit, 0, sizeof(*fit));
	*group = group_of_pages(result, spread, packed);
	group->budget = &budget;
	int status = group_fit(group, error) || budget_check_stop(observer, error);
	if (!budget_is_over(&budget))
		budget_end_search(&budget);
	if (!status && group->curves[group_role(group, STEPS_PAGED)].count >= TLB_FIT_FEWEST) {
		group_spread(group);
		status = finish(fit, error);
	}
	group->budget = group->problem.budget = NULL;
	if (status)
		tlb_fit_free(fit);
	return status ? -1 : 0;
}

void tlb_fit_free(struct tlb_fit *fit)
{
	group_free(&fit->group);
	memset(fit, 0, sizeof(*fit));
}

/* ---- what follows ---- */

double tlb_fit_entries(const struct tlb_fit *fit, const struct steps *steps, size_t tlb)
{
	return exp(steps->items[fit->tlbs[tlb]].ln_reach - fit->group.problem.ln_page);
}

double tlb_fit_penalty_ns(const struct tlb_fit *fit, const struct steps *steps, size_t tlb)
{
	return judge_penalty(&fit->group, steps, fit->tlbs[tlb]);
}

double tlb_fit_pages(const struct tlb_fit *fit, size_t point)
{
	return exp(chain_of(fit)->ln_size[point] - fit->group.problem.ln_page);
}

double tlb_fit_most_pages(const struct tlb_fit *fit)
{
	return fit->count ? tlb_fit_pages(fit, fit->count - 1) : 0;
}

double tlb_fit_cycle_ns(const struct tlb_fit *fit, const struct steps *steps, double pages)
{
	return steps_translation_value(&fit->group.problem, steps, fit->paged,
				       ln_size_of(fit, pages));
}

double tlb_fit_measured_ns(const struct tlb_fit *fit, size_t point)
{
	return steps_measured_translation(&fit->group.problem, &fit->group.steps, fit->paged,
					  point);
}

struct tlb_cost tlb_fit_cost(const struct tlb_fit *fit, const struct steps *steps, double pages)
{
	const struct steps_problem *problem = &fit->group.problem;
	double ln_size = ln_size_of(fit, pages);
	double all_ns = steps_translation_value(problem, steps, 0, ln_size);
	if (fit->tlb_count == 0 || (fit->tlb_count == 1 && !fit->one_level))
		return (struct tlb_cost){0, all_ns};
	const struct step *first = &steps->items[fit->tlbs[0]];
	double first_ns = first->rise[0] * steps_missed(problem, steps, fit->tlbs[0], 0, ln_size);
	return (struct tlb_cost){first_ns, all_ns - first_ns};
}

struct stats_interval tlb_fit_interval(double *drawn, double estimate)
{
	stats_sort(drawn, TLB_FIT_DRAWS);
	return (struct stats_interval){fmin(drawn[TAIL], estimate),
				       fmax(drawn[TLB_FIT_DRAWS - 1 - TAIL], estimate)};
}

double tlb_fit_clock(const struct tlb_fit *fit, double from_pages, double to_pages)
{
	return curve_data_clock(&fit->group.data[fit->paged], ln_size_of(fit, from_pages),
				ln_size_of(fit, to_pages));
}
