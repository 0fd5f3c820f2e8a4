/* What is usual: the robust centre of values, and their spread beyond their own errors. */
#pragma once

#include <stddef.h>

/* One node's value of something; logarithms, as all here. */
struct fleet_value {
	double value; /* NAN: it has none */
	double error; /* standard error; NAN: not known, 0 */
};

struct fleet_usual {
	size_t count;  /* values that it rests on */
	double centre; /* their median; NAN: too few */
	double spread; /* standard deviation between nodes, without their own errors */
	double error;  /* median of these; 0: not known */
};

/* At least FLEET_LEAST_NODES values. A fifth of them, if they lie on one side, moves the centre by
 * a third of the spread at most. Sorts `values`. The centre is the median; the spread solves
 *     mean of min(z^2, c^2) = what that is of a normal distribution,
 *     z = (value - centre) / sqrt(spread^2 + error^2), c = 1.5:
 * Paule and Mandel's equation (J. Res. NBS 87, 1982) with the bounded function of Huber's proposal
 * 2 (Robust Statistics, 1981, 6.4), so that outliers do not make each other usual. */
struct fleet_usual fleet_usual_find(struct fleet_value *values, size_t count);

/* How far a value lies from the centre, in standard deviations of what a node of that error may
 * have; the centre's own error is in it. NAN: not known. */
double fleet_usual_sigmas(const struct fleet_usual *usual, struct fleet_value value);
/* P(|T| >= |sigmas|): of Student's t, since the spread is known from so many nodes only. */
double fleet_usual_tails(const struct fleet_usual *usual, double sigmas);
