/* The one size at which a machine's memory is quoted, so that runs can be compared. */
#pragma once

#include <stdbool.h>

#include "fathom.h"

/* May a guest have that to itself? Of a last cache that is larger for each CPU than any that is
 * sold, the OS tells the host's size. On metal everything is credible. */
bool quoted_is_credible(const struct fathom_machine *machine, const struct fathom_cache *cache);

/* 32 times the last cache, as a power of two (the nearest), so that sweeps have it whatever their
 * density. That is the last one that the OS reports; where it is not credible or not known, 1 GiB
 * is quoted. A cache that a curve shows (`reach_bytes`; 0: none) counts where the OS knows none so
 * large by far (4 times: a cache in front of memory; what others leave of a last cache wanders from
 * run to run). Not over 1 GiB, whose first touch takes 2 s where that is slow, unless that is less
 * than 4 times the last cache, of which a random cycle keeps at most 2 % (a fixed cycle under
 * random replacement). Never over a quarter of the memory, nor over what may be taken.
 * `machine` may be NULL: a foreign curve's. */
uint64_t quoted_bytes(const struct fathom_machine *machine, double reach_bytes);
