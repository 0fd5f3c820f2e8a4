/* Mapped memory: populated, windowed, read back, given back. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "machine/pages.h"
#include "measure/memory/buffer.h"
#include "unit.h"

#define BYTES (4u << 20)

static struct fathom_machine *machine;

static int open_machine(void **state)
{
	(void)state;
	return fathom_machine_find(NULL, &machine, NULL);
}

static int close_machine(void **state)
{
	(void)state;
	fathom_machine_free(machine);
	return 0;
}

static void windows_lie_in_the_populated_part(void **state)
{
	(void)state;
	struct buffer buffer = {0};
	struct rng rng = rng_make(1);
	assert_int_equal(
		buffer_open(&buffer, machine, FATHOM_PAGE_4K, BYTES, PINNING_ANYWHERE, NULL), 0);
	assert_true(buffer.capacity_bytes >= BYTES);
	assert_int_equal(buffer_populate(&buffer, BYTES, NULL), 0);
	unsigned char *first = buffer_window(&buffer, BYTES / 2, 1, &rng);
	unsigned others = 0;
	for (int i = 0; i < 100; i++) {
		unsigned char *window = buffer_window(&buffer, BYTES / 2, 1, &rng);
		assert_true(window >= buffer.memory);
		assert_true(window + BYTES / 2 <= buffer.memory + buffer.populated_bytes);
		assert_int_equal((uintptr_t)window % machine->base_page_bytes, 0);
		others += window != first;
	}
	assert_true(others > 50);
	assert_ptr_equal(buffer_window(&buffer, buffer.populated_bytes, 1, &rng), buffer.memory);
	buffer_close(&buffer);
	assert_null(buffer.memory);
	buffer_close(&buffer); /* twice does no harm */
}

static void no_chain_lies_past_the_end(void **state)
{
	(void)state;
	struct buffer buffer = {0};
	struct fathom_error error = {0};
	assert_int_equal(
		buffer_open(&buffer, machine, FATHOM_PAGE_4K, BYTES, PINNING_ANYWHERE, NULL), 0);
	assert_int_equal(buffer_populate(&buffer, BYTES + 1, &error), -1);
	assert_int_equal(error.status, FATHOM_UNABLE);
	assert_int_equal(buffer_populate(&buffer, BYTES, NULL), 0);
	assert_true(buffer_holds(&buffer, buffer.memory, BYTES));
	assert_true(buffer_holds(&buffer, buffer.memory + BYTES - 1, 1));
	assert_false(buffer_holds(&buffer, buffer.memory + BYTES - 1, 2));
	assert_false(buffer_holds(&buffer, buffer.memory - 1, 1));
	assert_false(buffer_holds(&buffer, buffer.memory, BYTES + 1));
	assert_false(buffer_holds(&buffer, NULL, 1));
	fathom_error_clear(&error);
	buffer_close(&buffer);
}

/* One node a page: a window that begins in the middle of one has them in more pages, or fewer. */
static void windows_of_large_nodes_begin_at_a_node(void **state)
{
	(void)state;
	struct buffer buffer = {0};
	struct rng rng = rng_make(1);
	uint64_t node_bytes = 16 * machine->base_page_bytes;
	unsigned others = 0;
	assert_int_equal(
		buffer_open(&buffer, machine, FATHOM_PAGE_4K, BYTES, PINNING_ANYWHERE, NULL), 0);
	assert_int_equal(buffer_populate(&buffer, BYTES, NULL), 0);
	for (int i = 0; i < 100; i++) {
		unsigned char *window = buffer_window(&buffer, BYTES / 2, node_bytes, &rng);
		assert_true(window + BYTES / 2 <= buffer.memory + buffer.populated_bytes);
		assert_int_equal((uint64_t)(window - buffer.memory) % node_bytes, 0);
		others += window != buffer.memory;
	}
	assert_true(others > 50);
	buffer_close(&buffer);
}

static void small_pages_are_what_was_asked_for(void **state)
{
	(void)state;
	struct buffer buffer = {0};
	struct pages_obtained obtained;
	assert_int_equal(
		buffer_open(&buffer, machine, FATHOM_PAGE_4K, BYTES, PINNING_ANYWHERE, NULL), 0);
	assert_int_equal(buffer_populate(&buffer, BYTES, NULL), 0);
	assert_int_equal(pages_read_back(buffer.memory, BYTES, 0, &obtained, NULL), 0);
	assert_int_equal(obtained.page_bytes, machine->base_page_bytes);
	assert_true(obtained.share == 1);
	buffer_close(&buffer);
}

static size_t mappings(void)
{
	FILE *file = fopen("/proc/self/maps", "r");
	size_t lines = 0;
	assert_non_null(file);
	for (int byte; (byte = getc(file)) != EOF;)
		lines += byte == '\n';
	fclose(file);
	return lines;
}

/* Page by page, and in the end one mapping; whether the machine grants such pages is not known
 * here, and what the kernel counts may be somebody else's. */
static void multi_size_pages_are_touched_one_by_one(void **state)
{
	(void)state;
	char madvise_state[] = "madvise";
	struct fathom_thp_size size = {64 << 10, madvise_state};
	struct fathom_machine granting = *machine;
	struct buffer buffer = {0};
	struct pages_obtained obtained = {7, 7};
	if (machine->base_page_bytes >= size.page_bytes)
		skip();
	granting.thp_sizes = &size;
	granting.thp_size_count = 1;
	assert_int_equal(
		buffer_open(&buffer, &granting, FATHOM_PAGE_64K, BYTES, PINNING_ANYWHERE, NULL), 0);
	assert_int_equal((uintptr_t)buffer.memory % size.page_bytes, 0);
	size_t before = mappings();
	assert_int_equal(buffer_populate(&buffer, 1, NULL), 0);
	assert_int_equal(buffer.populated_bytes, BYTES);
	assert_true(mappings() <= before + 2); /* and not one for each of the 64 pages */
	for (uint64_t i = 0; i < BYTES; i++)
		assert_int_equal(buffer.memory[i], 0);
	assert_int_equal(buffer_read_back(&buffer, buffer.memory, BYTES, &obtained, NULL), 0);
	if (buffer.uncounted) {
		assert_int_equal(obtained.page_bytes, 0);
		assert_true(isnan(obtained.share));
	} else {
		assert_true(obtained.page_bytes == machine->base_page_bytes ||
			    obtained.page_bytes == size.page_bytes);
		assert_true(obtained.share >= 0.5 && obtained.share <= 1);
	}
	buffer_close(&buffer);
}

/* Refused where it is off, whatever the running kernel would do. */
static void multi_size_pages_that_are_off_are_refused(void **state)
{
	(void)state;
	char never_state[] = "never";
	struct fathom_thp_size size = {64 << 10, never_state};
	struct fathom_machine refusing = *machine;
	struct fathom_error error = {0};
	struct buffer buffer = {0};
	refusing.base_page_bytes = 4096;
	refusing.thp_sizes = &size;
	refusing.thp_size_count = 1;
	assert_int_equal(
		buffer_open(&buffer, &refusing, FATHOM_PAGE_64K, BYTES, PINNING_ANYWHERE, &error),
		-1);
	assert_int_equal(error.status, FATHOM_UNABLE);
	assert_null(buffer.memory);
	fathom_error_clear(&error);
}

static void what_cannot_be_mapped_is_refused(void **state)
{
	(void)state;
	struct buffer buffer = {0};
	struct fathom_error error = {0};
	assert_int_equal(
		buffer_open(&buffer, machine, FATHOM_PAGE_4K, 1ull << 60, PINNING_ANYWHERE, &error),
		-1);
	assert_null(buffer.memory);
	assert_int_equal(error.status, FATHOM_FAILED);
	assert_non_null(error.hint);
	fathom_error_clear(&error);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(windows_lie_in_the_populated_part),
	cmocka_unit_test(no_chain_lies_past_the_end),
	cmocka_unit_test(windows_of_large_nodes_begin_at_a_node),
	cmocka_unit_test(small_pages_are_what_was_asked_for),
	cmocka_unit_test(multi_size_pages_are_touched_one_by_one),
	cmocka_unit_test(multi_size_pages_that_are_off_are_refused),
	cmocka_unit_test(what_cannot_be_mapped_is_refused),
};
UNIT_GROUP(.setup = open_machine, .teardown = close_machine);
