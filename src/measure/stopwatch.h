/* The only clock. */
#ifndef MEASURE_STOPWATCH_H
#define MEASURE_STOPWATCH_H

#include <stdint.h>

/* CLOCK_MONOTONIC_RAW, in ns. Only differences mean anything. */
uint64_t stopwatch_now_ns(void);

#endif
