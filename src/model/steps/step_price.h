/* How rare what steps say is, apart from what the curves say of them. */
#ifndef MODEL_STEPS_STEP_PRICE_H
#define MODEL_STEPS_STEP_PRICE_H

#include "model/steps/steps.h"

/* -2 ln of how rare solved steps are: what each must save, shapes that few caches have, caches that
 * add little or lie near each other, translation that takes longer or less than it usually does. */
double step_price(const struct steps_problem *problem, const struct steps *steps);
/* What they must save in all to be believed, of that. */
double step_worths(const struct steps *steps);
/* What translation seldom costs more than, `below` being all that is nearer. After the first TLB a
 * second one is asked, as near as the second cache. After the last, lines of page tables are read,
 * from the second cache while that has them: what it costs where they leave it is not of this step
 * (steps_problem.table_share). */
double step_usual_translation(const struct steps_problem *problem, const struct steps *steps,
			      const struct step *step, double below);
/* Is it of translation, and costs more than that? */
bool step_is_steep(const struct steps_problem *problem, const struct steps *steps, size_t which);
/* Is it a cache's that is not the first, and adds less than caches usually do? */
bool step_is_low(const struct steps *steps, size_t which);
/* Is no cache before it? */
bool step_is_first_cache(const struct steps *steps, size_t which);
/* Is it a cache, and none after it? */
bool step_is_last_cache(const struct steps *steps, size_t which);

#endif
