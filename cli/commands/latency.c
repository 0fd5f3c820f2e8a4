#include "commands.h"

#include <errno.h>
#include <limits.h>

#include "base/patterns.h"
#include "values.h"

enum {
	KEY_PER_OCTAVE = 0x200,
	KEY_MIN_SIZE,
	KEY_MAX_SIZE,
	KEY_PATTERN,
	KEY_WINDOW,
	KEY_LAPS,
	KEY_NO_CONTROL
};

#define DEFAULT_LAPS 4

static const struct argp_option table[] = {
	{NULL, 0, NULL, 0, "The curve:", 2},
	{"min-size", KEY_MIN_SIZE, "SIZE", 0, "Smallest size (default: 1K)", 2},
	{"max-size", KEY_MAX_SIZE, "SIZE", 0, "Largest size: 64M, 1.5G (default: past the caches)",
	 2},
	{"per-octave", KEY_PER_OCTAVE, "N", 0,
	 "Sizes per octave (from one power of two to the next)", 2},
	{"no-control", KEY_NO_CONTROL, NULL, 0,
	 "Leave out the control curve, which tells caches from TLBs", 2},
	{"pattern", KEY_PATTERN, "NAME", 0,
	 "random_cycle (the default), random_laps, independent, sequential, reverse, window, or "
	 "both: also the independent order, to identify the replacement policy",
	 4},
	{"window", KEY_WINDOW, "SIZE", 0, "Window size: all of a window is visited before the next",
	 4},
	{"laps", KEY_LAPS, "N", 0, "Number of random cycles, one after the other", 4},
	{0},
};

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

static int set_pattern(struct options *options, const char *value)
{
	static const struct value_choice choice = {"--pattern", choice_name};
	int chosen;
	if (value_choose(&choice, value, &chosen, options->error))
		return EINVAL;
	int pattern = swept_pattern(chosen);
	options->request.both_orders = pattern == FATHOM_PATTERN_UNKNOWN;
	options->request.spec.pattern =
		options->request.both_orders ? FATHOM_RANDOM_CYCLE : (enum fathom_pattern)pattern;
	options->pattern_given = true;
	return 0;
}

static void settle_pattern(struct options *options)
{
	struct fathom_spec *spec = &options->request.spec;
	if (!options->pattern_given && spec->window_bytes)
		spec->pattern = FATHOM_WINDOW;
	else if (!options->pattern_given && spec->laps)
		spec->pattern = FATHOM_RANDOM_LAPS;
	if (spec->pattern == FATHOM_RANDOM_LAPS && !spec->laps)
		spec->laps = DEFAULT_LAPS;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	struct fathom_request *request = &options->request;
	struct fathom_error *error = options->error;
	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, &latency_argp);
		return 0;
	case KEY_PER_OCTAVE:
		return value_count("--per-octave", value, 1, 64, &request->per_octave, error);
	case KEY_MIN_SIZE:
		return value_size("--min-size", value, &request->min_size_bytes, error);
	case KEY_MAX_SIZE:
		return value_size("--max-size", value, &request->max_size_bytes, error);
	case KEY_PATTERN:
		return set_pattern(options, value);
	case KEY_WINDOW:
		return value_size("--window", value, &request->spec.window_bytes, error);
	case KEY_LAPS:
		return value_count("--laps", value, 1, INT_MAX, &request->spec.laps, error);
	case KEY_NO_CONTROL:
		request->control = false;
		return 0;
	case ARGP_KEY_END:
		settle_pattern(options);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{&options_chain, 0, NULL, 0},  {&options_request, 0, NULL, 0},
	{&options_target, 0, NULL, 0}, {&options_result, 0, NULL, 0},
	{&options_output, 0, NULL, 0}, {0},
};

const struct argp latency_argp = {
	.options = table,
	.parser = parse,
	.children = children,
	.doc = "Measures the latency of dependent accesses, from the first cache to memory.\vSizes "
	       "are written 48K, 1.5M or 2GiB (K = 1024).",
};
