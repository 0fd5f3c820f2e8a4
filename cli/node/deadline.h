/* --deadline: a hard limit of the command's wall time. Measuring is stopped a while before it, so
 * that what was measured is fitted and written in time; at the deadline itself the process ends
 * whatever it does. */
#pragma once

#include "options.h"

/* How long before the deadline measuring is stopped: 15 % of it, and at least two seconds, but
 * never more than half of it. */
double deadline_reserve_s(double deadline_s);

/* These two are of options with a deadline. SIGALRM when measuring is to stop, and again when the
 * deadline has passed. */
void deadline_start(const struct options *options);

/* The budget becomes what the deadline leaves, with some to spare: none is overrun by so much that
 * a measurement is stopped. A simulated machine's stays, which is no time of ours. */
void deadline_cut_budget(struct options *options);

/* Until measuring is stopped; INFINITY: no deadline. */
double deadline_left_s(const struct options *options);
