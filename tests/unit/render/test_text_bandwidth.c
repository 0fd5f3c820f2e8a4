/* Bandwidth for people: a table for each number of threads, one size in detail, and what of it is
 * said in words. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "render/formats.h"
#include "unit.h"

#define SIZES  2
#define CURVES 5

/* GB/s at 16 KiB and at 1 GiB. */
static const struct row {
	enum fathom_pattern pattern;
	uint32_t threads, vector_bytes;
	double values[SIZES];
	double moved; /* times what is asked for */
} rows[CURVES] = {
	{FATHOM_READ, 1, 64, {400, 16}, 1},      {FATHOM_READ, 4, 64, {1600, 40}, 1},
	{FATHOM_WRITE, 1, 32, {200, 9}, 2},      {FATHOM_WRITE, 4, 32, {800, 22.5}, 2},
	{FATHOM_WRITE_NT, 1, 64, {24, 22.5}, 1},
};

static struct fathom_point points[CURVES][SIZES];
static struct fathom_curve curves[CURVES];

static struct fathom_point make_point(const struct row *row, int size)
{
	double value = row->values[size] * 1e9;
	return (struct fathom_point){
		.spec = {.size_bytes = size ? 1 << 30 : 16 << 10,
			 .node_bytes = 64,
			 .lanes = 1,
			 .threads = row->threads,
			 .vector_bytes = row->vector_bytes,
			 .pattern = row->pattern},
		.page_bytes = 4096,
		.page_share = 1,
		.latency_ns = NAN,
		.ns_per_access = 64e9 * row->threads / value,
		.bandwidth_bytes_per_second = value,
		.bandwidth_low_bytes_per_second = 0.99 * value,
		.bandwidth_high_bytes_per_second = 1.01 * value,
		.bandwidth_best = 1.02 * value,
		.bandwidth_slowest_thread = row->threads > 1 ? value / row->threads : NAN,
		.bandwidth_fastest_thread = row->threads > 1 ? 1.1 * value / row->threads : NAN,
		.traffic_bytes_per_second = row->moved * value,
		.target = 0.01,
		.within_target = true,
		.block_count = 6,
		.sample_count = 18,
	};
}

static struct fathom_result make_result(size_t sizes)
{
	for (int i = 0; i < CURVES; i++) {
		for (size_t k = 0; k < sizes; k++)
			points[i][k] = make_point(&rows[i], (int)(k + SIZES - sizes));
		curves[i] = (struct fathom_curve){.experiment = FATHOM_BANDWIDTH,
						  .cpu = 1,
						  .points = points[i],
						  .point_count = sizes};
	}
	return (struct fathom_result){.curves = curves,
				      .curve_count = CURVES,
				      .elapsed_s = 2,
				      .clock_median_hz = NAN,
				      .clock_min_hz = NAN,
				      .clock_max_hz = NAN};
}

static char *write(const struct fathom_result *result)
{
	const struct fathom_style style = {.columns = 80};
	struct text text = {0};
	assert_int_equal(format_find("text")->result(result, &style, &text, NULL), 0);
	char *taken = text_take(&text);
	assert_non_null(taken);
	for (const char *line = taken, *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		assert_true(end - line <= 80);
	}
	return taken;
}

/* Blanks and line ends are all one. */
static void check_has(const char *text, const char *wanted)
{
	char *flat = malloc(strlen(text) + 1), *at = flat;
	assert_non_null(flat);
	for (const char *from = text; *from; from++)
		if ((*from != ' ' && *from != '\n') || (at > flat && at[-1] != ' '))
			*at++ = *from == '\n' ? ' ' : *from;
	*at = 0;
	if (!strstr(flat, wanted))
		fail_msg("'%s' is not in\n%s", wanted, text);
	free(flat);
}

static void sizes_stand_in_tables(void **state)
{
	(void)state;
	struct fathom_result result = make_result(2);
	points[2][1].within_target = false;
	points[4][1].within_target = false;
	points[4][1].bandwidth_low_bytes_per_second = NAN;
	char *text = write(&result);
	check_has(text, "in address order");
	check_has(text, "bytes per second, one thread");
	check_has(text, "GB/s, one thread: size read write write nt 16 KiB 400 200 24.0 "
			"1 GiB 16.0 9.00~ 22.5?");
	check_has(text, "GB/s, 4 threads together, each in its own memory of that size: size read "
			"write 16 KiB 1600 800 1 GiB 40.0 22.5");
	check_has(text,
		  "GB/s per thread, average of 4: size read write 16 KiB 400 200 1 GiB 10.0 5.62");
	check_has(text, "8 of 10 points meet the target");
	check_has(text, "512 bits (read), 256 bits (write), 512 bits (write nt)");
	check_has(text, "writing 1 GiB per thread reaches 9 GB/s");
	check_has(text, "18 GB/s of traffic if every store fetches its line; non-temporal stores "
			"(nt) reach 2.50 times as much");
	check_has(text, "4 threads against one, at 1 GiB each: speed-up 2.50 (read), 2.50 (write)");
	check_has(text, "slowest and fastest of 4 threads at 1 GiB each, GB/s: 10 to 11 (read), "
			"5.62 to 6.19 (write)");
	assert_null(strstr(text, "per thread   traffic"));
	free(text);
}

static void one_size_is_told_in_detail(void **state)
{
	(void)state;
	struct fathom_result result = make_result(1);
	char *text = write(&result);
	check_has(text,
		  "1 GiB per thread, GB/s: operation threads median 95 % best per thread traffic");
	check_has(text, "read 1 16.0 15.84 - 16.16 16.3 16.0 16.0");
	check_has(text, "write 4 22.5 22.27 - 22.73 22.9 5.62 45.0");
	free(text);
}

/* Of what was interrupted, there may be any part. */
static void gaps_are_shown_as_gaps(void **state)
{
	(void)state;
	struct fathom_result result = make_result(2);
	curves[0].point_count = 0;
	points[3][1].spec.size_bytes = 1 << 20;
	points[2][0] = points[2][1];
	curves[2].point_count = 1;
	char *text = write(&result);
	check_has(text, "size write write nt 16 KiB - 24.0 1 GiB 9.00 22.5");
	check_has(text, "size read write 16 KiB 1600 800 1 MiB - 22.5 1 GiB 40.0 -");
	free(text);
}

static void where_nothing_is_gained_that_is_said(void **state)
{
	(void)state;
	struct fathom_result result = make_result(2);
	points[4][1].bandwidth_bytes_per_second = 9e9;
	char *text = write(&result);
	check_has(text, "non-temporal stores (nt) are no faster, 9 GB/s");
	free(text);
}

/* What a cache keeps has no such traffic. */
static void small_sizes_have_no_word_of_traffic(void **state)
{
	(void)state;
	struct fathom_result result = make_result(1);
	for (int i = 0; i < CURVES; i++)
		points[i][0].spec.size_bytes = 16 << 20;
	char *text = write(&result);
	check_has(text, "writing 16 MiB per thread reaches 9 GB/s; non-temporal stores");
	assert_null(strstr(text, "GB/s of traffic"));
	free(text);
}

static void widths_and_pages_do_not_overwrite_each_other(void **state)
{
	(void)state;
	struct fathom_result result = make_result(2);
	for (size_t k = 0; k < SIZES; k++) {
		points[1][k].spec.threads = 1; /* read, of half the width */
		points[1][k].spec.vector_bytes = 32;
		points[3][k].spec.page = FATHOM_PAGE_4K;
	}
	char *text = write(&result);
	check_has(text,
		  "GB/s, one thread, default pages, 256 bits: size read write 16 KiB 1600 200");
	check_has(text, "GB/s, one thread, default pages, 512 bits: size read write nt 16 KiB 400");
	check_has(text,
		  "in its own memory of that size, 4k pages, 256 bits: size write 16 KiB 800");
	free(text);
	result = make_result(1);
	points[1][0].spec.threads = 1;
	points[1][0].spec.vector_bytes = 32;
	text = write(&result);
	check_has(text, "read, 256 bits 1 40.0");
	check_has(text, "read, 512 bits 1 16.0");
	free(text);
}

static void a_width_that_is_not_known_is_left_out(void **state)
{
	(void)state;
	struct fathom_result result = make_result(2);
	points[4][0].spec.vector_bytes = 0;
	char *text = write(&result);
	check_has(text, "512 bits (read), 256 bits (write)");
	assert_null(strstr(text, "0 bits"));
	free(text);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(sizes_stand_in_tables),
	cmocka_unit_test(one_size_is_told_in_detail),
	cmocka_unit_test(gaps_are_shown_as_gaps),
	cmocka_unit_test(where_nothing_is_gained_that_is_said),
	cmocka_unit_test(small_sizes_have_no_word_of_traffic),
	cmocka_unit_test(widths_and_pages_do_not_overwrite_each_other),
	cmocka_unit_test(a_width_that_is_not_known_is_left_out),
};
UNIT_GROUP();
