/* What is shown of each experiment. Each adds its parts; what was not measured is left out. */
#pragma once

#include "views/view.h"

/* A row a pattern, its columns cold and warm; where there are several sizes also a table of these;
 * and the gap between latency and throughput in words. */
void patterns_view(struct view *view, const struct fathom_result *result);
/* A row a pattern; then what each prefetcher is worth. */
void effects_view(struct view *view, const struct fathom_result *result);
/* A row a lap, a column a curve. */
void laps_view(struct view *view, const struct fathom_result *result);
/* The levels of the sweep, where there was one; for each size a row a number of lanes, its kinds of
 * pages side by side; the speed-up; then throughput_view. */
void parallelism_view(struct view *view, const struct fathom_result *result);
/* Reading, writing and copying: a table for each number of threads. */
void bandwidth_view(struct view *view, const struct fathom_result *result);
void pages_view(struct view *view, const struct fathom_result *result);
/* The clocks, the speed-up against size, the table of levels and of sizes, and a sentence. Of a
 * result that has clocks. */
void frequency_view(struct view *view, const struct fathom_result *result);

/* Latency under load: a row a law, sentences and the figure; nothing where there is none. */
void loaded_view(struct view *view, const struct fathom_result *result);
/* A row a class of pairs of CPUs, and the CPUs that are together; nothing where there are no pairs.
 */
void cores_view(struct view *view, const struct fathom_result *result);
/* The classes in one sentence. */
void cores_say(struct view *view, const struct fathom_result *result);

/* Latency and bandwidths as matrices of NUMA nodes; nothing where there are none. */
void nodes_view(struct view *view, const struct fathom_result *result);
/* How much farther the memory of other nodes is, in one sentence. */
void nodes_say(struct view *view, const struct fathom_result *result);

/* The parts of that: sharing.c, which CPUs share each cache, and what threads that go for words at
 * once take. */
void sharing_view(struct view *view, const struct fathom_result *result);
void contention_view(struct view *view, const struct fathom_result *result);
/* "8 of 16", "2 of 3, 1 of 2": of those lists of CPUs that join some. */
void cores_add_groups(struct text *words, char *const *lists, size_t count);

/* A row a size: filled and settled caches; nothing where there are no such curves. */
void settling_view(struct view *view, const struct fathom_result *result);
/* A sentence of a survey; nothing where settled chains are no slower. */
void settling_say(struct view *view, const struct fathom_result *result);
/* A row a prediction, where structures change places, and with `explain` the sums in numbers;
 * nothing where there are none. */
void predictions_view(struct view *view, const struct fathom_result *result);
/* cheapest.c: of each number of keys the cheapest, and where two change places. */
void cheapest_view(struct view *view, const struct fathom_result *result);
/* "100,000"; "dependent", "8 interleaved"; are there several of these? */
void predictions_add_keys(struct text *text, uint64_t keys);
void predictions_add_mode(struct text *text, const struct fathom_prediction *one);
bool predictions_are_mixed(const struct fathom_result *result);

/* ---- the parts of what is shown of patterns ---- */

/* matrix.c: of one warmth a row a size, a column a pattern; nothing where there is one size. */
void matrix_view(struct view *view, const struct fathom_result *result, enum fathom_warmth warmth);
/* counts.c: a row a pattern, warm, a column an event of the hardware counters; and why the others
 * say nothing. */
void counts_view(struct view *view, const struct fathom_result *result, uint64_t size_bytes);
/* contrast.c: both points at one size; nothing where one of them is NULL. */
void contrast_view(struct view *view, const struct fathom_point *random,
		   const struct fathom_point *sequential);
/* operations.c: nothing where none was measured. */
void operations_view(struct view *view, const struct fathom_result *result);
/* least_mean.c: nothing where no point has ten blocks. */
void least_mean_view(struct view *view, const struct fathom_result *result);
/* A cell: the time of an access at the point, NULL: not measured. */
void patterns_time(struct view *view, const struct fathom_point *point, enum fathom_y y);

/* ---- the parts of what is shown of lanes ---- */

/* throughput.c: a row for each of result->parallelism, latency against throughput, and in words
 * what limits. Nothing where there is none. */
void throughput_view(struct view *view, const struct fathom_result *result);
/* Adds "L2, 512 KiB", "512 KiB" where the level is not known; with `pages` "L2, 512 KiB, thp
 * pages". */
void parallelism_add_name(struct text *words, const struct fathom_result *result,
			  const struct fathom_curve *curve, bool pages);
