#include "commands.h"

#include <errno.h>

#include "base/error.h"
#include "base/names.h"
#include "kernels/kernels.h"
#include "perform.h"
#include "sizes.h"

enum { KEY_SIZE = 0x200, KEY_LANES, KEY_SEPARATE, KEY_NODE, KEY_LINK, KEY_MAX_SIZE, KEY_TARGET };

#define FEWEST_LANES 2

static const struct argp_option table[] = {
	{NULL, 0, NULL, 0, "The curves:", 2},
	{"size", KEY_SIZE, "SIZES", 0,
	 "16K,1M,64M, or a range 16K..64M of powers of two (default: one inside each level that a "
	 "sweep before finds)",
	 2},
	{"lanes", KEY_LANES, "N", 0, "1 to N chains at once: 2 to 64 (default: 32)", 2},
	{"max-size", KEY_MAX_SIZE, "SIZE", 0, "The sweep goes no further than SIZE", 2},
	{"target", KEY_TARGET, "SHARE", 0, "Wanted half-width of the intervals (default: 1%)", 2},
	{NULL, 0, NULL, 0, "The chains:", 4},
	{"separate", KEY_SEPARATE, NULL, 0,
	 "A cycle for each, in a part of the memory of its own (default: equally far apart on one "
	 "cycle)",
	 4},
	{"node", KEY_NODE, "SIZE", 0, "Spacing of the nodes (default: one line)", 4},
	{"link", KEY_LINK, "KIND", 0, "pointer (the default), or index32: 32-bit indexes", 4},
	{0},
};

static int set_link(struct options *options, const char *value)
{
	static const struct options_choice choice = {"--link", link_name, FATHOM_LINK_INDEX32 + 1};
	int link;
	if (options_choose(&choice, value, &link, options->error))
		return EINVAL;
	options->request.spec.link = (enum fathom_link)link;
	return 0;
}

static int set_lanes(struct options *options, const char *value)
{
	int64_t lanes;
	if (options_integer("--lanes", value, FEWEST_LANES, KERNEL_MOST_LANES, &lanes,
			    options->error))
		return EINVAL;
	options->request.most_lanes = (uint32_t)lanes;
	return 0;
}

/* The defaults of this command stand where those of the first one do. */
static void begin(struct options *options)
{
	uint64_t seed = options->request.spec.seed;
	fathom_request_for(&options->request, FATHOM_PARALLELISM);
	options->request.spec.seed = seed;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	struct fathom_request *request = &options->request;
	struct fathom_error *error = options->error;
	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state);
		begin(options);
		return 0;
	case KEY_SIZE:
		return sizes_set("--size", value, &options->sizes, error) ? EINVAL : 0;
	case KEY_LANES:
		return set_lanes(options, value);
	case KEY_SEPARATE:
		request->separate = true;
		return 0;
	case KEY_MAX_SIZE:
		return options_size("--max-size", value, &request->max_size_bytes, error) ? EINVAL
											  : 0;
	case KEY_TARGET:
		return options_share("--target", value, &request->target, error) ? EINVAL : 0;
	case KEY_NODE:
		return options_size("--node", value, &request->spec.node_bytes, error) ? EINVAL : 0;
	case KEY_LINK:
		return set_link(options, value);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{&options_request, 0, NULL, 0},
	{&options_result, 0, NULL, 0},
	{&options_output, 0, NULL, 0},
	{0},
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
	struct options own = *options;
	struct fathom_machine *machine = NULL;
	struct fathom_plan *plan = NULL;
	own.request.sizes_bytes = own.sizes.count ? own.sizes.bytes : NULL;
	own.request.size_count = own.sizes.count;
	if (own.y != FATHOM_Y_NS)
		return error_set(error, FATHOM_USAGE, "leave it out",
				 "'--y' is for curves against size");
	int status = fathom_machine_find(own.machine, &machine, error);
	if (!status)
		status = fathom_plan_make(&own.request, machine, &plan, error);
	if (!status)
		status = perform(plan, &machine, &own, environment, error);
	fathom_plan_free(plan);
	fathom_machine_free(machine);
	return status;
}
