/* The tables of patterns, on results made by hand. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fathom.h"
#include "unit.h"

static struct fathom_point make_point(enum fathom_pattern pattern, uint64_t size_bytes,
				      uint64_t node_bytes, double ns)
{
	return (struct fathom_point){
		.spec = {.size_bytes = size_bytes,
			 .node_bytes = node_bytes,
			 .pattern = pattern,
			 .lanes = 1,
			 .threads = 1},
		.latency_ns = ns,
		.latency_low_ns = ns - 1,
		.latency_high_ns = ns + 1,
		.latency_cycles = NAN,
		.ns_per_access = NAN,
		.low_ns_per_access = NAN,
		.high_ns_per_access = NAN,
		.cycles_per_access = NAN,
		.clock_hz = NAN,
		.target = 0.01,
		.within_target = true,
	};
}

/* Its points and counts are the caller's. */
static char *write_text(struct fathom_curve *curves, size_t count,
			enum fathom_experiment experiment)
{
	struct fathom_result result = {.curves = curves,
				       .curve_count = count,
				       .clock_min_hz = NAN,
				       .clock_median_hz = NAN,
				       .clock_max_hz = NAN};
	char *text = NULL;
	size_t length;
	for (size_t i = 0; i < count; i++)
		curves[i].experiment = experiment;
	assert_int_equal(fathom_result_write(&result, "text", NULL, &text, &length, NULL), 0);
	assert_null(strstr(text, "\n\n\n"));
	return text;
}

static void assert_has(const char *text, const char *words)
{
	if (!strstr(text, words))
		fail_msg("'%s' is not in\n%s", words, text);
}

static void sizes_of_all_curves_have_a_row(void **state)
{
	(void)state;
	struct fathom_point random[] = {make_point(FATHOM_RANDOM_CYCLE, 4032, 96, 3),
					make_point(FATHOM_RANDOM_CYCLE, 65472, 96, 4)};
	struct fathom_point sequential[] = {make_point(FATHOM_SEQUENTIAL, 4096, 64, 1),
					    make_point(FATHOM_SEQUENTIAL, 16384, 64, 2)};
	struct fathom_curve curves[] = {{.points = random, .point_count = 2},
					{.points = sequential, .point_count = 2}};
	char *text = write_text(curves, 2, FATHOM_PATTERNS);
	assert_has(text, "\n     4 KiB               3.00                1.00\n");
	assert_has(text, "\n    16 KiB                  -                2.00\n");
	assert_has(text, "\n  63.9 KiB               4.00                   -\n");
	free(text);
}

static void values_of_the_matrix_are_marked(void **state)
{
	(void)state;
	struct fathom_point random[] = {make_point(FATHOM_RANDOM_CYCLE, 4096, 64, 3),
					make_point(FATHOM_RANDOM_CYCLE, 8192, 64, 4),
					make_point(FATHOM_RANDOM_CYCLE, 16384, 64, 5)};
	struct fathom_curve curve = {.points = random, .point_count = 3};
	random[1].within_target = random[2].within_target = false;
	random[2].latency_low_ns = random[2].latency_high_ns = NAN;
	char *text = write_text(&curve, 1, FATHOM_PATTERNS);
	assert_has(text, "\n     4 KiB               3.00\n");
	assert_has(text, "\n     8 KiB               4.00~\n");
	assert_has(text, "\n    16 KiB               5.00?\n");
	assert_has(text, "1 of 3 points meet the target");
	free(text);
}

static struct fathom_count make_count(const char *event, double per_access)
{
	static char reason[] = "none";
	struct fathom_count count = {.event = (char *)(uintptr_t)event,
				     .state = FATHOM_COUNTED,
				     .per_access = per_access,
				     .running_share = 1};
	if (isnan(per_access)) {
		count.state = FATHOM_NOT_SUPPORTED;
		count.reason = reason;
	}
	return count;
}

/* Of rows that were read from several runs, events may stand in any order, and be others. */
static void counts_are_found_by_name(void **state)
{
	(void)state;
	struct fathom_count first[] = {make_count("cycles", 11), make_count("l1d_misses", 22),
				       make_count("llc_misses", NAN)};
	struct fathom_count second[] = {make_count("l1d_misses", 33), make_count("cycles", 44),
					make_count("branches", 55)};
	struct fathom_point random = make_point(FATHOM_RANDOM_CYCLE, 4096, 64, 3);
	struct fathom_point sequential = make_point(FATHOM_SEQUENTIAL, 4096, 64, 1);
	struct fathom_curve curves[] = {{.points = &random, .point_count = 1},
					{.points = &sequential, .point_count = 1}};
	random.counts = first;
	sequential.counts = second;
	random.event_count = sequential.event_count = 3;
	static const enum fathom_experiment experiments[] = {FATHOM_PATTERNS, FATHOM_ABLATION};
	for (size_t i = 0; i < 2; i++) {
		char *text = write_text(curves, 2, experiments[i]);
		assert_has(text, "\n  per access, warm   cycles  l1d_misses  branches\n");
		assert_has(text, "\n  random cycle           11          22         -\n");
		assert_has(text, "\n  sequential             44          33        55\n");
		assert_has(text, "\n  llc_misses: not supported: none\n");
		free(text);
	}
}

static void rows_of_one_name_tell_their_nodes(void **state)
{
	(void)state;
	struct fathom_count count = make_count("cycles", 11);
	struct fathom_point near = make_point(FATHOM_RANDOM_CYCLE, 4096, 64, 3);
	struct fathom_point far = make_point(FATHOM_RANDOM_CYCLE, 4096, 128, 3);
	struct fathom_curve curves[] = {{.points = &near, .point_count = 1},
					{.points = &far, .point_count = 1}};
	near.counts = far.counts = &count;
	near.event_count = far.event_count = 1;
	char *text = write_text(curves, 2, FATHOM_ABLATION);
	assert_has(text, "\n  random cycle           11\n");
	assert_has(text, "\n  random cycle 128       11\n");
	free(text);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(sizes_of_all_curves_have_a_row),
	cmocka_unit_test(values_of_the_matrix_are_marked),
	cmocka_unit_test(counts_are_found_by_name),
	cmocka_unit_test(rows_of_one_name_tell_their_nodes),
};
UNIT_GROUP();
