/* Threads that go for words at the same time. */
#pragma once

#include "measure/crew.h"

/* Fills what is measured of `one`, which says what the threads on these CPUs do; `key` draws the
 * lines. Where most runs are disturbed nothing is known. Errors: UNABLE (a CPU may not be used any
 * more: *lost), FAILED. */
int contention_measure(struct crew *crew, const int *cpus, uint64_t key,
		       struct fathom_contention *one, int *lost, struct fathom_error *error);
