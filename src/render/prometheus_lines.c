#include "render/prometheus.h"

#include <math.h>

#include "base/utf8.h"

void metric_label(struct text *labels, const char *name, const char *outside)
{
	if (!outside)
		return;
	text_add(labels, "%s%s=\"", labels->length ? "," : "", name);
	utf8_add_marked(labels, outside, "\"\\", '\\');
	text_add(labels, "\"");
}

void metric_count(struct text *labels, const char *name, unsigned long long count)
{
	text_add(labels, "%s%s=\"%llu\"", labels->length ? "," : "", name, count);
}

double metric_double(const void *object, size_t offset)
{
	return *(const double *)(const void *)((const char *)object + offset);
}

void metric_value(struct metric *metric, const struct text *labels, double value)
{
	if (!metric->begun)
		text_add(metric->text, "# HELP fathom_%s %s\n# TYPE fathom_%s gauge\n",
			 metric->name, metric->help, metric->name);
	metric->begun = true;
	text_add(metric->text, "fathom_%s", metric->name);
	if (labels && labels->length)
		text_add(metric->text, "{%s}", labels->data);
	if (isfinite(value))
		text_add(metric->text, " %.9g\n", value);
	else
		text_add(metric->text, " NaN\n");
}

void metric_sample(struct metric *metric, struct text *labels, double value)
{
	if (isfinite(value))
		metric_value(metric, labels, value);
	if (labels) {
		metric->text->failed |= labels->failed;
		text_free(labels);
	}
}

void metric_plain(struct text *text, const char *name, const char *help, double value)
{
	struct metric metric = {text, name, help, false};
	metric_sample(&metric, NULL, value);
}
