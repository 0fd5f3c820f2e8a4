/* Mapped memory: populated, windowed, read back, given back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machine/pages.h"
#include "measure/buffer.h"

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
	assert_int_equal(buffer_open(&buffer, machine, FATHOM_PAGE_4K, BYTES, -1, NULL), 0);
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

/* One node a page: a window that begins in the middle of one has them in more pages, or fewer. */
static void windows_of_large_nodes_begin_at_a_node(void **state)
{
	(void)state;
	struct buffer buffer = {0};
	struct rng rng = rng_make(1);
	uint64_t node_bytes = 16 * machine->base_page_bytes;
	unsigned others = 0;
	assert_int_equal(buffer_open(&buffer, machine, FATHOM_PAGE_4K, BYTES, -1, NULL), 0);
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
	assert_int_equal(buffer_open(&buffer, machine, FATHOM_PAGE_4K, BYTES, -1, NULL), 0);
	assert_int_equal(buffer_populate(&buffer, BYTES, NULL), 0);
	assert_int_equal(pages_read_back(buffer.memory, BYTES, 0, &obtained, NULL), 0);
	assert_int_equal(obtained.page_bytes, machine->base_page_bytes);
	assert_true(obtained.share == 1);
	buffer_close(&buffer);
}

static void what_cannot_be_mapped_is_refused(void **state)
{
	(void)state;
	struct buffer buffer = {0};
	struct fathom_error error = {0};
	assert_int_equal(buffer_open(&buffer, machine, FATHOM_PAGE_4K, 1ull << 60, -1, &error), -1);
	assert_null(buffer.memory);
	assert_int_equal(error.status, FATHOM_FAILED);
	assert_non_null(error.hint);
	fathom_error_clear(&error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(windows_lie_in_the_populated_part),
		cmocka_unit_test(windows_of_large_nodes_begin_at_a_node),
		cmocka_unit_test(small_pages_are_what_was_asked_for),
		cmocka_unit_test(what_cannot_be_mapped_is_refused),
	};
	return cmocka_run_group_tests(tests, open_machine, close_machine);
}
