/* Documents made by hand, for the tests of what is written about them: all of it is allocated, and
 * given back by fathom_result_free and fathom_machine_free. */
#ifndef SAMPLES_H
#define SAMPLES_H

#include "fathom.h"

/* The warning and condition texts hold a plus-minus sign, the argv bytes that are no UTF-8. */
struct fathom_machine *sample_machine(void);
/* Nothing is known: NULL, 0 and NAN throughout, no list has an element. */
struct fathom_machine *sample_unknown_machine(void);
/* Control characters, line breaks, invalid UTF-8 and right-to-left marks in every text. */
struct fathom_machine *sample_hostile_machine(void);

/* `octaves` x 8 + 1 sizes from 1 KiB on, in four levels, of a random cycle. */
struct fathom_result *sample_result(unsigned octaves);
/* One curve without a point. */
struct fathom_result *sample_empty_result(void);
/* What can be missing is: no machine, no clock, intervals or pages; interrupted; one of the
 * points was not measured. */
struct fathom_result *sample_poor_result(void);
struct fathom_result *sample_hostile_result(void);

/* sample_result(20) with its control and its independent curve, and all that can be said of it:
 * three caches (the OS's L3 is far larger), memory, a TLB, and how other ways read it. */
struct fathom_result *sample_levels_result(void);
/* What another tool measured: 12 sizes and 7, at two spacings, without a machine; a cache, a step
 * that cannot be told, and a last level whose end was not reached. */
struct fathom_result *sample_foreign_result(void);
/* The first of these curves in cycles alone, of nodes that are not known. */
struct fathom_result *sample_cycles_result(void);

/* sample_levels_result with curves along the lanes, in large and small pages, of sizes in L1, L2
 * and memory; the last of them still rises. Reading in order in the large pages, with one thread
 * and two; and what is said of it. */
struct fathom_result *sample_parallelism_result(void);

/* sample_levels_result with curves of pages: the sizes from 16 KiB to 4 GiB in 4 KiB and in
 * transparent huge pages, and of the small ones one line a page and as many packed; and what is
 * said of them: two TLBs, walks in three places, nothing of the large pages' TLBs. */
struct fathom_result *sample_pages_result(void);

/* sample_levels_result as if two of its curves were runs at two clocks, with the laws of three
 * levels and three sizes. */
struct fathom_result *sample_clocks_result(void);

/* Pairs of 8 CPUs, with six blocks each, and their three classes. */
struct fathom_result *sample_cores_result(void);

struct fathom_plan *sample_plan(void);

#endif
