/* How a view grows: for the files that add to it alone. */
#pragma once

#include "views/view.h"

/* Room for one more of `bytes` each at the end of a list, which grows by doubling: zeroed; NULL: no
 * memory. */
void *view_grow(struct view *view, void *list, size_t count, size_t bytes);

/* In a function that returns nothing: one more item, or it returns. */
#define VIEW_GROW(view, list, count)                                                               \
	do {                                                                                       \
		void *grown_ = view_grow(view, list, count, sizeof(*(list)));                      \
		if (!grown_)                                                                       \
			return;                                                                    \
		(list) = grown_;                                                                   \
		(count)++;                                                                         \
	} while (0)

/* NULL of NULL, and where there is no memory. */
char *view_copy(struct view *view, const char *text);
/* NULL: there is no memory. */
char *view_taken(struct view *view, struct text *words);
/* The one that is added, or was added last; NULL where memory ran out. */
struct view_block *view_new_block(struct view *view, enum view_block_kind kind);
struct view_block *view_last_block(struct view *view);
