/* The latency of one size with libfathom:
 *   cc minimal.c $(pkg-config --cflags --libs fathom) -o minimal && ./minimal
 * An argument "sim:SPEC" takes a simulated machine in place of this one. */
#include <fathom.h>
#include <stdio.h>

static int complain(struct fathom_error *error)
{
	int status = error->status;
	fprintf(stderr, "%s\n", error->text ? error->text : "out of memory");
	fathom_error_clear(error);
	return status;
}

static void print(const struct fathom_result *result)
{
	for (size_t c = 0; c < result->curve_count; c++)
		for (size_t p = 0; p < result->curves[c].point_count; p++) {
			const struct fathom_point *point = &result->curves[c].points[p];
			printf("%llu bytes: %.2f ns\n", (unsigned long long)point->spec.size_bytes,
			       point->latency_ns);
		}
}

int main(int argc, char **argv)
{
	struct fathom_error error = {FATHOM_OK, NULL, NULL};
	struct fathom_machine *machine = NULL;
	struct fathom_plan *plan = NULL;
	struct fathom_result *result = NULL;
	struct fathom_request request;
	int status = 0;

	fathom_request_default(&request);
	request.min_size_bytes = 16 << 10;
	request.max_size_bytes = 16 << 10;
	request.budget_s = 1;

	if (fathom_machine_find(argc > 1 ? argv[1] : NULL, &machine, &error) ||
	    fathom_plan_make(&request, machine, &plan, &error) ||
	    fathom_measure(plan, machine, NULL, &result, &error)) {
		status = complain(&error);
	} else {
		machine = NULL; /* the result's now */
		print(result);
	}
	fathom_result_free(result);
	fathom_plan_free(plan);
	fathom_machine_free(machine);
	return status;
}
