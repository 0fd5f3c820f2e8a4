/* Latencies that part one kind of neighbours from the next. Medians of classes in published
 * matrices (corpus/cores, and nviennot/core-to-core-latency), each bound the geometric mean of what
 * it parts. Siblings read up to 10.3 ns (Threadripper 1950X), cores of one cache from 16 ns (Ryzen
 * 9 5900X) to 48 ns, and cores that share none from 74 ns (Xeon X5650). What lies between may be
 * either: siblings at a low clock 16.5 ns (Ryzen 7 5700X, issue 7), and the first number of two
 * cores with a cache of their own that no siblings read is 41 ns (Xeon Phi). */
#pragma once

#include "model/cores/core_levels.h"

#define CORE_SIBLINGS_MOST_NS 12.8
#define CORE_TWOS_MOST_NS     26.0
#define CORE_CACHE_MOST_NS    59.6
#define CORE_CACHE_SEEN_NS    48.0 /* the slowest cache itself */

/* Names the class, whose latencies `made` has, and returns why: allocated; NULL: out of memory.
 * `lines`: how many lines that is of; `scatter`: standard deviation of the logarithms of its pairs;
 * `before`: the kind of the class before. */
char *core_kinds_name(const struct core_levels *levels, size_t class, double scatter, double lines,
		      struct fathom_core_class *made, enum fathom_core_class_kind before);
