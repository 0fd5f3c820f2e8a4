/* What may be measured, and what is refused with the reason. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "measure/spec.h"
#include "unit.h"

static const struct fathom_spec good = {
	.size_bytes = 1 << 20, .node_bytes = 64, .lanes = 1, .threads = 1};

static void refused(struct fathom_spec spec, const char *word)
{
	struct fathom_error error = {0};
	assert_int_equal(spec_check(&spec, &error), -1);
	assert_int_equal(error.status, FATHOM_USAGE);
	assert_non_null(strstr(error.text, word));
	fathom_error_clear(&error);
}

static void a_plain_spec_is_good(void **state)
{
	(void)state;
	assert_int_equal(spec_check(&good, NULL), 0);
	assert_int_equal(spec_nodes(&good), 16384);
	assert_int_equal(spec_lines_touched(&good, 64), 16384);
	assert_int_equal(spec_lines_touched(&good, 128), 8192);
}

static void small_nodes_share_lines(void **state)
{
	(void)state;
	struct fathom_spec spec = good;
	spec.node_bytes = 4;
	spec.link = FATHOM_LINK_INDEX32;
	assert_int_equal(spec_check(&spec, NULL), 0);
	assert_int_equal(spec_nodes(&spec), 262144);
	assert_int_equal(spec_lines_touched(&spec, 64), 16384);
	spec.node_bytes = 4096;
	assert_int_equal(spec_lines_touched(&spec, 64), 256);
}

static void bytes_hold_no_links(void **state)
{
	(void)state;
	struct fathom_spec spec = good;
	spec.node_bytes = 1;
	refused(spec, "nodes of 1 B ('--spacing') are not a multiple of the 8 bytes of a link "
		      "('--link pointer')");
	spec.link = spec_link_of(spec.node_bytes);
	assert_int_equal(spec.link, FATHOM_LINK_BYTE);
	refused(spec, "nodes of 1 B ('--spacing') hold no link");
	spec.pattern = FATHOM_INDEPENDENT;
	assert_int_equal(spec_check(&spec, NULL), 0);
	assert_int_equal(spec_lines_touched(&spec, 64), 16384);
	spec.pattern = FATHOM_INDEX_ARRAY;
	assert_int_equal(spec_check(&spec, NULL), 0);
	spec.size_bytes = 5ull << 30;
	refused(spec, "4 GiB");
	spec.node_bytes = 4;
	assert_int_equal(spec_check(&spec, NULL), 0);
	assert_int_equal(spec_link_of(4), FATHOM_LINK_INDEX32);
	assert_int_equal(spec_link_of(72), FATHOM_LINK_POINTER);
}

static void more_than_2_32_nodes_are_counted(void **state)
{
	(void)state;
	struct fathom_spec spec = good;
	spec.size_bytes = 1ull << 40;
	assert_int_equal(spec_check(&spec, NULL), 0);
	assert_true(spec_nodes(&spec) == 1ull << 34);
	spec.link = FATHOM_LINK_INDEX32;
	refused(spec, "16 GiB");
}

static void bad_fields_are_named(void **state)
{
	(void)state;
	struct fathom_spec spec = good;
	spec.node_bytes = 4;
	refused(spec, "node");
	spec.node_bytes = 68;
	refused(spec, "multiple");
	spec = good;
	spec.size_bytes = 32;
	refused(spec, "size");
	spec = good;
	spec.pattern = FATHOM_RANDOM_LAPS;
	refused(spec, "needs a number of laps");
	spec.laps = 9;
	refused(spec, "9 laps");
	spec.laps = 8;
	assert_int_equal(spec_check(&spec, NULL), 0);
	spec = good;
	spec.laps = 4;
	refused(spec, "pattern random_cycle has no laps");
	spec = good;
	spec.pattern = FATHOM_WINDOW;
	refused(spec, "needs a window size");
	spec.window_bytes = 96;
	refused(spec, "window 96 B is not two or more whole nodes of 64 B");
	spec = good;
	spec.window_bytes = 4096;
	refused(spec, "pattern random_cycle has no window");
	spec = good;
	spec.pattern = FATHOM_LINE_PAIR;
	spec.stride_bytes = 64;
	refused(spec, "stride");
	spec = good;
	spec.lanes = 2;
	assert_int_equal(spec_check(&spec, NULL), 0);
	spec.lanes = 65;
	refused(spec, "the number of lanes, 65, is not between 1 and 64");
	spec.lanes = 17;
	spec.size_bytes = 16 * 64;
	refused(spec, "size 1 KiB has too few nodes for 17 lanes");
	spec = good;
	spec.pattern = FATHOM_SEQUENTIAL;
	spec.lanes = 2;
	refused(spec,
		"more than one lane needs pattern random_cycle or separate_cycles and warm memory");
	spec = good;
	spec.threads = 2;
	refused(spec, "pattern random_cycle is measured with one thread, not 2");
	spec.pattern = FATHOM_READ;
	assert_int_equal(spec_check(&spec, NULL), 0);
	spec.node_bytes = 128;
	refused(spec, "pattern read needs nodes of 64 bytes");
	spec = good;
	spec.pattern = FATHOM_LINEAR_SUM;
	spec.node_bytes = 96;
	refused(spec, "multiple of the 64 bytes that pattern linear_sum reads");
	spec = good;
	spec.vector_bytes = 16;
	refused(spec, "pattern random_cycle has no vectors");
	spec.pattern = FATHOM_WRITE;
	assert_int_equal(spec_check(&spec, NULL), 0);
	spec.vector_bytes = 48;
	refused(spec, "vectors of 384 bits are not known");
	spec.vector_bytes = 4;
	refused(spec, "vectors of 32 bits are not known");
	spec = good;
	spec.pattern = FATHOM_COPY_NT;
	spec.size_bytes = 64;
	refused(spec, "pattern copy_nt needs a line to read and one to write");
	spec.pattern = FATHOM_READ;
	assert_int_equal(spec_check(&spec, NULL), 0);
	spec = good;
	spec.pattern = (enum fathom_pattern)99;
	refused(spec, "pattern");
}

/* The halves of a copy begin on pages of their own, which never makes it larger by a page. */
static void copies_have_two_halves(void **state)
{
	(void)state;
	struct fathom_spec spec = good;
	spec.pattern = FATHOM_COPY;
	spec.threads = 3;
	spec.size_bytes = 64 << 10;
	assert_int_equal(spec_accesses(&spec), 512);
	assert_int_equal(spec_copy_offset(&spec), 32 << 10);
	assert_int_equal(spec_memory_bytes(&spec), 64 << 10);
	assert_int_equal(spec_total_bytes(&spec), 192 << 10);
	spec.size_bytes = 4096 + 192;
	assert_int_equal(spec_accesses(&spec), 33);
	assert_int_equal(spec_copy_offset(&spec), 4096);
	assert_int_equal(spec_memory_bytes(&spec), 4096 + 33 * 64);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_plain_spec_is_good),
	cmocka_unit_test(small_nodes_share_lines),
	cmocka_unit_test(bytes_hold_no_links),
	cmocka_unit_test(more_than_2_32_nodes_are_counted),
	cmocka_unit_test(copies_have_two_halves),
	cmocka_unit_test(bad_fields_are_named),
};
UNIT_GROUP();
