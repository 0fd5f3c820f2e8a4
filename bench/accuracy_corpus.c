/* The corpus file: one line a machine, then one a point of its curves. */
#include "accuracy_corpus.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define POINT_FORM "%lf %lf %lf %lf %lf %lf %lf"

static void write_curve(const char *name, const struct accuracy_curve *curve, FILE *file)
{
	fprintf(file, "%s %zu\n", name, curve->count);
	for (size_t i = 0; i < curve->count; i++) {
		const struct accuracy_point *point = &curve->points[i];
		fprintf(file, "%.0f %.6g %.6g %.6g %.6g %.6g %.6g\n", point->size_bytes, point->ns,
			point->low_ns, point->high_ns, point->clock_hz, point->exact_ns,
			point->translation_ns);
	}
}

void accuracy_machine_write(const struct accuracy_machine *machine, FILE *file)
{
	fprintf(file, "machine %" PRIu64 " %d %d %u %.4f %s\n", machine->page_bytes,
		machine->in_rounds, machine->guest, machine->tenant_ways, machine->window_help,
		machine->description);
	write_curve("main", &machine->main, file);
	write_curve("control", &machine->control, file);
	fflush(file);
}

static int refuse(struct fathom_error *error)
{
	return error_set(error, FATHOM_BAD_INPUT, "make it anew", "the corpus file is damaged");
}

static int read_curve(const char *name, FILE *file, struct accuracy_curve *curve,
		      struct fathom_error *error)
{
	char found[16];
	size_t count;
	if (fscanf(file, "%15s %zu", found, &count) != 2 || strcmp(found, name) != 0 ||
	    count > 10000)
		return refuse(error);
	curve->points = calloc(count + 1, sizeof(*curve->points));
	if (!curve->points)
		return error_no_memory(error);
	for (; curve->count < count; curve->count++) {
		struct accuracy_point *at = &curve->points[curve->count];
		if (fscanf(file, POINT_FORM, &at->size_bytes, &at->ns, &at->low_ns, &at->high_ns,
			   &at->clock_hz, &at->exact_ns, &at->translation_ns) != 7)
			return refuse(error);
	}
	return 0;
}

int accuracy_machine_read(FILE *file, struct accuracy_machine *machine, struct fathom_error *error)
{
	struct accuracy_machine read = {0};
	int in_rounds, guest;
	int found =
		fscanf(file, " machine %" SCNu64 " %d %d %u %lf %ms", &read.page_bytes, &in_rounds,
		       &guest, &read.tenant_ways, &read.window_help, &read.description);
	if (found == EOF)
		return 0;
	int status = found == 6 ? 0 : refuse(error);
	if (!status)
		status = simulated_spec_parse(read.description, &read.spec, error);
	if (!status)
		status = read_curve("main", file, &read.main, error);
	if (!status)
		status = read_curve("control", file, &read.control, error);
	if (status) {
		accuracy_machine_free(&read);
		return -1;
	}
	read.in_rounds = in_rounds;
	read.guest = guest;
	*machine = read;
	return 1;
}
