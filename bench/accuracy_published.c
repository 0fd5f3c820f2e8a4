#include "accuracy_published.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"

#define CACHES    3
#define TOLERANCE 0.30
#define GROUPS    8

struct machine {
	char *id, *grade, *cpu, *unit, *order;
	double reach_bytes[CACHES]; /* 0: there is no such cache */
	unsigned node_bytes;
};

struct group {
	char name[32];
	size_t machines, right, wanted, found, false_caches;
};

struct outcome {
	size_t wanted, found, false_caches;
};

/* ---- reading ---- */

static void free_machine(struct machine *machine)
{
	free(machine->id);
	free(machine->grade);
	free(machine->cpu);
	free(machine->unit);
	free(machine->order);
	*machine = (struct machine){0};
}

/* The next line of the truth; 1: there was one. */
static int read_machine(FILE *file, struct machine *machine, struct fathom_error *error)
{
	struct machine read = {0};
	int found =
		fscanf(file, " %m[^,],%m[^,],%m[^,],%lf,%lf,%lf,%m[^,],%m[^,],%u,%*[^,],%*[^\n]",
		       &read.id, &read.grade, &read.cpu, &read.reach_bytes[0], &read.reach_bytes[1],
		       &read.reach_bytes[2], &read.unit, &read.order, &read.node_bytes);
	if (found == EOF)
		return 0;
	if (found != 9) {
		free_machine(&read);
		return error_set(error, FATHOM_BAD_INPUT, NULL, "a line of the truth is damaged");
	}
	*machine = read;
	return 1;
}

static void skip_header(FILE *file)
{
	for (int c = 0; c != '\n' && c != EOF;)
		c = fgetc(file);
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
	skip_header(file);
	while (fscanf(file, " %63[^,],%lf,%lf", found, &size_bytes, &value) == 3)
		if (strcmp(found, id) == 0 && add_point(curve, size_bytes, value, error))
			return -1;
	if (curve->point_count)
		return 0;
	return error_set(error, FATHOM_BAD_INPUT, NULL, "there is no curve '%s'", id);
}

/* ---- judging ---- */

/* Within the tolerance; or between the same two measured sizes, of which no more can be known. */
static bool same_reach(const struct fathom_curve *curve, double found, double truth)
{
	double below = 0, above = INFINITY;
	for (size_t i = 0; i < curve->point_count; i++) {
		double size = (double)curve->points[i].spec.size_bytes;
		if (size <= truth * 1.001)
			below = fmax(below, size);
		else
			above = fmin(above, size);
	}
	return fabs(found / truth - 1) <= TOLERANCE ||
	       (found >= below * 0.999 && found <= above * 1.001);
}

/* Could the curve show it? It needs a size within and sizes beyond. */
static bool in_curve(const struct fathom_curve *curve, double reach_bytes)
{
	double first = (double)curve->points[0].spec.size_bytes;
	double last = (double)curve->points[curve->point_count - 1].spec.size_bytes;
	return reach_bytes >= first && reach_bytes < last / 2;
}

static bool is_cache(const struct fathom_level *level)
{
	return level->kind == FATHOM_LEVEL_CACHE && isfinite(level->size_bytes);
}

static int judge(const struct machine *machine, const struct fathom_result *result,
		 struct outcome *outcome, struct fathom_error *error)
{
	const struct fathom_curve *curve = &result->curves[0];
	bool *used = calloc(result->level_count + 1, sizeof(*used));
	if (!used)
		return error_no_memory(error);
	for (size_t i = 0; i < CACHES; i++) {
		double truth = machine->reach_bytes[i];
		bool hit = false;
		if (!(truth > 0))
			continue;
		for (size_t k = 0; k < result->level_count && !hit; k++) {
			const struct fathom_level *level = &result->levels[k];
			if (used[k] || !is_cache(level) ||
			    !same_reach(curve, level->size_bytes, truth))
				continue;
			hit = used[k] = true;
		}
		outcome->wanted += in_curve(curve, truth);
		outcome->found += in_curve(curve, truth) && hit;
	}
	for (size_t k = 0; k < result->level_count; k++)
		outcome->false_caches += is_cache(&result->levels[k]) && !used[k];
	free(used);
	return 0;
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

static void print_outcome(const struct machine *machine, const struct fathom_result *result,
			  const struct outcome *outcome)
{
	double found[8] = {0}, unknown[8] = {0};
	size_t found_count = 0, unknown_count = 0;
	for (size_t k = 0; k < result->level_count; k++) {
		const struct fathom_level *level = &result->levels[k];
		if (is_cache(level) && found_count < 8)
			found[found_count++] = level->size_bytes;
		if (level->kind == FATHOM_LEVEL_UNKNOWN && unknown_count < 8)
			unknown[unknown_count++] = level->size_bytes;
	}
	printf("  %-30s %-2s", machine->id, machine->grade);
	print_sizes("  ", machine->reach_bytes, CACHES, 25);
	print_sizes("  ", found, found_count, 34);
	printf(" %zu of %zu", outcome->found, outcome->wanted);
	if (outcome->false_caches)
		printf(", %zu false", outcome->false_caches);
	if (unknown_count)
		print_sizes(", unknown ", unknown, unknown_count, 0);
	printf("\n");
}

static void add_to_group(struct group *groups, const struct machine *machine,
			 const struct outcome *outcome)
{
	char name[32];
	size_t i = 0;
	snprintf(name, sizeof(name), "%.20s, %c", machine->order, machine->grade[0]);
	while (i + 1 < GROUPS && groups[i].machines && strcmp(groups[i].name, name) != 0)
		i++;
	snprintf(groups[i].name, sizeof(groups[i].name), "%s", name);
	groups[i].machines++;
	groups[i].right += outcome->found == outcome->wanted && !outcome->false_caches;
	groups[i].wanted += outcome->wanted;
	groups[i].found += outcome->found;
	groups[i].false_caches += outcome->false_caches;
}

static int fit_one(FILE *curves, const struct machine *machine, struct group *groups,
		   struct fathom_error *error)
{
	struct outcome outcome = {0};
	struct fathom_result *result = calloc(1, sizeof(*result));
	if (!result || !(result->curves = calloc(1, sizeof(*result->curves)))) {
		fathom_result_free(result);
		return error_no_memory(error);
	}
	result->curve_count = 1;
	result->clock_min_hz = result->clock_median_hz = result->clock_max_hz = NAN;
	result->curves[0] = (struct fathom_curve){
		.cpu = -1,
		.tool = strdup("published"),
		.relative_to_l1 = strcmp(machine->unit, "latency_over_l1_ns") == 0,
	};
	int status = read_curve(curves, machine->id, &result->curves[0], error);
	if (!status)
		status = fathom_fit(result, error);
	if (!status)
		status = judge(machine, result, &outcome, error);
	if (!status) {
		print_outcome(machine, result, &outcome);
		add_to_group(groups, machine, &outcome);
	}
	fathom_result_free(result);
	return status;
}

static int fit_all(FILE *curves, FILE *truth, struct fathom_error *error)
{
	struct group groups[GROUPS] = {0};
	struct machine machine;
	int status;
	skip_header(truth);
	printf("  %-33s  %-25s  %-34s found\n", "curve, grade", "caches as documented",
	       "caches as fitted");
	while ((status = read_machine(truth, &machine, error)) == 1) {
		int fitted = fit_one(curves, &machine, groups, error);
		free_machine(&machine);
		if (fitted)
			return -1;
	}
	printf("\n");
	for (size_t i = 0; i < GROUPS && groups[i].machines; i++)
		printf("  %-24s levels %3zu of %3zu   curves with all and no false cache %2zu of "
		       "%2zu   false caches %zu\n",
		       groups[i].name, groups[i].found, groups[i].wanted, groups[i].right,
		       groups[i].machines, groups[i].false_caches);
	return status;
}

int accuracy_published(const char *curves_path, const char *truth_path, struct fathom_error *error)
{
	FILE *curves = fopen(curves_path, "r");
	FILE *truth = fopen(truth_path, "r");
	int status = -1;
	if (curves && truth)
		status = fit_all(curves, truth, error);
	else
		error_set(error, FATHOM_FAILED, NULL, "'%s' cannot be read",
			  curves ? truth_path : curves_path);
	if (curves)
		fclose(curves);
	if (truth)
		fclose(truth);
	return status;
}
