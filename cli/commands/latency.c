#include <limits.h>

#include "base/error.h"
#include "base/patterns.h"
#include "commands.h"
#include "perform.h"
#include "sizes.h"
#include "values.h"

#define DEFAULT_LAPS 4

/* The patterns that are swept, as they stand in the enumeration, then both orders. */
static int swept_pattern(int choice)
{
	for (int pattern = 0; pattern < FATHOM_PATTERN_UNKNOWN; pattern++)
		if (pattern_traits(pattern)->sweep && choice-- == 0)
			return pattern;
	return FATHOM_PATTERN_UNKNOWN;
}

static const char *choice_name(int choice)
{
	int pattern = swept_pattern(choice);
	if (pattern != FATHOM_PATTERN_UNKNOWN)
		return fathom_pattern_name(pattern);
	return choice == 0 || swept_pattern(choice - 1) != FATHOM_PATTERN_UNKNOWN ? "both" : NULL;
}

static option_table table = {
	{OPTIONS_CURVE, "size", 0, value_sizes, OPTIONS_AT(sizes), "SIZES",
	 .excludes = "min-size max-size per-octave",
	 .doc = "These sizes alone: 256M, a list 1M,16M, or a range 1K..256M of powers of two"},
	{OPTIONS_CURVE, "no-control", 0, value_off, OPTIONS_AT(request.control), NULL,
	 .doc = "Leave out the control curve, which tells caches from TLBs"},
	{OPTIONS_CHAIN, "pattern", 0, value_choice, OPTIONS_AT(pattern), "NAME",
	 .choice = choice_name,
	 .doc = "random_cycle (the default), random_laps, independent (no fixed cycle, and yet "
		"one at a time), sequential, reverse, window, or both: also the independent "
		"order, to identify the replacement policy"},
	{OPTIONS_CHAIN, "window", 0, value_size, OPTIONS_AT(request.spec.window_bytes), "SIZE",
	 .doc = "Window size: all of a window is visited before the next"},
	{OPTIONS_CHAIN, "laps", 0, value_number, OPTIONS_AT(request.spec.laps), "N", .low = 1,
	 .high = INT_MAX, .doc = "Number of random cycles, one after the other"},
	{OPTIONS_CHAIN, "settled", 0, value_low, OPTIONS_AT(request.experiment), NULL,
	 .low = FATHOM_SETTLING,
	 .excludes = "pattern window laps sibling explain trace no-os-prior y min-size per-octave "
		     "no-control",
	 .doc = "Show what caches keep of a chain that is walked for a tenth of a second beside "
		"other programs, against just after they were filled, in place of the levels"},
	{0},
};

/* --window and --laps choose a pattern where --pattern does not. */
static int complete(struct options *options, struct fathom_error *error)
{
	struct fathom_spec *spec = &options->request.spec;
	struct fathom_request usual;
	int pattern = swept_pattern(options->pattern);
	if (options->request.experiment == FATHOM_SETTLING && options->request.cpus)
		return error_set(error, FATHOM_USAGE, "name one CPU with --cpu",
				 "'--settled' measures on one CPU, not on '--cpu %s'",
				 options->request.cpus);
	fathom_request_for(&usual, options->request.experiment);
	if (!option_given(options, "budget"))
		options->request.budget_s = usual.budget_s;
	options->request.both_orders = pattern == FATHOM_PATTERN_UNKNOWN;
	if (options->request.both_orders)
		pattern = FATHOM_RANDOM_CYCLE;
	if (option_given(options, "pattern"))
		spec->pattern = (enum fathom_pattern)pattern;
	else if (spec->window_bytes)
		spec->pattern = FATHOM_WINDOW;
	else if (spec->laps)
		spec->pattern = FATHOM_RANDOM_LAPS;
	if (spec->pattern == FATHOM_RANDOM_LAPS && !spec->laps)
		spec->laps = DEFAULT_LAPS;
	return 0;
}

const struct command latency_command = {
	.name = "latency",
	.summary = "latency of dependent accesses against size, and the levels",
	.about = "Measures the latency of dependent accesses, from the first cache to memory.",
	.notes = OPTIONS_SIZES_NOTE,
	.options = COMMAND_OPTIONS(options_range, table, options_chain, options_measurement,
				   options_node, options_cpus, options_memory_node, options_sibling,
				   options_dry_run, options_code, options_page, options_target,
				   options_strict, options_y, options_all, options_explain,
				   options_levels, options_result_format, options_answer,
				   options_machine),
	.experiment = FATHOM_LATENCY,
	.complete = complete,
	COMMAND_MEASURES,
};
