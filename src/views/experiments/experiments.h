/* What is shown of each experiment. Each adds its parts; what was not measured is left out. */
#ifndef VIEWS_EXPERIMENTS_EXPERIMENTS_H
#define VIEWS_EXPERIMENTS_EXPERIMENTS_H

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

#endif
