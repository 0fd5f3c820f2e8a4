#include <strings.h>

#include "base/error.h"
#include "commands.h"
#include "perform.h"
#include "sizes.h"
#include "values.h"

#define STREAMS      "Streams"
#define MOST_THREADS 65536

static int add_threads(const struct option_row *row, const char *word, void *at,
		       struct fathom_error *error)
{
	struct options *options = at;
	int64_t number = 0; /* one a core */
	if (strcasecmp(word, "all") != 0 && value_integer(row, word, &number, error))
		return -1;
	if (options->thread_count == OPTIONS_MOST_SIZES)
		return error_set(error, FATHOM_USAGE, "split it into several runs",
				 "--%s: more than %d numbers", row->name, OPTIONS_MOST_SIZES);
	options->threads[options->thread_count++] = (uint32_t)number;
	return 0;
}

static int set_threads(const struct option_row *row, const char *value, void *at,
		       struct fathom_error *error)
{
	struct options *options = at;
	options->thread_count = 0;
	return value_each_word(row, value, add_threads, options, error);
}

static const char *operation_name(int operation)
{
	return operation < OPTIONS_STREAMS ? fathom_pattern_name(FATHOM_READ + operation) : NULL;
}

/* Of 8 bytes, and its doublings. */
CHOICES(width_name, "64", "128", "256", "512")

static option_table table = {
	{STREAMS, "size", 0, value_sizes, OPTIONS_AT(sizes), "SIZES",
	 .doc = "Memory of each thread: 8K..1G (the default, limited to a quarter of the memory), "
		"a list 16K,1M, or a range of powers of two"},
	{STREAMS, "threads", 0, set_threads, 0, "LIST", .low = 1, .high = MOST_THREADS,
	 .doc = "Numbers of threads, each on its own core: 1,all (the default) or a list "
		"1,2,4,all"},
	{STREAMS, "operation", 0, value_choices, OPTIONS_AT(streams_given), "LIST",
	 .choice = operation_name,
	 .doc = "read, write, write_nt (non-temporal: past the caches), copy, copy_nt, update "
		"(read, change, write back); default: all"},
	{STREAMS, "width", 0, value_choice, OPTIONS_AT(width), "BITS", .choice = width_name,
	 .doc = "Bits of each load and store: 512 (AVX-512), 256 (AVX2), 128 (SSE2, NEON) or 64 "
		"(plain C); default: the widest, or a narrower one where that is faster"},
	{0},
};

static int complete(struct options *options, struct fathom_error *error)
{
	(void)error;
	if (option_given(options, "width"))
		options->request.spec.vector_bytes = 8u << options->width;
	return 0;
}

const struct command bandwidth_command = {
	.name = "bandwidth",
	.summary = "bytes per second read, written and copied, by size and threads",
	.about = "Measures how many bytes per second can be read, written and copied, by size and "
		 "number of threads.",
	.notes = OPTIONS_SIZES_NOTE
	" A copy goes from the first half of the memory to the second. GB are 10^9 bytes, counted "
	"as the program requests them: a copy's bytes count as read and as written. docs/method.md "
	"says what traffic results.",
	.options = COMMAND_OPTIONS(table, options_measurement, options_node, options_cpus,
				   options_memory_node, options_sibling, options_dry_run,
				   options_code, options_page, options_target, options_strict,
				   options_result_format, options_answer, options_machine),
	.experiment = FATHOM_BANDWIDTH,
	.complete = complete,
	COMMAND_MEASURES,
};
