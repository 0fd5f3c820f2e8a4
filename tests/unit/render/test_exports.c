/* What other tools take: markdown, Prometheus's text, google-benchmark's JSON, gnuplot. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <ctype.h>
#include <jansson.h>

#include "render/formats.h"
#include "samples.h"
#include "unit.h"

/* Takes the result. */
static char *write_as(const char *format, struct fathom_result *result)
{
	struct text text = {0};
	assert_int_equal(
		format_find(format)->write(&(struct content){CONTENT_RESULT, {.result = result}},
					   NULL, &text, NULL),
		0);
	fathom_result_free(result);
	char *taken = text_take(&text);
	return taken ? taken : strdup("");
}

static void check_holds(const char *text, const char *wanted)
{
	if (!text || !strstr(text, wanted))
		fail_msg("not in it: %s\n%s", wanted, text ? text : "");
}

/* ---- markdown ---- */

/* The rows of a table have as many bars as its heading. */
static void markdown_rows_fit(void **state)
{
	(void)state;
	char *text = write_as("markdown", sample_pages_result());
	size_t bars = 0;
	for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
		size_t count = 0;
		for (char *c = line; *line == '|' && *c; c++)
			count += *c == '|' && (c == line || c[-1] != '\\');
		if (bars && count)
			assert_int_equal(count, bars);
		bars = count;
	}
	free(text);
}

static void markdown_is_text_alone(void **state)
{
	(void)state;
	struct fathom_result *result = sample_hostile_result();
	free(result->machine->cpu_model);
	result->machine->cpu_model = strdup("<script>|*x*`y`[z](u)");
	free(result->machine->description);
	result->machine->description = NULL;
	char *text = write_as("markdown", result);
	check_holds(text, "# Memory of \\<script\\>\\|\\*x\\*\\`y\\`\\[z\\](u)\n");
	for (const char *c = text; *c; c++)
		assert_true(*c == '\n' || (unsigned char)*c >= ' ');
	free(text);
}

/* ---- Prometheus ---- */

/* As promtool has it: each name in one piece after its help and type, no line twice. */
static void prometheus_lines_are_unique(void **state)
{
	(void)state;
	char *text = write_as("prometheus", sample_pages_result());
	size_t count = 0;
	char *lines[4096];
	for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
		char *value = *line == '#' ? NULL : strrchr(line, ' ');
		if (value)
			*value = 0;
		for (size_t i = 0; *line && i < count; i++)
			assert_string_not_equal(lines[i], line);
		assert_true(count < 4096);
		lines[count++] = line;
	}
	assert_true(count > 20);
	free(text);
}

static void prometheus_escapes_labels(void **state)
{
	(void)state;
	struct fathom_result *result = sample_hostile_result();
	free(result->machine->hostname);
	result->machine->hostname = strdup("a\"b\\c\nd\xFF\x1b[2J\a\r\tz");
	char *text = write_as("prometheus", result);
	check_holds(text,
		    "hostname=\"a\\\"b\\\\c\\\\x0ad\\\\xff\\\\x1b[2J\\\\x07\\\\x0d\\\\x09z\"");
	for (const char *c = text; *c; c++)
		assert_true(*c == '\n' || !iscntrl((unsigned char)*c));
	free(text);
}

/* ---- google-benchmark ---- */

static const char *text_at(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static void benchmark_blocks_are_repetitions(void **state)
{
	(void)state;
	struct fathom_result *result = sample_result(2);
	double block_ns = result->curves[0].points[0].blocks_ns[2];
	double median_ns = result->curves[0].points[0].latency_ns;
	char *text = write_as("benchmark", result);
	json_t *document = json_loads(text, 0, NULL);
	assert_non_null(document);
	const json_t *list = json_object_get(document, "benchmarks");
	assert_int_equal(json_array_size(list), 17 * (6 + 1));
	const json_t *third = json_array_get(list, 2), *median = json_array_get(list, 6);
	const char *name = "latency/random_cycle/size:1024/node:64/pages:default";
	assert_string_equal(text_at(third, "name"), name);
	assert_string_equal(text_at(third, "run_name"), name);
	assert_string_equal(text_at(third, "run_type"), "iteration");
	assert_string_equal(text_at(third, "time_unit"), "ns");
	assert_int_equal(json_integer_value(json_object_get(third, "repetition_index")), 2);
	assert_int_equal(json_integer_value(json_object_get(third, "repetitions")), 6);
	assert_int_equal(json_integer_value(json_object_get(third, "iterations")), 98304 / 6);
	assert_true(fabs(json_real_value(json_object_get(third, "real_time")) - block_ns) < 1e-6);
	assert_string_equal(text_at(median, "run_type"), "aggregate");
	assert_string_equal(text_at(median, "aggregate_name"), "median");
	assert_string_equal(text_at(median, "run_name"), name);
	assert_true(fabs(json_real_value(json_object_get(median, "cpu_time")) - median_ns) < 1e-6);
	const json_t *context = json_object_get(document, "context");
	assert_string_equal(text_at(context, "host_name"), "sample");
	assert_int_equal(json_array_size(json_object_get(context, "caches")), 4);
	json_decref(document);
	free(text);
}

/* Two files meet by the names: no two points have the same. */
static void benchmark_names_are_unique(void **state)
{
	(void)state;
	struct fathom_result *samples[] = {sample_levels_result(), sample_parallelism_result(),
					   sample_pages_result()};
	for (size_t s = 0; s < 3; s++) {
		char *text = write_as("benchmark", samples[s]);
		json_t *document = json_loads(text, 0, NULL), *seen = json_object();
		const json_t *list = json_object_get(document, "benchmarks");
		for (size_t i = 0; i < json_array_size(list); i++) {
			const json_t *one = json_array_get(list, i);
			char *key = text_format("%s %lld", text_at(one, "name"),
						(long long)json_integer_value(
							json_object_get(one, "repetition_index")));
			if (json_object_get(seen, key))
				fail_msg("twice: %s", key);
			json_object_set_new(seen, key, json_true());
			free(key);
		}
		json_decref(document);
		json_decref(seen);
		free(text);
	}
}

/* ---- gnuplot ---- */

/* What comes from outside stands between single quotes, on one line, and cannot end them. */
static void gnuplot_quotes_what_is_from_outside(void **state)
{
	(void)state;
	struct fathom_result *result = sample_result(2);
	free(result->machine->cpu_model);
	result->machine->cpu_model = strdup("x'; system('id') #\n`id`\" @a $b \\");
	free(result->machine->hypervisor);
	result->machine->hypervisor = NULL;
	char *text = write_as("gnuplot", result);
	check_holds(text, "\nset title 'x''; system(''id'') #\\x0a`id`\" @a $b \\' noenhanced\n");
	free(text);
}

static void gnuplot_needs_a_curve(void **state)
{
	(void)state;
	struct fathom_result *result = sample_empty_result();
	struct text text = {0};
	struct fathom_error error = {0};
	assert_int_equal(
		format_find("gnuplot")->write(&(struct content){CONTENT_RESULT, {.result = result}},
					      NULL, &text, &error),
		-1);
	assert_int_equal(error.status, FATHOM_BAD_INPUT);
	fathom_error_clear(&error);
	text_free(&text);
	fathom_result_free(result);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(markdown_rows_fit),
	cmocka_unit_test(markdown_is_text_alone),
	cmocka_unit_test(prometheus_lines_are_unique),
	cmocka_unit_test(prometheus_escapes_labels),
	cmocka_unit_test(benchmark_blocks_are_repetitions),
	cmocka_unit_test(benchmark_names_are_unique),
	cmocka_unit_test(gnuplot_quotes_what_is_from_outside),
	cmocka_unit_test(gnuplot_needs_a_curve),
};
UNIT_GROUP();
