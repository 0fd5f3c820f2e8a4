/* The stages of a survey, in the order in which they are measured. */
#pragma once

#include "fathom.h"

struct survey_stage {
	enum fathom_experiment experiment;
	double share;      /* of the budget */
	double least_s;    /* in less it measures nothing of use */
	double predicting; /* its share where predictions are all that it is for */
	double from_s;     /* of a whole survey: in shorter ones it is not asked for */
};

extern const struct survey_stage survey_stages[FATHOM_SURVEY_STAGES];

/* What is left of `budget_s` for the i-th stage, by its share among those that are still to come.
 */
double survey_part_s(const double *shares, size_t i, double budget_s);
