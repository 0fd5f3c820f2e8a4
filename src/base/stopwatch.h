/* The only clock, and the calendar. */
#pragma once

#include <stdint.h>

/* CLOCK_MONOTONIC_RAW, in ns. Only differences mean anything. */
uint64_t stopwatch_now_ns(void);

/* The least that it is ever seen to move by: its step, or what reading it takes. */
double stopwatch_step_ns(void);

/* Lets that time pass; less where a signal came. */
void stopwatch_wait(double seconds);

/* The date and time of day, UTC: "2026-11-21T22:05:13Z". To be freed; NULL: no memory, or the clock
 * is far off. */
char *stopwatch_date(void);
/* Of such a date, since 1970; NAN: it is none, or NULL. */
double stopwatch_seconds_of(const char *date);
