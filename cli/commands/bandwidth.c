#include "commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "sizes.h"
#include "values.h"

enum { KEY_SIZE = 0x200, KEY_THREADS, KEY_OPERATION, KEY_WIDTH };

#define MOST_THREADS 65536

static const struct argp_option table[] = {
	{NULL, 0, NULL, 0, "Streams:", 2},
	{"size", KEY_SIZE, "SIZES", 0,
	 "Memory of each thread: 8K..1G (the default, limited to a quarter of the memory), a list "
	 "16K,1M, or a range of powers of two",
	 2},
	{"threads", KEY_THREADS, "LIST", 0,
	 "Numbers of threads, each on its own core: 1,all (the default) or a list 1,2,4,all", 2},
	{"operation", KEY_OPERATION, "LIST", 0,
	 "read, write, write_nt (non-temporal: past the caches), copy, copy_nt, update (read, "
	 "change, write back); default: all",
	 2},
	{"width", KEY_WIDTH, "BITS", 0,
	 "Bits of each load and store: 512 (AVX-512), 256 (AVX2), 128 (SSE2, NEON) or 64 (plain "
	 "C); default: the widest, or a narrower one where that is faster",
	 2},
	{0},
};

static int add_threads(void *context, char *word, struct fathom_error *error)
{
	struct options *options = context;
	int64_t number = 0; /* one a core */
	if (strcasecmp(word, "all") != 0 &&
	    value_integer("--threads", word, 1, MOST_THREADS, &number, error))
		return EINVAL;
	if (options->thread_count == OPTIONS_MOST_SIZES)
		return error_set(error, FATHOM_USAGE, "split it into several runs",
				 "--threads: more than %d numbers", OPTIONS_MOST_SIZES);
	options->threads[options->thread_count++] = (uint32_t)number;
	return 0;
}

static const char *operation_name(int operation)
{
	return operation < OPTIONS_STREAMS ? fathom_pattern_name(FATHOM_READ + operation) : NULL;
}

/* Each once, in the order of the table. */
static int add_operation(void *context, char *word, struct fathom_error *error)
{
	struct options *options = context;
	static const struct value_choice choice = {"--operation", operation_name};
	int operation;
	if (value_choose(&choice, word, &operation, error))
		return EINVAL;
	options->streams_given[operation] = true;
	return 0;
}

static int set_width(struct options *options, const char *value)
{
	static const char *const widths[] = {"64", "128", "256", "512"};
	for (uint32_t i = 0; i < sizeof(widths) / sizeof(*widths); i++)
		if (strcmp(value, widths[i]) == 0) {
			options->request.spec.vector_bytes = 8u << i;
			return 0;
		}
	error_set(options->error, FATHOM_USAGE, "64, 128, 256 or 512 bits",
		  "--width: '%s' is not a vector width", value);
	return EINVAL;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	struct fathom_error *error = options->error;
	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, &bandwidth_argp);
		return 0;
	case KEY_SIZE:
		return sizes_set("--size", value, &options->sizes, error);
	case KEY_THREADS:
		options->thread_count = 0;
		return value_each_word(value, add_threads, options, error);
	case KEY_OPERATION:
		memset(options->streams_given, 0, sizeof(options->streams_given));
		return value_each_word(value, add_operation, options, error);
	case KEY_WIDTH:
		return set_width(options, value);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{&options_request, 0, NULL, 0}, {&options_target, 0, NULL, 0},
	{&options_strict, 0, NULL, 0},  {&options_output, 0, NULL, 0},
	{&options_format, 0, NULL, 0},  {0},
};

const struct argp bandwidth_argp = {
	.options = table,
	.parser = parse,
	.children = children,
	.doc = "Measures how many bytes a second can be read, written and copied, by size and "
	       "number of threads.\vSizes are written 48K, 1.5M or 2GiB (K = 1024). A copy goes "
	       "from the first half of the memory to the second. GB are 10^9 bytes, counted as the "
	       "program requests them: a copy's bytes count as read and as written. docs/method.md "
	       "says what traffic results.",
};
