/* The same memory in one order after another, warm and cold. */
#include "measure/experiments.h"
#include "measure/specs.h"

#include "base/error.h"
#include "kernels/kernels.h"

#define USUAL_BYTES        (256ull << 20)
#define USUAL_STRIDE_BYTES 256
#define PLAIN_ROWS         7
#define ROWS_A_STRIDE      2
#define WARMTHS            3

struct rows {
	struct fathom_plan *plan;
	const struct fathom_request *request;
};

/* A pattern in each warmth that is asked for. */
static void add_row(const struct rows *rows, const struct fathom_spec *row)
{
	const bool wanted[WARMTHS] = {[FATHOM_WARM] = true,
				      [FATHOM_COLD_FLUSHED] = rows->request->cold_flushed,
				      [FATHOM_COLD_MAPPED] = rows->request->cold_mapped};
	for (int warmth = 0; warmth < WARMTHS; warmth++) {
		struct fathom_spec spec = *row;
		spec.warmth = (enum fathom_warmth)warmth;
		if (wanted[warmth])
			specs_add(rows->plan, rows->request, &spec, USUAL_BYTES);
	}
}

static void add_pattern(const struct rows *rows, enum fathom_pattern pattern)
{
	struct fathom_spec spec = rows->request->spec;
	spec.pattern = pattern;
	add_row(rows, &spec);
}

static void add_strides(const struct rows *rows, enum fathom_pattern pattern)
{
	const struct fathom_request *request = rows->request;
	uint64_t node_bytes = request->spec.node_bytes;
	const uint64_t usual[] = {USUAL_STRIDE_BYTES % node_bytes ? 2 * node_bytes
								  : USUAL_STRIDE_BYTES};
	bool given = request->strides_bytes && request->stride_count;
	const uint64_t *strides = given ? request->strides_bytes : usual;
	for (size_t i = 0; i < (given ? request->stride_count : 1); i++) {
		struct fathom_spec spec = request->spec;
		spec.pattern = pattern;
		spec.stride_bytes = strides[i];
		add_row(rows, &spec);
	}
}

/* Both are about the page that is translated at a time: the base page. */
static void add_pages(const struct rows *rows, const struct fathom_machine *machine)
{
	struct fathom_spec spec = rows->request->spec;
	spec.pattern = FATHOM_PAGE_LOCAL;
	spec.window_bytes = machine->base_page_bytes;
	add_row(rows, &spec);
	spec = rows->request->spec;
	spec.pattern = FATHOM_ONE_PER_PAGE;
	spec.node_bytes = machine->base_page_bytes;
	add_row(rows, &spec);
}

static void add_sum(const struct rows *rows)
{
	struct fathom_spec spec = rows->request->spec;
	spec.pattern = FATHOM_LINEAR_SUM;
	if (spec.node_bytes % KERNEL_SUM_BYTES)
		spec.node_bytes = KERNEL_SUM_BYTES;
	add_row(rows, &spec);
}

int patterns_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		   struct fathom_plan *plan, struct fathom_error *error)
{
	const struct rows rows = {plan, request};
	size_t strides = request->stride_count ? request->stride_count : 1;
	size_t curves = WARMTHS * (PLAIN_ROWS + ROWS_A_STRIDE * strides);
	if (specs_open(plan, request, curves, USUAL_BYTES, error))
		return -1;
	add_pattern(&rows, FATHOM_RANDOM_CYCLE);
	add_pattern(&rows, FATHOM_SEQUENTIAL);
	add_pattern(&rows, FATHOM_REVERSE);
	add_strides(&rows, FATHOM_STRIDED);
	add_pages(&rows, machine);
	add_pattern(&rows, FATHOM_INDEX_ARRAY);
	add_strides(&rows, FATHOM_STRIDE_LOOP);
	add_sum(&rows);
	return 0;
}
