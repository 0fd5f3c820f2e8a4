/* Lines of the exposition format of Prometheus, for its writers. */
#pragma once

#include "base/text.h"
#include "fathom.h"

/* The metric that is being written: its help and type come before its first line. */
struct metric {
	struct text *text;
	const char *name, *help; /* without "fathom_" */
	bool begun;
};

/* The format's own escapes; and what a terminal would obey is shown, as in other answers. NULL of
 * `outside`: no label. */
void metric_label(struct text *labels, const char *name, const char *outside);
/* What is not finite is NaN. */
void metric_value(struct metric *metric, const struct text *labels, double value);
/* Takes what `labels` (may be NULL) holds and leaves it empty; what is not finite has no line. */
void metric_sample(struct metric *metric, struct text *labels, double value);
/* One without labels. */
void metric_plain(struct text *text, const char *name, const char *help, double value);

/* prometheus_fleet.c */
int prometheus_write_fleet(const struct fathom_fleet *fleet, struct text *text,
			   struct fathom_error *error);
