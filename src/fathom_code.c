/* The timed loops of a plan, as text. */
#include "base/error.h"
#include "base/patterns.h"
#include "base/text.h"
#include "fathom.h"
#include "kernels/loop_code.h"
#include "measure/memory/chain_kernel.h"
#include "measure/memory/stream_variant.h"
#include "measure/meters/lanes.h"

#define MOST_LOOPS 2 /* of a spec: of two that hold so many lanes the faster is found by timing */

static size_t find_lanes(const struct fathom_spec *spec, const struct kernel *loops[MOST_LOOPS])
{
	enum kernel_kind kind = chain_kernel_kind(spec);
	bool asked = spec->lane_store != FATHOM_STORE_UNKNOWN;
	enum fathom_lane_store store = asked ? spec->lane_store : FATHOM_STORE_REGISTERS;
	loops[0] = lanes_kernel_in(store, kind, spec->lanes);
	if (asked || loops[0])
		return 1;
	loops[0] = lanes_kernel_in(FATHOM_STORE_VECTORS, kind, spec->lanes);
	loops[1] = lanes_kernel_in(FATHOM_STORE_ARRAY, kind, spec->lanes);
	return MOST_LOOPS;
}

static size_t find_loops(const struct fathom_spec *spec, const struct kernel *loops[MOST_LOOPS])
{
	if (!pattern_streams(spec->pattern) && spec->lanes > 1)
		return find_lanes(spec, loops);
	loops[0] = pattern_streams(spec->pattern) ? stream_kernel(spec->pattern, spec->vector_bytes)
						  : chain_kernel(spec);
	return 1;
}

static bool runs(const struct fathom_spec *spec, const struct kernel *kernel)
{
	const struct kernel *loops[MOST_LOOPS];
	size_t count = find_loops(spec, loops);
	for (size_t i = 0; i < count; i++)
		if (loops[i] == kernel)
			return true;
	return false;
}

/* The other orders of the plan that run the loop. */
static void add_others(struct text *text, const struct fathom_plan *plan, enum fathom_pattern first,
		       const struct kernel *kernel)
{
	bool named[FATHOM_PATTERN_UNKNOWN + 1] = {false};
	const char *before = "  the same loop: ";
	named[first] = true;
	for (size_t i = 0; i < plan->spec_count; i++) {
		const struct fathom_spec *spec = &plan->specs[i];
		if (named[spec->pattern] || !runs(spec, kernel))
			continue;
		text_add(text, "%s%s", before, fathom_pattern_name((int)spec->pattern));
		named[spec->pattern] = true;
		before = ", ";
	}
	if (*before == ',')
		text_add(text, "\n");
}

static void add_loop(struct text *text, const struct fathom_plan *plan,
		     const struct fathom_spec *spec, const struct kernel *kernel)
{
	const struct loop_code *code = loop_code_find(kernel);
	text_add(text, "%s%s", text->length ? "\n" : "", fathom_pattern_name((int)spec->pattern));
	if (spec->lanes > 1)
		text_add(text, ", %u lanes", spec->lanes);
	text_add(text, ": loop '%s' (%s)", kernel->name, kernel->isa);
	if (kernel->instructions_per_hop && spec->lanes == 1)
		text_add(text, ", %u instruction%s per access", kernel->instructions_per_hop,
			 kernel->instructions_per_hop == 1 ? "" : "s");
	text_add(text, "\n");
	add_others(text, plan, spec->pattern, kernel);
	if (code)
		loop_code_add(text, code);
	else
		text_add(text, "  not known: the build could not disassemble it\n");
}

/* Was the loop shown for a spec before this one? */
static bool is_shown(const struct fathom_plan *plan, size_t spec, const struct kernel *kernel)
{
	for (size_t i = 0; i < spec; i++)
		if (runs(&plan->specs[i], kernel))
			return true;
	return false;
}

int fathom_plan_code(const struct fathom_plan *plan, char **text, size_t *length,
		     struct fathom_error *error)
{
	struct text code = {0};
	for (size_t i = 0; i < plan->spec_count; i++) {
		const struct kernel *loops[MOST_LOOPS];
		size_t count = find_loops(&plan->specs[i], loops);
		for (size_t k = 0; k < count; k++)
			if (loops[k] && !is_shown(plan, i, loops[k]))
				add_loop(&code, plan, &plan->specs[i], loops[k]);
	}
	*length = code.length;
	*text = text_take(&code);
	return *text ? 0 : error_no_memory(error);
}
