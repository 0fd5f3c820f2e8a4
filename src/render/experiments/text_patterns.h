/* What is shown of patterns, of their ablation and of the decay of cold memory: tables of rows. */
#ifndef RENDER_EXPERIMENTS_TEXT_PATTERNS_H
#define RENDER_EXPERIMENTS_TEXT_PATTERNS_H

#include "render/text/layout.h"

/* The experiment of fathom's own curves in the result, before which a sweep may stand that finds
 * sizes for it; FATHOM_LATENCY where there is no other. */
enum fathom_experiment text_experiment(const struct fathom_result *result);

/* text_patterns.c: a row a pattern, its columns cold and warm; where there are several sizes also a
 * table of these; and the gap between latency and throughput in words. */
void text_patterns(const struct layout *layout, const struct fathom_result *result);
/* text_matrix.c: of one warmth a row a size, a column a pattern; nothing where there is one size.
 */
void text_matrix(const struct layout *layout, const struct fathom_result *result,
		 enum fathom_warmth warmth);
/* text_counts.c: a row a pattern, warm, a column an event of the hardware counters; and why the
 * others say nothing. */
void text_counts(const struct layout *layout, const struct fathom_result *result,
		 uint64_t size_bytes);
/* Of the curve, at that size but for a rest of less than a node; NULL: it has none. */
const struct fathom_point *text_point_at(const struct fathom_curve *curve, uint64_t size_bytes);
/* text_laps.c: a row a lap, a column a curve. */
void text_laps(const struct layout *layout, const struct fathom_result *result);
/* text_effects.c: a row a pattern; then what each prefetcher is worth. */
void text_effects(const struct layout *layout, const struct fathom_result *result);

/* "random cycle", "strided 256 B *": the star says that accesses overlap. free() it; NULL: out of
 * memory. */
char *text_row_name(const struct fathom_spec *spec);
/* The time of an access, of whatever kind. */
struct text_time {
	double ns, low_ns, high_ns, cycles;
};
struct text_time text_time_of(const struct fathom_point *point);
/* What follows it: '~' where its interval is wider than wanted, '?' where it has none; else 0. */
char text_mark(const struct fathom_point *point);
/* How many points have the interval that was wanted, and what the marks mean. */
void text_exactness(const struct layout *layout, const struct fathom_result *result);
/* A cell with "199 ", right-aligned, "-" where it is not known; `mark`: what follows it. */
void text_time_cell(const struct layout *layout, unsigned columns, double value, char mark);

#endif
