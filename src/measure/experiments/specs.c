#include "measure/experiments/specs.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/patterns.h"
#include "base/point.h"
#include "base/units.h"
#include "base/warnings.h"
#include "measure/spec.h"

#define USUAL_LINE_BYTES 64

static size_t size_count(const struct fathom_request *request)
{
	return request->sizes_bytes && request->size_count ? request->size_count : 1;
}

static uint64_t size_at(const struct fathom_request *request, size_t i, uint64_t usual_bytes)
{
	return request->sizes_bytes && request->size_count ? request->sizes_bytes[i] : usual_bytes;
}

uint64_t specs_usual_bytes(const struct fathom_machine *machine, uint64_t usual_bytes)
{
	while (usual_bytes > machine->limit_bytes && usual_bytes > machine->base_page_bytes)
		usual_bytes /= 2;
	return usual_bytes;
}

int specs_open(struct fathom_plan *plan, const struct fathom_request *request, size_t curves,
	       uint64_t usual_bytes, struct fathom_error *error)
{
	for (size_t i = 1; i < size_count(request); i++)
		if (request->sizes_bytes[i] <= request->sizes_bytes[i - 1])
			return error_set(error, FATHOM_USAGE, NULL, "the sizes do not ascend");
	plan->specs = calloc(curves * size_count(request), sizeof(*plan->specs));
	if (!plan->specs)
		return error_no_memory(error);
	plan->always_bytes = size_at(request, size_count(request) - 1, usual_bytes);
	plan->steps = request->steps;
	return 0;
}

static uint64_t needed_bytes(const struct fathom_spec *spec)
{
	const struct pattern_traits *traits = pattern_traits(spec->pattern);
	uint64_t bytes = spec->node_bytes;
	if (traits->stride != PATTERN_STRIDE_IN_NODE && spec->stride_bytes > bytes)
		bytes = spec->stride_bytes;
	return spec->window_bytes > bytes ? spec->window_bytes : bytes;
}

/* Other node spacings, windows and the usual stride are the row's own: a size that is too small for
 * them has no such row. */
static bool is_asked(const struct fathom_request *request, const struct fathom_spec *spec)
{
	bool stride = spec->stride_bytes == 0 || request->stride_count;
	return spec->node_bytes == request->spec.node_bytes && stride &&
	       spec->window_bytes == request->spec.window_bytes;
}

void specs_add(struct fathom_plan *plan, const struct fathom_request *request,
	       const struct fathom_spec *spec, uint64_t usual_bytes)
{
	size_t count = size_count(request);
	uint64_t before = 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t bytes = size_at(request, i, usual_bytes);
		bool small = bytes < needed_bytes(spec);
		if (small && (i + 1 < count || !is_asked(request, spec)))
			continue;
		if (pattern_traits(spec->pattern)->kernel == KERNEL_INDEX_ARRAY &&
		    bytes > spec_index_span(spec))
			continue;
		if (bytes >= spec->node_bytes)
			bytes -= bytes % spec->node_bytes;
		if (bytes == before)
			continue;
		plan->specs[plan->spec_count] = *spec;
		plan->specs[plan->spec_count++].size_bytes = before = bytes;
	}
}

void specs_warn_of_page_local(const struct fathom_plan *plan, const struct fathom_machine *machine,
			      struct fathom_warnings *warnings)
{
	char page[UNITS_TEXT_BYTES], node[UNITS_TEXT_BYTES];
	if (plan->always_bytes < machine->base_page_bytes || specs_has(plan, FATHOM_PAGE_LOCAL))
		return;
	warnings_add(
		warnings, "row-left-out", "page_local", "use a power of two for --spacing",
		"the page-local row is left out: a page of %s is not two or more whole nodes of %s",
		units_format_size(machine->base_page_bytes, page),
		units_format_size(plan->specs[0].node_bytes, node));
}

bool specs_has(const struct fathom_plan *plan, enum fathom_pattern pattern)
{
	for (size_t i = 0; i < plan->spec_count; i++)
		if (plan->specs[i].pattern == pattern)
			return true;
	return false;
}

uint64_t specs_line_bytes(const struct fathom_machine *machine)
{
	uint64_t reported = line_bytes_reported(machine);
	return reported ? reported : USUAL_LINE_BYTES;
}
