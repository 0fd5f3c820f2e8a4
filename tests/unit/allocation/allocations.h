/* Memory that runs out on purpose. The linker sends the allocations of this executable, and jansson
 * its own, through here (-Wl,--wrap). */
#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

#include <stddef.h>

#include "fathom.h"

/* Does what is tested, calls allocations_spare, and makes a text of what came of it, which the
 * caller frees. -1: it failed, with an error. */
typedef int attempt(const void *work, char **text, struct fathom_error *error);

/* From here on no allocation of this attempt fails or counts; or they do again. */
void allocations_spare(void);
void allocations_resume(void);

enum allocations {
	ALLOCATIONS_OURS,
	ALLOCATIONS_WITH_JANSSON,
	/* While jansson reads: it loses bytes of a text for which it has no memory and does not
	 * tell, so that the text is another one, or a bad one. Then what came of it is not
	 * compared. */
	ALLOCATIONS_READING_JANSSON
};

/* Attempts it once, and then again for each of its allocations: that one fails, alone, and then
 * with all that follow. Of more than `most` allocations as many are chosen, evenly. Each attempt
 * either fails with FAILED, "out of memory", or comes to the same text; what it allocated is freed.
 * Fails the test where that is not so. */
void allocations_fail_each(attempt *run, const void *work, enum allocations which, size_t most,
			   const char *name);

#endif
