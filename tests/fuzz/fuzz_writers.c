/* Whatever two texts hold: each format of what is read, fitted, explained, compared and held
 * against another clock is written, or refused for a reason. The texts stand one after the other, a
 * line
 * "====" between them. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fathom.h"

#define MOST_ASKED 300 /* systems of a search: the rest of it is no other code */
#define FITTED     4   /* so few of the lengths: a fit takes 50 times longer than the rest */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

static void require_reason(const struct fathom_error *error)
{
	require(error->status != FATHOM_OK && error->text);
}

/* Counts down. */
static bool is_enough(void *context)
{
	int *left = context;
	return (*left)-- <= 0;
}

static void free_written(char *text, size_t length)
{
	require(text && text[length] == 0);
	free(text);
}

static void write_all(const struct fathom_result *result, const struct fathom_style *style)
{
	static const char *const formats[] = {"text",     "json",       "csv",       "html",
					      "markdown", "prometheus", "benchmark", "gnuplot"};
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		struct fathom_error error = {0};
		char *text = NULL;
		size_t length;
		if (fathom_result_write(result, formats[i], style, &text, &length, &error)) {
			require(strcmp(formats[i], "gnuplot") == 0); /* there is no curve to draw */
			require_reason(&error);
			fathom_error_clear(&error);
		} else {
			free_written(text, length);
		}
	}
}

static bool fit(struct fathom_result *result)
{
	int left = MOST_ASKED;
	struct fathom_observer observer = {.context = &left, .stop = is_enough};
	struct fathom_error error = {0};
	if (fathom_fit(result, &observer, &error) == 0)
		return true;
	require(error.status == FATHOM_INTERRUPTED && result->level_count == 0);
	fathom_error_clear(&error);
	return false;
}

static struct fathom_result *read(const uint8_t *data, size_t size)
{
	struct fathom_result *result = NULL;
	if (fathom_result_read((const char *)data, size, NULL, &result, NULL))
		return NULL;
	return result;
}

static void check_parts(const struct fathom_compared_run *run)
{
	for (size_t i = 0; i < run->part_count; i++) {
		const struct fathom_compared_part *part = &run->parts[i];
		require(part->name && part->evidence && fathom_verdict_name((int)part->verdict));
		require(!(part->speedup_low > part->speedup_high));
		require(isnan(part->probability) ||
			(part->probability >= 0 && part->probability <= 1));
	}
}

static void try_comparison(const struct fathom_result *before, const struct fathom_result *after,
			   enum fathom_unit unit, const struct fathom_style *style)
{
	static const char *const formats[] = {"text", "json", "csv", "html"};
	const struct fathom_run baseline = {"before", before}, run = {"after", after};
	const struct fathom_compare_request request = {.baselines = &baseline,
						       .baseline_count = 1,
						       .runs = &run,
						       .run_count = 1,
						       .unit = unit};
	struct fathom_comparison *comparison = NULL;
	struct fathom_error error = {0};
	if (fathom_compare(&request, &comparison, &error)) {
		require_reason(&error);
		fathom_error_clear(&error);
		return;
	}
	check_parts(&comparison->runs[0]);
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		char *text = NULL;
		size_t length;
		require(fathom_comparison_write(comparison, formats[i], style, &text, &length,
						NULL) == 0);
		free_written(text, length);
	}
	fathom_comparison_free(comparison);
}

static void try_frequency(struct fathom_result *one, struct fathom_result *other,
			  const struct fathom_style *style)
{
	struct fathom_result *const runs[] = {one, other};
	struct fathom_result *result = NULL;
	struct fathom_error error = {0};
	if (fathom_frequency(runs, 2, NULL, &result, &error)) {
		require_reason(&error);
		fathom_error_clear(&error);
		return;
	}
	write_all(result, style);
	fathom_result_free(result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char between[] = "\n====\n";
	const size_t length = sizeof(between) - 1;
	const uint8_t *cut = memmem(data, size, between, length);
	size_t first = cut ? (size_t)(cut - data) : size;
	struct fathom_result *one = read(data, first);
	struct fathom_result *other = cut ? read(cut + length, size - first - length) : NULL;
	bool fits = size % FITTED == 0;
	const struct fathom_style style = {.columns = 40 + (unsigned)(size % 200),
					   .utf8 = size & 1,
					   .color = size & 2,
					   .every_point = size & 4,
					   .explain = size & 8,
					   .y = (enum fathom_y)(size % 3)};
	if (one) {
		write_all(one, &style);
		require(fathom_explain(one, NULL) == 0);
		if (fits && fit(one))
			write_all(one, &style);
	}
	if (one && other) {
		if (fits)
			fit(other);
		try_comparison(one, other, (enum fathom_unit)(size % 3), &style);
		if (one->level_count) { /* else all of a search would come first */
			try_frequency(one, other, &style);
			/* Their curves may be without points now. */
			try_comparison(one, other, FATHOM_UNIT_AUTO, &style);
		}
	}
	fathom_result_free(one);
	fathom_result_free(other);
	return 0;
}
