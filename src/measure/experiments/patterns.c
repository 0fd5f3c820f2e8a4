/* The same memory in one order after another, warm and cold. */
#include "measure/experiments/experiments.h"
#include "measure/experiments/specs.h"
#include "measure/spec.h"

#include "base/units.h"
#include "base/warnings.h"
#include "kernels/kernels.h"

#define USUAL_BYTES        (256ull << 20)
#define USUAL_STRIDE_BYTES 256
#define PLAIN_ROWS         7
#define ROWS_A_STRIDE      2
#define WARMTHS            3

struct rows {
	struct fathom_plan *plan;
	const struct fathom_request *request;
	uint64_t usual_bytes;
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
			specs_add(rows->plan, rows->request, &spec, rows->usual_bytes);
	}
}

static void add_pattern(const struct rows *rows, enum fathom_pattern pattern)
{
	struct fathom_spec spec = rows->request->spec;
	spec.pattern = pattern;
	add_row(rows, &spec);
}

/* Not of links, but of words. */
static void add_index_array(const struct rows *rows)
{
	struct fathom_spec spec = rows->request->spec;
	uint64_t rest = spec.node_bytes % SPEC_WORD_BYTES;
	spec.pattern = FATHOM_INDEX_ARRAY;
	spec.node_bytes += rest ? SPEC_WORD_BYTES - rest : 0;
	add_row(rows, &spec);
}

static void add_stride(const struct rows *rows, enum fathom_pattern pattern, uint64_t stride_bytes)
{
	struct fathom_spec spec = rows->request->spec;
	spec.pattern = pattern;
	spec.stride_bytes = stride_bytes;
	if (pattern == FATHOM_STRIDE_LOOP && spec.node_bytes % SPEC_WORD_BYTES)
		spec.node_bytes = SPEC_WORD_BYTES;
	if (pattern == FATHOM_STRIDED || stride_bytes % SPEC_WORD_BYTES == 0)
		add_row(rows, &spec);
}

static void add_strides(const struct rows *rows, enum fathom_pattern pattern)
{
	const struct fathom_request *request = rows->request;
	uint64_t node_bytes = request->spec.node_bytes;
	if (!request->strides_bytes || !request->stride_count)
		add_stride(rows, pattern,
			   USUAL_STRIDE_BYTES % node_bytes ? 2 * node_bytes : USUAL_STRIDE_BYTES);
	for (size_t i = 0; request->strides_bytes && i < request->stride_count; i++)
		add_stride(rows, pattern, request->strides_bytes[i]);
}

/* Both are about the page that is translated at a time: the base page. */
static void add_page_local(const struct rows *rows, const struct fathom_machine *machine)
{
	struct fathom_spec spec = rows->request->spec;
	spec.pattern = FATHOM_PAGE_LOCAL;
	spec.window_bytes = machine->base_page_bytes;
	if (spec_holds_nodes(&spec))
		add_row(rows, &spec);
}

static void add_one_per_page(const struct rows *rows, const struct fathom_machine *machine)
{
	struct fathom_spec spec = rows->request->spec;
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
	uint64_t most = request->max_size_bytes && request->max_size_bytes < USUAL_BYTES
				? request->max_size_bytes
				: USUAL_BYTES;
	const struct rows rows = {plan, request, specs_usual_bytes(machine, most)};
	size_t strides = request->stride_count ? request->stride_count : 1;
	size_t curves = WARMTHS * (PLAIN_ROWS + ROWS_A_STRIDE * strides);
	if (specs_open(plan, request, curves, rows.usual_bytes, error))
		return -1;
	add_pattern(&rows, FATHOM_RANDOM_CYCLE);
	add_pattern(&rows, FATHOM_SEQUENTIAL);
	add_pattern(&rows, FATHOM_REVERSE);
	add_strides(&rows, FATHOM_STRIDED);
	add_page_local(&rows, machine);
	add_one_per_page(&rows, machine);
	add_index_array(&rows);
	add_strides(&rows, FATHOM_STRIDE_LOOP);
	add_sum(&rows);
	return 0;
}

/* A stride of which there is a chain, but no loop: words cannot be so far apart. */
static void warn_of_stride(const struct fathom_spec *strided, struct fathom_warnings *warnings)
{
	char stride[UNITS_TEXT_BYTES];
	units_format_size(strided->stride_bytes, stride);
	if (strided->stride_bytes % SPEC_WORD_BYTES)
		warnings_add(warnings, "row-left-out", stride, "choose a multiple for --stride",
			     "there is no stride loop of %s: it reads words of %d bytes", stride,
			     SPEC_WORD_BYTES);
}

void patterns_warn(const struct fathom_plan *plan, const struct fathom_machine *machine,
		   struct fathom_warnings *warnings)
{
	specs_warn_of_page_local(plan, machine, warnings);
	for (size_t i = 0; i < plan->spec_count; i++)
		if (plan->specs[i].pattern == FATHOM_STRIDED)
			warn_of_stride(&plan->specs[i], warnings);
	if (plan->always_bytes > SPEC_INDEX_SPAN_BYTES)
		warnings_add(warnings, "row-left-out", "index_array", NULL,
			     "there is no index array over 16 GiB: its indexes have 32 bits");
}
