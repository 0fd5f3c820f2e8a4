#include "base/stopwatch.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define STEPS 16
#define DATE  "%Y-%m-%dT%H:%M:%SZ"

uint64_t stopwatch_now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

double stopwatch_step_ns(void)
{
	uint64_t least_ns = UINT64_MAX;
	for (int i = 0; i < STEPS; i++) {
		uint64_t before_ns = stopwatch_now_ns(), now_ns;
		do {
			now_ns = stopwatch_now_ns();
		} while (now_ns == before_ns);
		least_ns = now_ns - before_ns < least_ns ? now_ns - before_ns : least_ns;
	}
	return (double)least_ns;
}

void stopwatch_wait(double seconds)
{
	double whole = floor(seconds);
	const struct timespec time = {(time_t)whole, (long)((seconds - whole) * 1e9)};
	nanosleep(&time, NULL);
}

char *stopwatch_date(void)
{
	char text[sizeof("2026-11-21T22:05:13Z")];
	struct tm parts;
	time_t now = time(NULL);
	if (!gmtime_r(&now, &parts) || !strftime(text, sizeof(text), DATE, &parts))
		return NULL;
	return strdup(text);
}

double stopwatch_seconds_of(const char *date)
{
	struct tm parts = {0};
	const char *end = date ? strptime(date, DATE, &parts) : NULL;
	return end && !*end ? (double)timegm(&parts) : NAN;
}
