/* Of a group: which steps, which frames, whose clock, how much noise, and what a control shows
 * besides.
 */
#ifndef MODEL_LEVELS_GROUP_SEARCH_H
#define MODEL_LEVELS_GROUP_SEARCH_H

#include "model/levels/group.h"

/* Finds the steps that explain the curves of the group, which are in its problem, at the least
 * cost, and leaves the problem as they explain it. */
void group_search(struct group *group);

#endif
