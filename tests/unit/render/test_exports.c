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
	assert_int_equal(format_find(format)->result(result, NULL, &text, NULL), 0);
	fathom_result_free(result);
	char *taken = text_take(&text);
	return taken ? taken : strdup("");
}

static void check_holds(const char *text, const char *wanted)
{
	if (!text || !strstr(text, wanted))
		fail_msg("not in it: %s\n%s", wanted, text ? text : "");
}

static void check_lacks(const char *text, const char *unwanted)
{
	if (!text || strstr(text, unwanted))
		fail_msg("in it: %s\n%s", unwanted, text ? text : "");
}

/* ---- markdown ---- */

static void markdown_has_tables(void **state)
{
	(void)state;
	char *text = write_as("markdown", sample_levels_result());
	check_holds(text, "# Memory of Example(R) Processor 9000 @ 2.70GHz\n");
	check_holds(text, "\n## Levels\n\n| level | size | OS says | latency |");
	check_holds(text, "\n| L1 | 48 KiB | 48 KiB | 1.36 ns \u00b1");
	check_holds(text, "\n## Latency\n");
	check_holds(text, "\n## Warnings\n\n- 64 MiB: the core clock varied");
	free(text);
	text = write_as("markdown", sample_parallelism_result());
	check_holds(text, "\n## Memory-level parallelism (MLP)\n");
	check_holds(text, "\n## Bandwidth\n");
	check_holds(text, "| lanes | ns/access | speed-up | ");
	free(text);
	text = write_as("markdown", sample_pages_result());
	check_holds(text, "\n- thp: not splintered: from 512 KiB to 7 MiB pages");
	check_holds(text, "| \u2264310 \u00b1");
	check_holds(text, "\n## TLBs\n");
	check_holds(text, "\n## Parts of a random access\n");
	check_lacks(text, "-0.00");
	free(text);
}

static void markdown_has_no_table_without_rows(void **state)
{
	(void)state;
	struct fathom_result *result = sample_result(3);
	for (size_t i = 0; i < result->curves[0].point_count; i++)
		result->curves[0].points[i].spec.pattern = FATHOM_READ;
	char *text = write_as("markdown", result);
	check_holds(text, "\n## Bandwidth\n");
	static const char *const others[] = {"## Levels", "## Latency", "## Accesses",
					     "## TLBs",   "## Parts",   "## Orders"};
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		check_lacks(text, others[i]);
	free(text);
}

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

static void prometheus_has_help_type_and_base_units(void **state)
{
	(void)state;
	char *text = write_as("prometheus", sample_levels_result());
	check_holds(text, "# HELP fathom_level_latency_seconds Latency of a dependent access that "
			  "the level answers.\n# TYPE fathom_level_latency_seconds gauge\n"
			  "fathom_level_latency_seconds{level=\"L1\",kind=\"cache\",");
	check_holds(text, "fathom_level_size_bytes{level=\"L1\",kind=\"cache\",pages=\"default\","
			  "curve=\"0\"} 49152\n");
	check_holds(text, "\nfathom_elapsed_seconds 19.8\n");
	check_holds(text, "\nfathom_interrupted 0\n");
	check_holds(text, "\nfathom_warnings{id=\"clock-wandered\"} 1\n");
	check_lacks(text, "nan");
	check_lacks(text, "fathom_bandwidth");
	free(text);
	text = write_as("prometheus", sample_parallelism_result());
	check_holds(text, "\nfathom_overlap_ratio{level=\"L1\",size_bytes=\"");
	check_holds(text, "\nfathom_bandwidth_bytes_per_second{operation=\"read\",threads=\"1\",");
	free(text);
	text = write_as("prometheus", sample_pages_result());
	check_holds(text, "\nfathom_translation_entries{pages=\"4k\",tlb=\"1\"} 96\n");
	check_holds(text, "\nfathom_access_part_seconds{part=\"walk\",size_bytes=\"");
	free(text);
}

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

static void gnuplot_holds_its_data(void **state)
{
	(void)state;
	char *text = write_as("gnuplot", sample_levels_result());
	check_holds(text, "\nset logscale x 2\n");
	check_holds(text, "'4 KiB' 4096");
	check_holds(text, "\nset xlabel 'size'");
	check_holds(text, "\nset ylabel 'latency (ns)'\n");
	check_holds(text, "\nset title 'Example(R) Processor 9000 @ 2.70GHz, guest of kvm' "
			  "noenhanced");
	check_holds(text, "set label 'L1 48 KiB' noenhanced at first 49152,");
	check_holds(text, "\n$series1 << EOD\n1024 ");
	check_holds(text, "$series1 using 1:3:4 with filledcurves");
	check_holds(text, "$series1 using 1:2 with linespoints ls 1 title 'random cycle'");
	check_holds(text, "$series3 using 1:2");
	check_lacks(text, "$series4");
	free(text);
}

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

static void gnuplot_without_intervals(void **state)
{
	(void)state;
	char *text = write_as("gnuplot", sample_poor_result());
	check_holds(text, " NaN NaN\n");
	check_lacks(text, "filledcurves");
	check_holds(text, "$series1 using 1:2 with linespoints");
	free(text);
}

/* Of a few points the interval is endless: the others can still be seen. */
static void gnuplot_axis_is_of_values(void **state)
{
	(void)state;
	struct fathom_result *result = sample_result(2);
	for (size_t i = 0; i < result->curves[0].point_count; i++) {
		struct fathom_point *point = &result->curves[0].points[i];
		point->latency_ns = 3.5;
		point->latency_low_ns = 3.4;
		point->latency_high_ns = 3.6;
	}
	result->curves[0].points[4].latency_high_ns = 1e6;
	char *text = write_as("gnuplot", result);
	check_holds(text, "\nset yrange [2.95652:12.075]\nset ytics ('5' 5, '10' 10)\n");
	check_holds(text, " 3.5 3.4 1000000\n");
	free(text);

	result = sample_result(1);
	for (size_t i = 0; i < result->curves[0].point_count; i++) {
		result->curves[0].points[i].latency_ns = 3.5;
		result->curves[0].points[i].latency_low_ns = NAN;
	}
	text = write_as("gnuplot", result);
	check_holds(text, "\nunset logscale y\nset ytics autofreq\n");
	free(text);
}

static void gnuplot_needs_a_curve(void **state)
{
	(void)state;
	struct fathom_result *result = sample_empty_result();
	struct text text = {0};
	struct fathom_error error = {0};
	assert_int_equal(format_find("gnuplot")->result(result, NULL, &text, &error), -1);
	assert_int_equal(error.status, FATHOM_BAD_INPUT);
	fathom_error_clear(&error);
	text_free(&text);
	fathom_result_free(result);
}

/* ---- all of them ---- */

static void whatever_is_missing(void **state)
{
	(void)state;
	static const char *const formats[] = {"markdown", "prometheus", "benchmark"};
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		struct fathom_result *results[] = {sample_empty_result(), sample_poor_result(),
						   sample_hostile_result(), sample_foreign_result(),
						   sample_cycles_result()};
		for (size_t k = 0; k < sizeof(results) / sizeof(*results); k++) {
			char *text = write_as(formats[i], results[k]);
			check_lacks(text, "(null)");
			check_lacks(text, "nan");
			check_lacks(text, "inf,");
			free(text);
		}
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(markdown_has_tables),
	cmocka_unit_test(markdown_has_no_table_without_rows),
	cmocka_unit_test(markdown_rows_fit),
	cmocka_unit_test(markdown_is_text_alone),
	cmocka_unit_test(prometheus_has_help_type_and_base_units),
	cmocka_unit_test(prometheus_lines_are_unique),
	cmocka_unit_test(prometheus_escapes_labels),
	cmocka_unit_test(benchmark_blocks_are_repetitions),
	cmocka_unit_test(benchmark_names_are_unique),
	cmocka_unit_test(gnuplot_holds_its_data),
	cmocka_unit_test(gnuplot_quotes_what_is_from_outside),
	cmocka_unit_test(gnuplot_without_intervals),
	cmocka_unit_test(gnuplot_axis_is_of_values),
	cmocka_unit_test(gnuplot_needs_a_curve),
	cmocka_unit_test(whatever_is_missing),
};
UNIT_GROUP();
