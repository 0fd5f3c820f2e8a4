/* What figures show of a result. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "render/figures.h"
#include "samples.h"
#include "unit.h"

static struct figure make(const struct fathom_result *result, enum figure_kind kind,
			  enum fathom_y y)
{
	const struct fathom_run run = {"sample.json", result};
	struct figure figure = {0};
	assert_int_equal(figure_make(&run, 1, kind, y, &figure, NULL), 0);
	return figure;
}

static void a_point_is_a_row_with_its_interval(void **state)
{
	(void)state;
	struct fathom_result *result = sample_result(4);
	struct figure figure = make(result, FIGURE_LATENCY, FATHOM_Y_NS);
	const struct fathom_point *point = &result->curves[0].points[7];
	assert_int_equal(figure.series_count, 1);
	assert_int_equal(figure.series[0].count, 33);
	assert_true(figure.series[0].rows[7].x == (double)point->spec.size_bytes);
	assert_true(figure.series[0].rows[7].y == point->latency_ns);
	assert_true(figure.series[0].rows[7].low == point->latency_low_ns);
	assert_true(figure.series[0].rows[7].high == point->latency_high_ns);
	assert_string_equal(figure.y_label, "latency (ns)");
	figure_free(&figure);
	figure = make(result, FIGURE_LATENCY, FATHOM_Y_CYCLES);
	assert_true(figure.series[0].rows[7].y == point->latency_cycles);
	assert_string_equal(figure.y_label, "latency (cycles)");
	figure_free(&figure);
	fathom_result_free(result);
}

static void nodes_are_a_matrix(void **state)
{
	(void)state;
	struct fathom_node_access nodes[] = {
		{.cpu = 4, .cpu_node = 1, .memory_node = 1, .latency_ns = 80},
		{.cpu = 4, .cpu_node = 1, .memory_node = 2, .latency_ns = 200},
		{.cpu = 0, .cpu_node = 0, .memory_node = 2, .latency_ns = 210},
	};
	const struct fathom_result result = {.nodes = nodes, .node_count = 3};
	struct figure figure = make(&result, FIGURE_NODES, FATHOM_Y_NS);
	const struct figure_matrix *matrix = &figure.matrix;
	assert_true(matrix->count == 2 && matrix->column_count == 2);
	assert_true(matrix->cpus[0] == 1 && matrix->cpus[1] == 0);
	assert_true(figure_column(matrix, 0) == 1 && figure_column(matrix, 1) == 2);
	assert_true(matrix->values[0] == 80 && matrix->values[1] == 200 &&
		    matrix->values[3] == 210);
	assert_true(isnan(matrix->values[2]));
	assert_true(matrix->least == 80 && matrix->greatest == 210);
	figure_free(&figure);
}

static void contention_is_a_series_a_layout_and_class(void **state)
{
	(void)state;
	struct fathom_core_class classes[] = {{.kind = FATHOM_CORES_SMT},
					      {.kind = FATHOM_CORES_SAME_CACHE}};
	struct fathom_contention all[8] = {{0}};
	for (size_t i = 0; i < 8; i++)
		all[i] = (struct fathom_contention){
			.operation = FATHOM_OPERATION_ADD,
			.layout = i % 2 ? FATHOM_LAYOUT_ONE_WORD : FATHOM_LAYOUT_OWN_WORDS,
			.threads = i < 2 ? 2 : 1u << (i / 2),
			.core_class = i < 2 ? 0 : 1,
			.op_ns = 10 + (double)i,
			.op_low_ns = NAN,
			.op_high_ns = NAN,
		};
	struct fathom_result result = {.core_classes = classes,
				       .core_class_count = 2,
				       .contention = all,
				       .contention_count = 8};
	struct figure figure = make(&result, FIGURE_CONTENTION, FATHOM_Y_NS);
	assert_int_equal(figure.series_count, 2); /* of two threads alone there is no curve */
	assert_string_equal(figure.series[0].name, "one line, same cache");
	assert_string_equal(figure.series[1].name, "one word, same cache");
	assert_int_equal(figure.series[0].count, 3);
	assert_true(figure.series[0].rows[2].x == 8 && figure.series[0].rows[2].y == 16);
	figure_free(&figure);
	result.contention_count = 2;
	assert_false(figure_is_held(&result, FIGURE_CONTENTION));
}

static void what_was_not_measured_is_left_out(void **state)
{
	(void)state;
	struct fathom_result *result = sample_poor_result();
	struct figure figure = make(result, FIGURE_LATENCY, FATHOM_Y_NS);
	assert_int_equal(figure.series[0].count, result->curves[0].point_count - 1);
	for (size_t i = 0; i < figure.series[0].count; i++)
		assert_true(isnan(figure.series[0].rows[i].low));
	figure_free(&figure);
	fathom_result_free(result);
}

static void cycles_where_there_is_no_time(void **state)
{
	(void)state;
	struct fathom_result *result = sample_cycles_result();
	struct figure figure = make(result, FIGURE_LATENCY, FATHOM_Y_NS);
	assert_string_equal(figure.y_label, "latency (cycles)");
	assert_true(figure.series[0].count > 0);
	figure_free(&figure);
	fathom_result_free(result);
}

/* 64 KiB and 68 KiB: the second name begins 0.75 octaves to the right of the first. */
static void names_of_near_marks_stand_apart(void **state)
{
	(void)state;
	struct fathom_result *result = sample_levels_result();
	struct text script = {0};
	struct figure figure = make(result, FIGURE_LATENCY, FATHOM_Y_NS);
	for (size_t i = 0; i < figure.mark_count; i++)
		figure.marks[i].x = i == 1 ? 68 << 10 : 65536 << 2 * i;
	assert_int_equal(gnuplot_write_figure(&figure, &script, NULL), 0);
	assert_non_null(strstr(script.data, "noenhanced at first 65536,"));
	assert_non_null(strstr(script.data, "noenhanced at first 110217."));
	text_free(&script);
	figure_free(&figure);
	fathom_result_free(result);
}

static void levels_with_an_end_are_marks(void **state)
{
	(void)state;
	struct fathom_result *result = sample_levels_result();
	struct figure figure = make(result, FIGURE_LATENCY, FATHOM_Y_NS);
	assert_int_equal(figure.mark_count, 4);
	assert_string_equal(figure.marks[0].name, "L1");
	assert_true(figure.marks[0].x == result->levels[0].size_bytes);
	assert_int_equal(figure.series_count, 3);
	assert_string_equal(figure.series[0].name, "random cycle");
	assert_false(figure.series[0].aside);
	assert_true(figure.series[1].aside);
	figure_free(&figure);
	fathom_result_free(result);
}

static void throughput_is_accesses_a_second(void **state)
{
	(void)state;
	struct fathom_result *result = sample_parallelism_result();
	struct figure figure = make(result, FIGURE_THROUGHPUT, FATHOM_Y_NS);
	const struct fathom_point *point = &result->curves[0].points[0];
	bool in_order = false;
	assert_true(fabs(figure.series[0].rows[0].y - 1e3 / point->latency_ns) < 1e-9);
	assert_true(fabs(figure.series[0].rows[0].low - 1e3 / point->latency_high_ns) < 1e-9);
	assert_true(fabs(figure.beside - 0.064) < 1e-12); /* GB/s of a million lines a second */
	assert_string_equal(figure.beside_label, "GB/s of lines of 64 B");
	for (size_t i = 0; i < figure.series_count; i++)
		in_order |= strncmp(figure.series[i].name, "read", 4) == 0;
	assert_true(in_order);
	figure_free(&figure);
	fathom_result_free(result);
}

static void speedup_is_over_one_lane(void **state)
{
	(void)state;
	struct fathom_result *result = sample_parallelism_result();
	struct figure figure = make(result, FIGURE_SPEEDUP, FATHOM_Y_NS);
	size_t curve = result->parallelism[0].curve;
	const struct fathom_point *points = result->curves[curve].points;
	const struct figure_row *rows = figure.series[0].rows;
	assert_int_equal(figure.series_count, result->parallelism_count);
	assert_true(rows[0].x == 1 && rows[0].y == 1 && isnan(rows[0].low));
	assert_true(fabs(rows[3].y - points[0].latency_ns / points[3].ns_per_access) < 1e-9);
	assert_true(rows[3].low < rows[3].y && rows[3].y <= rows[3].high && rows[3].high <= 4);
	assert_memory_equal(figure.series[0].name, "L1, ", 4);
	assert_true(figure.y_even == 1);
	figure_free(&figure);
	fathom_result_free(result);
}

/* Nothing is known of several lanes then; it is not the ideal. */
static void without_one_lane_there_is_no_speedup(void **state)
{
	(void)state;
	struct fathom_result *result = sample_parallelism_result();
	struct fathom_point *points = result->curves[result->parallelism[0].curve].points;
	points[0].latency_ns = points[0].latency_low_ns = points[0].latency_high_ns = NAN;
	struct figure figure = make(result, FIGURE_SPEEDUP, FATHOM_Y_NS);
	assert_int_equal(figure.series[0].count, 0);
	figure_free(&figure);
	fathom_result_free(result);
}

static void bandwidth_is_of_the_fewest_threads(void **state)
{
	(void)state;
	struct fathom_result *result = sample_parallelism_result();
	struct figure figure = make(result, FIGURE_BANDWIDTH, FATHOM_Y_NS);
	size_t all = figure.series_count;
	figure_free(&figure);
	assert_true(all > 1); /* what parallelism reads for itself, where that is all there is */
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].points[0].spec.pattern == FATHOM_READ)
			result->curves[i].experiment = FATHOM_BANDWIDTH;
	figure = make(result, FIGURE_BANDWIDTH, FATHOM_Y_NS);
	assert_int_equal(figure.series_count, 1);
	figure_free(&figure);
	fathom_result_free(result);
}

static void pages_are_counted(void **state)
{
	(void)state;
	struct fathom_result *result = sample_pages_result();
	struct figure figure = make(result, FIGURE_PAGES, FATHOM_Y_NS);
	const struct fathom_curve *curve = &result->curves[result->translations[0].spread];
	assert_false(figure.x_is_bytes);
	assert_true(figure.series[0].rows[0].x == (double)curve->points[0].nodes);
	figure_free(&figure);
	fathom_result_free(result);
}

static void a_figure_that_is_not_held(void **state)
{
	(void)state;
	struct fathom_result *result = sample_result(2);
	const struct fathom_run run = {"sample.json", result};
	struct figure figure = {0};
	struct fathom_error error = {0};
	assert_int_equal(figure_choose(&run, 1), FIGURE_LATENCY);
	assert_int_equal(figure_make(&run, 1, FIGURE_BANDWIDTH, FATHOM_Y_NS, &figure, &error), -1);
	assert_int_equal(error.status, FATHOM_BAD_INPUT);
	assert_string_equal(error.text, "'sample.json' has no curve for the figure 'bandwidth'");
	assert_string_equal(error.hint, "it has --figure latency, throughput");
	assert_null(figure.series);
	fathom_error_clear(&error);
	fathom_result_free(result);

	result = sample_empty_result();
	const struct fathom_run empty = {"empty.json", result};
	assert_int_equal(figure_choose(&empty, 1), FIGURE_KIND_COUNT);
	assert_int_equal(figure_make(&empty, 1, FIGURE_KIND_COUNT, FATHOM_Y_NS, &figure, &error),
			 -1);
	assert_string_equal(error.text, "'empty.json' has no curve for a figure");
	fathom_error_clear(&error);
	fathom_result_free(result);
}

static void several_results_are_told_by_what_differs(void **state)
{
	(void)state;
	struct fathom_result *a = sample_levels_result(), *b = sample_result(4);
	struct fathom_run runs[] = {{"x/a.json", a}, {"x/b.json", b}};
	struct figure figure = {0};
	assert_int_equal(figure_make(runs, 2, FIGURE_LATENCY, FATHOM_Y_NS, &figure, NULL), 0);
	assert_int_equal(figure.series_count, 2); /* the main curve of each */
	assert_string_equal(figure.series[0].name, "a.json");
	assert_int_equal(figure.mark_count, 0);
	assert_non_null(strstr(figure.title, "Example(R) Processor")); /* the machine of both */
	assert_null(strstr(figure.title, "do not quote"));
	figure_free(&figure);

	b->quality = FATHOM_QUALITY_DO_NOT_QUOTE;
	assert_int_equal(figure_make(runs, 2, FIGURE_LATENCY, FATHOM_Y_NS, &figure, NULL), 0);
	assert_non_null(strstr(figure.title, " \u2013 do not quote b.json"));
	figure_free(&figure);

	b->machine->hostname[0] = 'S';
	assert_int_equal(figure_make(runs, 2, FIGURE_LATENCY, FATHOM_Y_NS, &figure, NULL), 0);
	assert_string_equal(figure.series[1].name, "Sample");
	figure_free(&figure);

	b->machine->cpu_model[0] = 'e';
	assert_int_equal(figure_make(runs, 2, FIGURE_LATENCY, FATHOM_Y_NS, &figure, NULL), 0);
	assert_string_equal(figure.series[1].name, b->machine->cpu_model);
	figure_free(&figure);
	fathom_result_free(a);
	fathom_result_free(b);
}

static void more_than_can_be_told_apart(void **state)
{
	(void)state;
	struct fathom_result *result = sample_result(1);
	struct fathom_run runs[FIGURE_MOST_SERIES + 2];
	struct figure figure = {0};
	for (size_t i = 0; i < FIGURE_MOST_SERIES + 2; i++)
		runs[i] = (struct fathom_run){"same", result};
	assert_int_equal(figure_make(runs, FIGURE_MOST_SERIES + 2, FIGURE_LATENCY, FATHOM_Y_NS,
				     &figure, NULL),
			 0);
	assert_int_equal(figure.series_count, FIGURE_MOST_SERIES);
	assert_int_equal(figure.left_out, 2);
	figure_free(&figure);
	fathom_result_free(result);
}

static void a_comparison_is_the_first_curve_of_each_run(void **state)
{
	(void)state;
	struct fathom_compared_point points[] = {
		{.spec = {.size_bytes = 1024}, .speedup = 1.1, .speedup_low = 1, .speedup_high = 2},
		{.spec = {.size_bytes = 2048}, .speedup = NAN},
		{.spec = {.size_bytes = 4096}, .curve = 1, .speedup = 3},
	};
	char name[] = "new.json", base[] = "old.json";
	char *baselines[] = {base};
	struct fathom_compared_run run = {.name = name, .points = points, .point_count = 3};
	const struct fathom_comparison comparison = {
		.baselines = baselines, .baseline_count = 1, .runs = &run, .run_count = 1};
	struct figure figure = {0};
	assert_int_equal(figure_compare(&comparison, &figure, NULL), 0);
	assert_int_equal(figure.series_count, 1);
	assert_int_equal(figure.series[0].count, 1);
	assert_true(figure.series[0].rows[0].y == 1.1 && figure.series[0].rows[0].high == 2);
	assert_string_equal(figure.title, "baseline: old.json");
	figure_free(&figure);
}

/* Of 8 KiB, 16 KiB and 1 MiB the last stands alone. */
static void no_line_is_drawn_over_a_wide_gap(void **state)
{
	(void)state;
	struct fathom_result *result = sample_result(4);
	struct fathom_point *points = result->curves[0].points;
	struct text script = {0};
	points[0].spec.size_bytes = 8 << 10;
	points[1].spec.size_bytes = 16 << 10;
	points[2].spec.size_bytes = 1 << 20;
	const size_t count = result->curves[0].point_count;
	result->curves[0].point_count = 3;
	struct figure figure = make(result, FIGURE_LATENCY, FATHOM_Y_NS);
	assert_false(figure.series[0].rows[1].apart);
	assert_true(figure.series[0].rows[2].apart);
	assert_int_equal(gnuplot_write_figure(&figure, &script, NULL), 0);
	assert_non_null(strstr(script.data, "\n\n1048576 "));
	assert_non_null(strstr(script.data, "with vectors nohead"));
	text_free(&script);
	figure_free(&figure);
	result->curves[0].point_count = count;
	fathom_result_free(result);
}

/* Of 8, 16 and 64 KiB the size between the last two had no time; of 8, 32 and 128 none was meant,
 * and what another tool meant is not known. */
static void no_line_is_drawn_over_a_size_that_was_left_out(void **state)
{
	(void)state;
	static const struct {
		uint64_t kib[3];
		bool foreign, apart;
	} cases[] = {{{8, 16, 64}, false, true},
		     {{8, 32, 128}, false, false},
		     {{8, 16, 64}, true, false}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fathom_result *result = sample_result(4);
		struct fathom_curve *curve = &result->curves[0];
		const size_t count = curve->point_count;
		curve->point_count = 3;
		curve->tool = cases[i].foreign ? strdup("other") : NULL;
		for (size_t k = 0; k < 3; k++)
			curve->points[k].spec.size_bytes = cases[i].kib[k] << 10;
		struct figure figure = make(result, FIGURE_LATENCY, FATHOM_Y_NS);
		assert_false(figure.series[0].rows[1].apart);
		assert_int_equal(figure.series[0].rows[2].apart, cases[i].apart);
		figure_free(&figure);
		curve->point_count = count;
		fathom_result_free(result);
	}
}

/* With lane 3 withheld the next stands apart; of another tool's curve nobody knows what was meant.
 */
static void no_line_is_drawn_over_a_missing_lane(void **state)
{
	(void)state;
	for (unsigned foreign = 0; foreign < 2; foreign++) {
		struct fathom_result *result = sample_parallelism_result();
		struct fathom_curve *curve = &result->curves[result->parallelism[0].curve];
		curve->points[2].ns_per_access = NAN;
		curve->tool = foreign ? strdup("other") : NULL;
		struct figure figure = make(result, FIGURE_SPEEDUP, FATHOM_Y_NS);
		const struct figure_row *rows = figure.series[0].rows;
		assert_true(rows[1].x == 2 && rows[2].x == 4);
		assert_false(rows[1].apart || rows[3].apart);
		assert_int_equal(rows[2].apart, !foreign);
		figure_free(&figure);
		fathom_result_free(result);
	}
}

static void two_clocks_are_told_apart_and_compared(void **state)
{
	(void)state;
	struct fathom_result *result = sample_clocks_result();
	struct figure figure = make(result, FIGURE_LATENCY, FATHOM_Y_NS);
	assert_non_null(strstr(figure.series[0].name, "GHz"));
	assert_string_not_equal(figure.series[0].name, figure.series[1].name);
	figure_free(&figure);

	figure = make(result, FIGURE_COMPARISON, FATHOM_Y_NS);
	double ratio = result->clocks[result->clock_count - 1].relative;
	assert_int_equal(figure.series_count, 2);
	assert_true(figure.series[0].count > 2);
	assert_true(figure.series[1].rows[0].y == ratio && figure.series[1].rows[1].y == ratio);
	assert_true(figure.y_is_linear);
	figure_free(&figure);
	fathom_result_free(result);
}

/* Two orders of one size, one of them cold too. */
static void orders_of_one_size_have_places(void **state)
{
	(void)state;
	struct fathom_point points[3];
	struct fathom_curve curves[3];
	struct fathom_result *sample = sample_result(1);
	for (size_t i = 0; i < 3; i++) {
		points[i] = sample->curves[0].points[0];
		points[i].spec.pattern = i == 1 ? FATHOM_SEQUENTIAL : FATHOM_RANDOM_CYCLE;
		points[i].spec.warmth = i == 2 ? FATHOM_COLD_FLUSHED : FATHOM_WARM;
		points[i].latency_ns = (double)i + 1;
		curves[i] = (struct fathom_curve){
			.experiment = FATHOM_PATTERNS, .points = &points[i], .point_count = 1};
	}
	const struct fathom_result result = {.curves = curves, .curve_count = 3};
	const struct fathom_run run = {"patterns.json", &result};
	assert_int_equal(figure_choose(&run, 1), FIGURE_PATTERNS);
	struct figure figure = make(&result, FIGURE_PATTERNS, FATHOM_Y_NS);
	assert_int_equal(figure.place_count, 2);
	assert_string_equal(figure.places[1], "sequential");
	assert_int_equal(figure.series_count, 2);
	assert_int_equal(figure.series[0].count, 2);
	assert_true(figure.series[0].rows[1].x == 2 && figure.series[0].rows[1].y == 2);
	assert_true(round(figure.series[1].rows[0].x) == 1 && figure.series[1].rows[0].y == 3);
	struct text text = {0};
	assert_int_equal(figure_plot(&figure, NULL, &text, NULL), 0);
	assert_non_null(strstr(text.data, "random cycle |####"));
	text_free(&text);
	figure_free(&figure);
	fathom_result_free(sample);
}

static void laps_are_counted(void **state)
{
	(void)state;
	struct fathom_result *result = sample_result(1);
	struct fathom_curve *curve = &result->curves[0];
	curve->axis = FATHOM_AXIS_LAP;
	for (size_t i = 0; i < curve->point_count; i++)
		curve->points[i].spec.lap = (uint32_t)i + 1;
	struct figure figure = make(result, FIGURE_DECAY, FATHOM_Y_NS);
	assert_true(figure.series[0].rows[4].x == 5);
	assert_false(figure.x_is_bytes);
	figure_free(&figure);
	fathom_result_free(result);
}

static void the_end_of_registers_is_a_mark(void **state)
{
	(void)state;
	struct fathom_result *result = sample_parallelism_result();
	struct fathom_curve *curve = &result->curves[result->parallelism[0].curve];
	for (size_t i = 0; i < curve->point_count; i++)
		curve->points[i].lane_store = curve->points[i].spec.lanes <= 4
						      ? FATHOM_STORE_REGISTERS
						      : FATHOM_STORE_VECTORS;
	struct figure figure = make(result, FIGURE_SPEEDUP, FATHOM_Y_NS);
	assert_int_equal(figure.mark_count, 1);
	assert_string_equal(figure.marks[0].name, "registers end");
	assert_true(figure.marks[0].x > 4 && figure.marks[0].x < 8);
	figure_free(&figure);
	fathom_result_free(result);
}

static void words_of_the_user_replace_ours(void **state)
{
	(void)state;
	struct fathom_result *result = sample_result(1);
	struct figure figure = make(result, FIGURE_LATENCY, FATHOM_Y_NS);
	struct fathom_error error = {0};
	const char *const labels[] = {"mine", "too many"};
	assert_int_equal(figure_set_words(&figure, "A title", labels, 1, &error), 0);
	assert_string_equal(figure.title, "A title");
	assert_string_equal(figure.series[0].name, "mine");
	assert_int_equal(figure_set_words(&figure, NULL, labels, 2, &error), -1);
	assert_int_equal(error.status, FATHOM_USAGE);
	assert_string_equal(figure.title, "A title");
	fathom_error_clear(&error);
	figure_free(&figure);
	fathom_result_free(result);
}

static void asked_for_by_name(void **state)
{
	(void)state;
	struct fathom_result *result = sample_result(4);
	const struct fathom_run run = {"sample.json", result};
	struct fathom_figure_request request = {.runs = &run, .run_count = 1};
	struct fathom_error error = {0};
	char *chosen, *named, *none = NULL;
	size_t length, left_out = 7;
	assert_string_equal(fathom_figure_name(FIGURE_LATENCY), "latency");
	assert_null(fathom_figure_name(FIGURE_KIND_COUNT));
	assert_int_equal(
		fathom_figure_write(&request, "gnuplot", NULL, &chosen, &length, &left_out, NULL),
		0);
	assert_int_equal(length, strlen(chosen));
	assert_int_equal(left_out, 0);
	request.figure = "latency";
	assert_int_equal(
		fathom_figure_write(&request, "gnuplot", NULL, &named, &length, NULL, NULL), 0);
	assert_string_equal(chosen, named);
	assert_int_equal(fathom_figure_write(&request, "svg", NULL, &none, &length, NULL, &error),
			 -1);
	assert_int_equal(error.status, FATHOM_USAGE);
	request.figure = "latencies";
	assert_int_equal(fathom_figure_write(&request, "text", NULL, &none, &length, NULL, &error),
			 -1);
	assert_int_equal(error.status, FATHOM_USAGE);
	request.figure = "comparison"; /* with what? */
	assert_int_equal(fathom_figure_write(&request, "text", NULL, &none, &length, NULL, &error),
			 -1);
	assert_int_equal(error.status, FATHOM_USAGE);
	request.run_count = 0;
	request.figure = NULL;
	assert_int_equal(fathom_figure_write(&request, "text", NULL, &none, &length, NULL, &error),
			 -1);
	assert_int_equal(error.status, FATHOM_USAGE);
	assert_null(none);
	fathom_error_clear(&error);
	free(chosen);
	free(named);
	fathom_result_free(result);
}

static void drawn_in_characters(void **state)
{
	(void)state;
	struct fathom_result *a = sample_result(20), *b = sample_result(10);
	struct fathom_run runs[] = {{"a.json", a}, {"b.json", b}};
	struct figure figure = {0};
	struct text text = {0};
	assert_int_equal(figure_make(runs, 2, FIGURE_LATENCY, FATHOM_Y_NS, &figure, NULL), 0);
	assert_int_equal(figure_plot(&figure, NULL, &text, NULL), 0);
	assert_non_null(strstr(text.data, "latency (ns)"));
	assert_non_null(strstr(text.data, "a.json; + b.json\n"));
	assert_non_null(strchr(text.data, '*'));
	text_free(&text);
	figure_free(&figure);
	fathom_result_free(a);
	fathom_result_free(b);
}

/* CPUs 0 and 2, and 1 and 3, are threads of one core. */
static void rows_of_a_matrix_follow_the_classes(void **state)
{
	static const char text[] = ",,,\n50,,,\n10,51,,\n52,11,53,\n";
	static const int cpus[] = {0, 2, 1, 3};
	struct fathom_result *result;
	(void)state;
	assert_int_equal(fathom_result_read(text, strlen(text), NULL, &result, NULL), 0);
	assert_int_equal(fathom_fit(result, NULL, NULL), 0);
	struct figure figure = make(result, FIGURE_CORES, FATHOM_Y_NS);
	assert_int_equal(figure.matrix.count, 4);
	assert_memory_equal(figure.matrix.cpus, cpus, sizeof(cpus));
	assert_false(figure.matrix.begins[1] || figure.matrix.begins[2]);
	assert_true(isnan(figure.matrix.values[0]));
	assert_true(figure.matrix.values[1] == 10 && figure.matrix.values[4] == 10);
	assert_true(figure.matrix.values[2] == 50 && figure.matrix.values[3] == 52);
	assert_true(figure.matrix.least == 10 && figure.matrix.greatest == 53);
	figure_free(&figure);
	fathom_result_free(result);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_point_is_a_row_with_its_interval),
	cmocka_unit_test(what_was_not_measured_is_left_out),
	cmocka_unit_test(nodes_are_a_matrix),
	cmocka_unit_test(contention_is_a_series_a_layout_and_class),
	cmocka_unit_test(cycles_where_there_is_no_time),
	cmocka_unit_test(levels_with_an_end_are_marks),
	cmocka_unit_test(names_of_near_marks_stand_apart),
	cmocka_unit_test(throughput_is_accesses_a_second),
	cmocka_unit_test(speedup_is_over_one_lane),
	cmocka_unit_test(without_one_lane_there_is_no_speedup),
	cmocka_unit_test(bandwidth_is_of_the_fewest_threads),
	cmocka_unit_test(pages_are_counted),
	cmocka_unit_test(a_figure_that_is_not_held),
	cmocka_unit_test(several_results_are_told_by_what_differs),
	cmocka_unit_test(more_than_can_be_told_apart),
	cmocka_unit_test(a_comparison_is_the_first_curve_of_each_run),
	cmocka_unit_test(no_line_is_drawn_over_a_wide_gap),
	cmocka_unit_test(no_line_is_drawn_over_a_size_that_was_left_out),
	cmocka_unit_test(no_line_is_drawn_over_a_missing_lane),
	cmocka_unit_test(two_clocks_are_told_apart_and_compared),
	cmocka_unit_test(orders_of_one_size_have_places),
	cmocka_unit_test(laps_are_counted),
	cmocka_unit_test(the_end_of_registers_is_a_mark),
	cmocka_unit_test(words_of_the_user_replace_ours),
	cmocka_unit_test(asked_for_by_name),
	cmocka_unit_test(drawn_in_characters),
	cmocka_unit_test(rows_of_a_matrix_follow_the_classes),
};
UNIT_GROUP();
