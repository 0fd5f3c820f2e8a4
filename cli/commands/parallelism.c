#include "commands.h"

#include <errno.h>

#include "base/error.h"
#include "base/names.h"
#include "kernels/kernels.h"
#include "perform.h"
#include "sizes.h"
#include "values.h"

enum { KEY_SIZE = 0x200, KEY_LANES, KEY_SEPARATE, KEY_MAX_SIZE };

#define FEWEST_LANES 2

static const struct argp_option table[] = {
	{NULL, 0, NULL, 0, "The curves:", 2},
	{"size", KEY_SIZE, "SIZES", 0,
	 "16K,1M,64M, or a range 16K..64M of powers of two (default: one inside each level that a "
	 "sweep before finds)",
	 2},
	{"lanes", KEY_LANES, "N", 0, "1 to N chains at once: 2 to 64 (default: 32)", 2},
	{"max-size", KEY_MAX_SIZE, "SIZE", 0, "The sweep goes no further than SIZE", 2},
	{"separate", KEY_SEPARATE, NULL, 0,
	 "A cycle for each, in a part of the memory of its own (default: equally far apart on one "
	 "cycle)",
	 2},
	{0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	struct fathom_request *request = &options->request;
	struct fathom_error *error = options->error;
	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, &parallelism_argp);
		return 0;
	case KEY_SIZE:
		return sizes_set("--size", value, &options->sizes, error);
	case KEY_LANES:
		return value_count("--lanes", value, FEWEST_LANES, KERNEL_MOST_LANES,
				   &request->most_lanes, error);
	case KEY_SEPARATE:
		request->separate = true;
		return 0;
	case KEY_MAX_SIZE:
		return value_size("--max-size", value, &request->max_size_bytes, error);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{&options_chain, 0, NULL, 0},  {&options_request, 0, NULL, 0},
	{&options_target, 0, NULL, 0}, {&options_strict, 0, NULL, 0},
	{&options_no_y, 0, NULL, 0},   {&options_rows, 0, NULL, 0},
	{&options_output, 0, NULL, 0}, {0},
};

const struct argp parallelism_argp = {
	.options = table,
	.parser = parse,
	.children = children,
	.doc = "Walks more and more chains at once: how many accesses overlap in each level of the "
	       "memory, and what that yields.\v"
	       "Sizes read 48K, 1.5M or 2GiB (K = 1024). docs/parallelism.md says what each number "
	       "is.",
};

int parallelism_run(const struct options *options, const struct environment *environment,
		    struct fathom_error *error)
{
	if (options->y != FATHOM_Y_NS)
		return error_set(error, FATHOM_USAGE, "leave it out",
				 "'--y' is for curves against size");
	if (options->sizes.count && options->request.max_size_bytes)
		return error_set(error, FATHOM_USAGE, "leave one of them out",
				 "'--max-size' limits the sweep, which '--size' leaves out");
	return perform_request(options, environment, error);
}
