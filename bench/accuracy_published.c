#include "accuracy_published.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "baselines/readings.h"

#define CACHES 3

struct machine {
	char id[64], grade[4], set[16], seen[4], unit[32], order[32];
	double end_bytes[CACHES]; /* 0: there is no such cache */
};

enum row { /* of the table of totals */
	   ROW_ALL,
	   ROW_TUNE,
	   ROW_TUNE_A,
	   ROW_TUNE_CYCLE,
	   ROW_TUNE_REVERSED,
	   ROW_TUNE_INDEPENDENT,
	   ROW_TUNE_OTHER,
	   ROW_VALIDATE,
	   ROW_VALIDATE_A,
	   ROW_VALIDATE_UNSEEN,
	   ROW_COUNT
};

struct totals {
	struct readings_row rows[ROW_COUNT];
	double longest_fit_s, all_fits_s;
};

/* ---- reading ---- */

static void skip_line(FILE *file)
{
	for (int c = 0; c != '\n' && c != EOF;)
		c = fgetc(file);
}

/* The next line of the truth; 1: there was one. */
static int read_machine(FILE *file, struct machine *machine, struct fathom_error *error)
{
	int found = fscanf(
		file, " %63[^,],%3[^,],%15[^,],%3[^,],%*[^,],%*[^,],%lf,%lf,%lf,%31[^,],%31[^,]",
		machine->id, machine->grade, machine->set, machine->seen, &machine->end_bytes[0],
		&machine->end_bytes[1], &machine->end_bytes[2], machine->unit, machine->order);
	if (found == EOF)
		return 0;
	if (found != 9)
		return error_set(error, FATHOM_BAD_INPUT, NULL, "a line of the truth is damaged");
	skip_line(file);
	return 1;
}

static int add_point(struct fathom_curve *curve, double size_bytes, double value,
		     struct fathom_error *error)
{
	struct fathom_point *grown =
		realloc(curve->points, (curve->point_count + 1) * sizeof(*grown));
	if (!grown)
		return error_no_memory(error);
	curve->points = grown;
	grown[curve->point_count++] = (struct fathom_point){
		.spec = {.size_bytes = (uint64_t)size_bytes, .pattern = FATHOM_PATTERN_UNKNOWN},
		.page_share = NAN,
		.latency_ns = value,
		.latency_low_ns = NAN,
		.latency_high_ns = NAN,
		.latency_cycles = NAN,
		.latency_low_cycles = NAN,
		.latency_high_cycles = NAN,
		.clock_hz = NAN,
		.overhead_ns = NAN,
		.target = NAN,
	};
	return 0;
}

static int read_curve(FILE *file, const char *id, struct fathom_curve *curve,
		      struct fathom_error *error)
{
	char found[64];
	double size_bytes, value;
	rewind(file);
	skip_line(file);
	while (fscanf(file, " %63[^,],%lf,%lf", found, &size_bytes, &value) == 3)
		if (strcmp(found, id) == 0 && add_point(curve, size_bytes, value, error))
			return -1;
	if (curve->point_count)
		return 0;
	return error_set(error, FATHOM_BAD_INPUT, NULL, "there is no curve '%s'", id);
}

/* ---- printing ---- */

static void print_sizes(const char *title, const double *sizes, size_t count, int width)
{
	struct text text = {0};
	for (size_t i = 0; i < count; i++) {
		char size[UNITS_TEXT_BYTES];
		if (isnan(sizes[i]))
			text_add(&text, "%sthe end", text.length ? ", " : "");
		else if (sizes[i] > 0)
			text_add(&text, "%s%s", text.length ? ", " : "",
				 units_format_size((uint64_t)sizes[i], size));
	}
	char *line = text_take(&text);
	printf("%s%-*s", title, width, line ? line : "");
	free(line);
}

static void print_reading(const struct machine *machine, const struct fathom_result *result,
			  const struct reading *reading)
{
	double found[8] = {0}, unknown[8] = {0};
	size_t found_count = 0, unknown_count = 0;
	for (size_t k = 0; k < result->level_count; k++) {
		const struct fathom_level *level = &result->levels[k];
		if (level->kind == FATHOM_LEVEL_CACHE && isfinite(level->size_bytes) &&
		    found_count < 8)
			found[found_count++] = level->size_bytes;
		if (level->kind == FATHOM_LEVEL_UNKNOWN && unknown_count < 8)
			unknown[unknown_count++] = level->size_bytes;
	}
	printf("  %-30s %-2s", machine->id, machine->grade);
	print_sizes("  ", machine->end_bytes, CACHES, 25);
	print_sizes("  ", found, found_count, 34);
	printf(" %zu of %zu", reading->found, reading->wanted);
	if (reading->false_caches)
		printf(", %zu false", reading->false_caches);
	if (unknown_count)
		print_sizes(", unknown ", unknown, unknown_count, 0);
	printf("\n");
	fflush(stdout);
}

/* ---- fitting ---- */

static enum row row_of_order(const char *order)
{
	if (strcmp(order, "random_cycle") == 0)
		return ROW_TUNE_CYCLE;
	if (strcmp(order, "bit_reversed") == 0)
		return ROW_TUNE_REVERSED;
	return strcmp(order, "independent") == 0 ? ROW_TUNE_INDEPENDENT : ROW_TUNE_OTHER;
}

static bool is_tune(const struct machine *machine)
{
	return strcmp(machine->set, "tune") == 0;
}

static bool is_wanted(const struct machine *machine, const char *tune)
{
	return !tune || (is_tune(machine) && strncmp(machine->id, tune, strlen(tune)) == 0);
}

static void add_to_totals(struct totals *totals, const struct machine *machine,
			  const struct reading readings[READER_COUNT])
{
	bool tune = is_tune(machine);
	readings_add(&totals->rows[ROW_ALL], readings);
	readings_add(&totals->rows[tune ? ROW_TUNE : ROW_VALIDATE], readings);
	if (machine->grade[0] == 'A')
		readings_add(&totals->rows[tune ? ROW_TUNE_A : ROW_VALIDATE_A], readings);
	if (tune)
		readings_add(&totals->rows[row_of_order(machine->order)], readings);
	else if (strcmp(machine->seen, "no") == 0)
		readings_add(&totals->rows[ROW_VALIDATE_UNSEEN], readings);
}

static int fit(struct fathom_result *result, struct totals *totals, struct fathom_error *error)
{
	struct timespec start, end;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
	int status = fathom_fit(result, NULL, error);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	double took_s =
		(double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
	totals->longest_fit_s = fmax(totals->longest_fit_s, took_s);
	totals->all_fits_s += took_s;
	return status;
}

static int fit_one(FILE *curves, const struct machine *machine, struct totals *totals,
		   struct fathom_error *error)
{
	struct reading readings[READER_COUNT];
	struct fathom_result *result = calloc(1, sizeof(*result));
	if (!result || !(result->curves = calloc(1, sizeof(*result->curves)))) {
		fathom_result_free(result);
		return error_no_memory(error);
	}
	result->curve_count = 1;
	result->clock_min_hz = result->clock_median_hz = result->clock_max_hz = NAN;
	result->curves[0] = (struct fathom_curve){
		.memory_node = -1,
		.cpu = -1,
		.tool = strdup("published"),
		.relative_to_l1 = strcmp(machine->unit, "latency_over_l1_ns") == 0,
	};
	int status = read_curve(curves, machine->id, &result->curves[0], error);
	if (!status)
		status = fit(result, totals, error);
	if (!status)
		status = readings_take(&result->curves[0], result->levels, result->level_count,
				       machine->end_bytes, CACHES, readings, error);
	if (!status) {
		add_to_totals(totals, machine, readings);
		if (is_tune(machine))
			print_reading(machine, result, &readings[READER_FATHOM]);
	}
	fathom_result_free(result);
	return status;
}

static int fit_all(FILE *curves, FILE *truth, const char *tune, struct fathom_error *error)
{
	struct totals totals = {.rows = {
					[ROW_ALL] = {.name = "all"},
					[ROW_TUNE] = {.name = "tune"},
					[ROW_TUNE_A] = {.name = "  grade A"},
					[ROW_TUNE_CYCLE] = {.name = "  random_cycle"},
					[ROW_TUNE_REVERSED] = {.name = "  bit_reversed"},
					[ROW_TUNE_INDEPENDENT] = {.name = "  independent"},
					[ROW_TUNE_OTHER] = {.name = "  other orders"},
					[ROW_VALIDATE] = {.name = "validate"},
					[ROW_VALIDATE_A] = {.name = "  grade A"},
					[ROW_VALIDATE_UNSEEN] = {.name = "  not seen before"},
				}};
	size_t first = tune ? ROW_TUNE : ROW_ALL;
	struct machine machine;
	int status;
	skip_line(truth);
	printf("  %-33s  %-25s  %-34s found\n", "curve, grade", "caches as documented",
	       "caches as fitted");
	while ((status = read_machine(truth, &machine, error)) == 1)
		if (is_wanted(&machine, tune) && fit_one(curves, &machine, &totals, error))
			return -1;
	printf("\n");
	readings_print(totals.rows + first, ROW_COUNT - first);
	printf("\n  longest fit %.2f s, all %.1f s of one core\n", totals.longest_fit_s,
	       totals.all_fits_s);
	return status;
}

int accuracy_published(const char *tune, struct fathom_error *error)
{
	FILE *curves = fopen(PUBLISHED_CURVES, "r");
	FILE *truth = fopen(PUBLISHED_TRUTH, "r");
	int status = -1;
	if (curves && truth)
		status = fit_all(curves, truth, tune, error);
	else
		error_set(error, FATHOM_FAILED, NULL, "'%s' cannot be read",
			  curves ? PUBLISHED_TRUTH : PUBLISHED_CURVES);
	if (curves)
		fclose(curves);
	if (truth)
		fclose(truth);
	return status;
}
