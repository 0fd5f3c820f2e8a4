/* Which levels of several results are the same, whatever they are called there: a fit that takes
 * one step for two moves all the names behind it. */
#pragma once

#include "model/compare/compare_match.h"

/* The run whose levels are compared: of those with as many caches as the middle one of all runs,
 * the first. */
size_t compare_reference(const struct compare_set *set);

/* How many curves have levels before this one's: on each CPU they are of a curve of their own. */
size_t compare_level_rank(const struct fathom_result *result, const struct fathom_level *level);

/* Of the levels of that rank and kind the one whose sizes (plateau_range) have most in common with
 * those of `level`, by ratio; NULL: none has any. */
const struct fathom_level *compare_find_level(const struct fathom_result *result, size_t rank,
					      double low_bytes, double high_bytes,
					      enum fathom_level_kind kind);

/* Is the point one of the result's curve of that index? */
bool compare_is_of_curve(const struct fathom_result *result, size_t curve,
			 const struct fathom_point *point);
