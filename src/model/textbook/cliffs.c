#include "model/textbook/reader.h"

#include <math.h>

/* At the largest size that surely fits, and lies beyond the reach before: of what the curve says of
 * the cache's size, and the OS, the less. data.count: none. */
static size_t point_before(const struct fitted *fitted, size_t which)
{
	const struct curve_data *data = &fitted->data;
	const struct fathom_level *level = fitted->sources[which];
	double low = isfinite(level->size_low_bytes) ? level->size_low_bytes : level->size_bytes;
	if (level->reported_bytes)
		low = fmin(low, (double)level->reported_bytes);
	double before = which ? fitted->levels[which - 1].reach_bytes : 0;
	size_t found = data->count;
	for (size_t i = 0; i < data->count; i++) {
		double bytes = exp(data->ln_size[i]);
		if (bytes > before && bytes <= low * (1 + 1e-9))
			found = i;
	}
	return found;
}

/* In one decimal, however large: 10.4 % is not within 10 %. */
static void add_exact_percent(struct text *text, double share)
{
	double percent = 100 * share;
	text_add(text, "%+.1f %%", fabs(percent) < 0.05 ? 0 : percent);
}

/* "L2 +1.2 % at 1.8 MiB". Over the first level a share of next to nothing would mean nothing. */
static void add_cliff(const struct reader *reader, size_t which, size_t point, struct text *text)
{
	const struct fitted *fitted = &reader->fitted;
	double fit = fitted->levels[which].latency;
	text_add(text, "%s %s ", which ? "," : "", fitted->sources[which]->name);
	if (point == fitted->data.count || !isfinite(fit)) { /* it may have been withheld */
		text_add(text, "none");
		return;
	}
	if (fitted->curve->relative_to_l1)
		text_add(text, "%+.2g %s", fitted->data.value[point] - fit, reader_unit(reader));
	else
		add_exact_percent(text, fitted->data.value[point] / fit - 1);
	text_add(text, " at ");
	reader_add_size(text, exp(fitted->data.ln_size[point]));
}

/* The textbook has it that they are within 10 to 15 % of the true latency. */
#define CLAIMED       0.15
#define CLAIMED_LEAST 0.10

/* Is the latency itself known as well as that? */
static bool is_known(const struct fathom_level *level)
{
	double low = level->latency_low_ns, high = level->latency_high_ns;
	return !(high - low > 2 * CLAIMED * level->latency_ns);
}

/* How many of the points are within `share` of the fit, of levels that are known. */
static size_t count_within(const struct fitted *fitted, double share)
{
	size_t count = 0;
	for (size_t i = 0; i < fitted->count; i++) {
		size_t point = point_before(fitted, i);
		count += point < fitted->data.count && is_known(fitted->sources[i]) &&
			 fabs(fitted->data.value[point] / fitted->levels[i].latency - 1) <= share;
	}
	return count;
}

static void add_claim(const struct fitted *fitted, struct text *text)
{
	size_t known = 0;
	if (fitted->curve->relative_to_l1)
		return;
	for (size_t i = 0; i < fitted->count; i++)
		known += is_known(fitted->sources[i]);
	text_add(text, " Of %zu%s, %zu within the textbook's bound of 15 %%, %zu within 10 %%.",
		 known, known < fitted->count ? " whose latency is known to 15 %" : "",
		 count_within(fitted, CLAIMED), count_within(fitted, CLAIMED_LEAST));
}

int reader_add_cliffs(struct reader *reader)
{
	const struct fitted *fitted = &reader->fitted;
	struct text text = {0};
	text_add(&text,
		 "Latency at the largest size that surely fits in each cache (where its "
		 "interval is wide an estimate of the mean), and its deviation from the "
		 "latency that was fitted to this curve (translation in it: the true one may "
		 "be lower):");
	for (size_t i = 0; i < fitted->count; i++)
		add_cliff(reader, i, point_before(fitted, i), &text);
	text_add(&text, ".");
	add_claim(fitted, &text);
	text_add(&text, " A single point cannot show how much of that is misses or translation.");
	struct fathom_reading *reading =
		reader_append(reader, "value right before the cliff", NAN, text_take(&text));
	if (!reading)
		return -1;
	for (size_t i = 0; i < fitted->count; i++) {
		size_t point = point_before(fitted, i);
		if (point < fitted->data.count)
			reading->latency[i] = fitted->data.value[point];
	}
	return 0;
}
