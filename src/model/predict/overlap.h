/* How many loads overlap in the window of a core. */
#pragma once

/* Into a window of n loads one comes when the oldest leaves, and they leave in order: the i-th,
 * which takes X(i), leaves at D(i) = max(D(i - 1), D(i - n) + X(i)). `mean` over the time from one
 * to the next, given the mean and the central moments of the independent X: n where all take as
 * long, 1 where few take all the time. */
double overlap_of(double mean, double variance, double third, double window);
