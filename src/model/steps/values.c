/* What the model says at a size. */
#include <math.h>

#include "model/steps/joined.h"
#include "model/steps/walked.h"

double steps_missed(const struct steps_problem *problem, const struct steps *steps, size_t which,
		    size_t curve, double ln_size)
{
	struct behind behind;
	struct shape_value values[STEPS_MOST];
	const struct step *step = &steps->items[which];
	if (step->translation) {
		size_t table = walked_table(problem, step, problem->curves[curve].role);
		return shapes_at(problem->shapes, table, ln_size - step->ln_reach).missed;
	}
	behind_make(problem, steps, curve, &behind);
	behind_miss_ratios(&behind, behind.count, ln_size, values);
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
	const struct step *tlb = walked_last(problem, steps);
	behind_make(problem, steps, curve, &behind);
	for (size_t c = walked_from(problem); tlb && c < behind.count; c++) {
		const struct step *cache = &steps->items[behind.which[c]];
		value += cache->rise[curve] * walked_missed(problem, tlb,
							    problem->curves[curve].role,
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
	behind_miss_ratios(behind, behind->count, ln_size, values);
	value += steps->leak * joined_leaked(problem, steps, behind, values, ln_size);
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
	behind_place(of, value,
		     walked_share(problem, walked_last(problem, steps), of->role, ln_size),
		     &behind);
	return of->value[value] - caches_value(problem, steps, curve, &behind, ln_size);
}
