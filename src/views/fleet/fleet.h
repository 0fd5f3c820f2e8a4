/* A fleet, shown. views.h has the door. */
#pragma once

#include "views/view.h"

/* "A", ..., "Z", "AA": what a group is called. */
struct rounded fleet_group_name(size_t group);
/* "36.1 ns", "120 GB/s", "32 MiB": with its unit. */
void fleet_add_value(struct text *text, double value, const char *unit);
/* "memory latency" of "memory_latency_ns", "L1 latency, cycles" where two have the same words: what
 * a number or setting of that name is called. */
void fleet_add_words(struct text *text, const struct fathom_fleet *fleet, size_t group,
		     const char *name);

/* "+12 %", "−17 %". */
void fleet_add_share(struct text *text, double share);
/* The greatest deviation of a number in a group that a page has room for: more stands at its edge.
 */
double fleet_reach(const struct fathom_fleet *fleet, size_t group, size_t number);

/* "and 3 more: --all shows them"; of none nothing. */
void fleet_view_left_out(struct view *view, size_t count);

/* fleet_outliers.c */
void fleet_view_outliers(struct view *view, const struct fathom_fleet *fleet);
void fleet_view_changes(struct view *view, const struct fathom_fleet *fleet);
