#include "commands.h"

#include <errno.h>

#include "base/error.h"
#include "base/names.h"
#include "kernels/kernels.h"
#include "perform.h"
#include "sizes.h"
#include "values.h"

enum { KEY_SIZE = 0x200, KEY_LANES, KEY_SEPARATE, KEY_LANE_STORE, KEY_MAX_SIZE };

#define FEWEST_LANES 2

static const struct argp_option table[] = {
	{NULL, 0, NULL, 0, "The curves:", 2},
	{"size", KEY_SIZE, "SIZES", 0,
	 "Sizes: 16K,1M,64M, or a range 16K..64M of powers of two (default: one in each level, "
	 "which a sweep finds first)",
	 2},
	{"lanes", KEY_LANES, "N", 0,
	 "Most chains at once, 2 to 64 (default: 32, or as many as --lane-store has room for)", 2},
	{"lane-store", KEY_LANE_STORE, "PLACE", 0,
	 "Where the cursors of the chains live: registers, vectors (once registers are full), "
	 "stack (all of them, as compilers spill) or auto (default: registers, then whatever is "
	 "faster)",
	 2},
	{"max-size", KEY_MAX_SIZE, "SIZE", 0, "Largest size of the sweep", 2},
	{"separate", KEY_SEPARATE, NULL, 0,
	 "Give each chain its own cycle and its own part of the memory (default: equally spaced on "
	 "one cycle)",
	 2},
	{0},
};

static const enum fathom_lane_store stores[] = {FATHOM_STORE_UNKNOWN, FATHOM_STORE_REGISTERS,
						FATHOM_STORE_VECTORS, FATHOM_STORE_STACK};

static const char *store_choice(int number)
{
	if (number == sizeof(stores) / sizeof(*stores))
		return NULL;
	return number == 0 ? "auto" : lane_store_name((int)stores[number]);
}

static int set_store(const char *value, enum fathom_lane_store *store, struct fathom_error *error)
{
	static const struct value_choice choice = {"--lane-store", store_choice};
	int chosen;
	if (value_choose(&choice, value, &chosen, error))
		return EINVAL;
	*store = stores[chosen];
	return 0;
}

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
	case KEY_LANE_STORE:
		return set_store(value, &request->spec.lane_store, error);
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
	.doc = "Measures memory-level parallelism: follows more and more chains at once to find "
	       "how many accesses overlap in each level, and what limits that.\vSizes are written "
	       "48K, 1.5M or 2GiB (K = 1024). docs/parallelism.md explains each number.",
};

int parallelism_run(const struct options *options, const struct environment *environment,
		    struct fathom_error *error)
{
	if (options->y != FATHOM_Y_NS)
		return error_set(error, FATHOM_USAGE, "leave out '--y'",
				 "'--y' is for curves against size");
	if (options->sizes.count && options->request.max_size_bytes)
		return error_set(error, FATHOM_USAGE, "leave out one of them",
				 "'--max-size' limits the sweep, but '--size' replaces it");
	return perform_request(options, environment, error);
}
