/* The levels of a result: what the curves of a latency measurement say of caches, TLBs and memory.
 */
#ifndef MODEL_LEVELS_LEVELS_H
#define MODEL_LEVELS_LEVELS_H

#include "model/levels/group.h"

/* Fills result->levels from the curves of FATHOM_LATENCY along FATHOM_AXIS_SIZE: the first is the
 * main one; a FATHOM_WINDOW curve is its control and a FATHOM_INDEPENDENT one its other order.
 * What the curves leave open is added to the warnings ("memory-not-reached", ...).
 * reported_bytes is left 0 (reported.h). `observer` (may be NULL): its `stop` ends it.
 * `chains` (may be NULL) takes over the group that was fitted with chains through pages; there is
 * none where its `paged` is GROUP_NO_CURVE. Errors: FAILED (memory), INTERRUPTED: there are no
 * levels then. */
int levels_find(struct fathom_result *result, const struct fathom_observer *observer,
		struct group *chains, struct fathom_error *error);
/* Sizes where another point would tell most of a reach of the levels found, at most `most`; how
 * many: 0 where all are known well enough, or lie between neighbours that are near enough. */
size_t levels_wanted(const struct fathom_result *result, uint64_t *sizes_bytes, size_t most);

#endif
