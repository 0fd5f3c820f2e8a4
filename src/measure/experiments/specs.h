/* Adding curves to a plan: for the experiments that list their sizes. */
#pragma once

#include "fathom.h"

/* Makes room for `curves` curves of the request's sizes, or of `usual_bytes` alone where it has
 * none. Errors: USAGE (sizes that do not ascend), FAILED (memory). */
int specs_open(struct fathom_plan *plan, const struct fathom_request *request, size_t curves,
	       uint64_t usual_bytes, struct fathom_error *error);
/* Appends the curve of `spec`, at those sizes that hold what it needs: a node, a stride, a window.
 * What the request asks for is appended at the largest whatever that holds, so that its check says
 * what is wrong. */
void specs_add(struct fathom_plan *plan, const struct fathom_request *request,
	       const struct fathom_spec *spec, uint64_t usual_bytes);
/* A warning where the plan has no page-local row, though its sizes hold a page. */
void specs_warn_of_page_local(const struct fathom_plan *plan, const struct fathom_machine *machine,
			      struct fathom_warnings *warnings);
bool specs_has(const struct fathom_plan *plan, enum fathom_pattern pattern);
/* The line that the OS reports, or the usual one. */
uint64_t specs_line_bytes(const struct fathom_machine *machine);
/* As much as is usual, or the largest power of two that can be had. */
uint64_t specs_usual_bytes(const struct fathom_machine *machine, uint64_t usual_bytes);
