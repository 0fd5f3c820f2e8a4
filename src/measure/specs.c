#include "measure/specs.h"

#include <stdlib.h>

#include "base/error.h"
#include "measure/spec.h"

static size_t size_count(const struct fathom_request *request)
{
	return request->sizes_bytes && request->size_count ? request->size_count : 1;
}

static uint64_t size_at(const struct fathom_request *request, size_t i, uint64_t usual_bytes)
{
	return request->sizes_bytes && request->size_count ? request->sizes_bytes[i] : usual_bytes;
}

uint64_t specs_largest(const struct fathom_request *request, uint64_t usual_bytes)
{
	return size_at(request, size_count(request) - 1, usual_bytes);
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
	plan->always_bytes = specs_largest(request, usual_bytes);
	plan->steps = request->steps;
	return 0;
}

static uint64_t needed_bytes(const struct fathom_spec *spec)
{
	uint64_t bytes = spec->node_bytes;
	if (spec->pattern != FATHOM_LINE_PAIR && spec->stride_bytes > bytes)
		bytes = spec->stride_bytes;
	return spec->window_bytes > bytes ? spec->window_bytes : bytes;
}

/* Nobody asked for their node spacing or window: a size that is less than a page has no such row.
 */
static bool is_of_pages(enum fathom_pattern pattern)
{
	return pattern == FATHOM_PAGE_LOCAL || pattern == FATHOM_ONE_PER_PAGE;
}

void specs_add(struct fathom_plan *plan, const struct fathom_request *request,
	       const struct fathom_spec *spec, uint64_t usual_bytes)
{
	size_t count = size_count(request);
	uint64_t before = 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t bytes = size_at(request, i, usual_bytes);
		bool small = bytes < needed_bytes(spec);
		if (small && (i + 1 < count || is_of_pages(spec->pattern)))
			continue;
		if (spec->pattern == FATHOM_INDEX_ARRAY && bytes > SPEC_INDEX_SPAN_BYTES)
			continue;
		if (bytes >= spec->node_bytes)
			bytes -= bytes % spec->node_bytes;
		if (bytes == before)
			continue;
		plan->specs[plan->spec_count] = *spec;
		plan->specs[plan->spec_count++].size_bytes = before = bytes;
	}
}
