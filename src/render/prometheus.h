/* Lines of the exposition format of Prometheus, for its writers. */
#pragma once

#include "base/text.h"
#include "fathom.h"

#define NS_A_SECOND 1e9

/* The metric that is being written: its help and type come before its first line. */
struct metric {
	struct text *text;
	const char *name, *help; /* without "fathom_" */
	bool begun;
};

/* The format's own escapes; and what a terminal would obey is shown, as in other answers. NULL of
 * `outside`: no label. */
void metric_label(struct text *labels, const char *name, const char *outside);
void metric_count(struct text *labels, const char *name, unsigned long long count);
/* The double at that place of an object. */
double metric_double(const void *object, size_t offset);
/* What is not finite is NaN. */
void metric_value(struct metric *metric, const struct text *labels, double value);
/* Takes what `labels` (may be NULL) holds and leaves it empty; what is not finite has no line. */
void metric_sample(struct metric *metric, struct text *labels, double value);
/* One without labels. */
void metric_plain(struct text *text, const char *name, const char *help, double value);

/* prometheus_cores.c: pairs and groups of CPUs, and NUMA nodes. */
void prometheus_add_cores(const struct fathom_result *result, struct text *text);

/* prometheus_fleet.c */
int prometheus_write_fleet(const struct fathom_fleet *fleet, struct text *text,
			   struct fathom_error *error);
