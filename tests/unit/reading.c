#include "reading.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int try(const char *bytes, size_t length, const struct fathom_input *input,
	       struct fathom_result **result, struct fathom_error *error)
{
	char *exact = malloc(length ? length : 1);
	assert_non_null(exact);
	memcpy(exact, bytes, length);
	int status = fathom_result_read(exact, length, input, result, error);
	free(exact);
	return status;
}

struct fathom_result *read_bytes(const char *bytes, size_t length, const struct fathom_input *input)
{
	struct fathom_result *result = NULL;
	struct fathom_error error = {0};
	if (try(bytes, length, input, &result, &error))
		fail_msg("refused: %s (%s)", error.text, error.hint ? error.hint : "no hint");
	assert_non_null(result);
	assert_null(error.text);
	return result;
}

struct fathom_result *read_text(const char *text, const struct fathom_input *input)
{
	return read_bytes(text, strlen(text), input);
}

void refuse_bytes(const char *bytes, size_t length, const struct fathom_input *input,
		  enum fathom_status status, const char *reason, const char *hint)
{
	struct fathom_result *result = NULL;
	struct fathom_error error = {0};
	if (try(bytes, length, input, &result, &error) == 0)
		fail_msg("taken, although: %s", reason);
	assert_null(result);
	if (error.status != status || !strstr(error.text, reason))
		fail_msg("%d, '%s' does not say '%s'", (int)error.status, error.text, reason);
	if (hint && (!error.hint || !strstr(error.hint, hint)))
		fail_msg("hint '%s' does not say '%s'", error.hint ? error.hint : "", hint);
	for (const char *c = error.text; *c; c++)
		assert_true(*c >= ' ' && *c < 127);
	assert_true(strlen(error.text) < 400);
	fathom_error_clear(&error);
}

void refuse_text(const char *text, const struct fathom_input *input, enum fathom_status status,
		 const char *reason, const char *hint)
{
	refuse_bytes(text, strlen(text), input, status, reason, hint);
}

static void check_unknown(const struct fathom_point *point)
{
	assert_true(isnan(point->latency_low_ns) && isnan(point->latency_high_ns));
	assert_true(isnan(point->latency_cycles) && isnan(point->latency_low_cycles));
	assert_true(isnan(point->clock_hz) && isnan(point->target) && isnan(point->page_share));
	assert_true(point->nodes == 0 && point->lines_touched == 0 && point->page_bytes == 0);
	assert_true(point->block_count == 0 && !point->blocks_ns && !point->samples_ns);
}

void check_curve(const struct fathom_result *result, size_t index, const char *tool, size_t count,
		 const double points[][2])
{
	assert_true(index < result->curve_count);
	const struct fathom_curve *curve = &result->curves[index];
	assert_string_equal(curve->tool, tool);
	assert_int_equal(curve->cpu, -1);
	assert_int_equal(curve->point_count, count);
	for (size_t i = 0; i < count; i++) {
		double size_bytes = (double)curve->points[i].spec.size_bytes;
		double latency_ns = curve->points[i].latency_ns;
		if (size_bytes != points[i][0] || !(fabs(latency_ns - points[i][1]) < 1e-9))
			fail_msg("%g bytes, %g ns, not %g, %g", size_bytes, latency_ns,
				 points[i][0], points[i][1]);
		check_unknown(&curve->points[i]);
	}
	assert_null(result->machine);
	assert_true(isnan(result->elapsed_s) && isnan(result->clock_median_hz));
}
