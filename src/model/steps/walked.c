#include "model/steps/walked.h"

/* Windows follow each other in the same order each lap, and with them their pages; so do the pages
 * of a chain through one line of each, which alone tells of a TLB's sets. */
size_t walked_table(const struct steps_problem *problem, const struct step *step,
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

const struct step *walked_last(const struct steps_problem *problem, const struct steps *steps)
{
	const struct step *last = NULL;
	for (size_t s = 0; problem->table_share > 0 && s < steps->count; s++) {
		const struct step *step = &steps->items[s];
		if (step->translation &&
		    step->ln_reach < problem->ln_page + log(TLB_MOST_ENTRIES) &&
		    (!last || step->ln_reach > last->ln_reach))
			last = step;
	}
	return last;
}

struct shape_value walked_missed(const struct steps_problem *problem, const struct step *tlb,
				 enum steps_role role, double ln_reach, double ln_size)
{
	double kept = exp(ln_reach - ln_size) / problem->table_share;
	if (role == STEPS_CONTROL || kept > WALKED_MOST_KEPT)
		return (struct shape_value){0, 0, 0};
	size_t table = walked_table(problem, tlb, role);
	double missed =
		exp(-kept) * shapes_at(problem->shapes, table, ln_size - tlb->ln_reach).missed;
	return (struct shape_value){missed, kept * missed, 0};
}

size_t walked_from(const struct steps_problem *problem)
{
	return problem->walks_ask_first ? 0 : 1;
}

double walked_share(const struct steps_problem *problem, const struct step *tlb,
		    enum steps_role role, double ln_size)
{
	if (!tlb)
		return 0;
	size_t table = walked_table(problem, tlb, role);
	return shapes_at(problem->shapes, table, ln_size - tlb->ln_reach).missed;
}
