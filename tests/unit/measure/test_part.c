/* Memory of one thread, what is streamed through it, and the proof that notices what went wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "measure/memory/part.h"

#define LINES 37 /* no round number of anything */
#define BYTES (2 * 4096)

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

static const enum kernel_kind kinds[] = {KERNEL_READ, KERNEL_WRITE,   KERNEL_WRITE_NT,
					 KERNEL_COPY, KERNEL_COPY_NT, KERNEL_UPDATE};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

static struct part make_part(void)
{
	struct part part = {.machine = machine, .cpu = -1, .rng = rng_make(1)};
	assert_int_equal(part_open(&part, FATHOM_PAGE_4K, BYTES, NULL), 0);
	part_touch(&part);
	assert_int_equal(part.status, 0);
	part_draw(&part, BYTES, true);
	part_read_back(&part);
	assert_int_equal(part.status, 0);
	assert_int_equal(part.obtained.page_bytes, machine->base_page_bytes);
	return part;
}

static void run(struct part *part, uint64_t hops)
{
	part->hops = hops;
	part_stamp(part);
	part_walk(part);
	part_prove(part);
}

/* No loop that asks for stores past the caches is portable; there need be none here. */
static bool begin(struct part *part, enum kernel_kind kind, uint64_t key)
{
	const struct kernel *kernel = kernel_find_stream(kind, 0);
	if (kernel)
		part_begin(part, kernel, LINES, BYTES / 2, key);
	return kernel;
}

static void what_ran_is_proven(void **state)
{
	(void)state;
	struct part part = make_part();
	for (size_t i = 0; i < KINDS; i++) {
		if (!begin(&part, kinds[i], i))
			continue;
		for (uint64_t hops = 1; hops < 5 * LINES; hops += 11) {
			uint64_t position = part.work.position;
			run(&part, hops);
			assert_true(part.proven);
			assert_int_equal(part.work.position, (position + hops) % LINES);
		}
	}
	part_close(&part);
}

/* As if the loop had stopped a line early, or done nothing. */
static void what_did_not_run_is_noticed(void **state)
{
	(void)state;
	struct part part = make_part();
	for (size_t i = 0; i < KINDS; i++) {
		if (!begin(&part, kinds[i], i))
			continue;
		run(&part, 5);
		part.hops = 20;
		part_stamp(&part);
		part_prove(&part);
		assert_false(part.proven);
		run(&part, 20);
		part.hops = 20;
		part_stamp(&part);
		part.hops = 19;
		part_walk(&part);
		part_prove(&part);
		assert_false(part.proven);
	}
	part_close(&part);
}

static void a_turn_goes_on_where_it_was_and_copies_elsewhere(void **state)
{
	(void)state;
	struct part part = make_part();
	begin(&part, KERNEL_COPY, 1);
	run(&part, 5);
	for (uint64_t to = BYTES / 2; to <= BYTES - LINES * KERNEL_LINE_BYTES; to += 512) {
		uint64_t position = part.work.position;
		memset(part.window + BYTES / 2, 0, BYTES / 2);
		part_turn(&part, part.kernel, to);
		run(&part, LINES);
		assert_true(part.proven);
		assert_int_equal(part.work.position, position);
		assert_memory_equal(part.window + to, part.window, LINES * KERNEL_LINE_BYTES);
	}
	part_close(&part);
}

static void memory_is_filled_once_and_kept(void **state)
{
	(void)state;
	struct part part = make_part();
	const uint64_t *words = (const uint64_t *)(const void *)part.window;
	for (int i = 0; i < BYTES / 8; i++)
		assert_int_not_equal(words[i], 0);
	memset(part.window, 7, BYTES);
	assert_int_equal(part_open(&part, FATHOM_PAGE_4K, BYTES / 2, NULL), 0);
	part_touch(&part);
	part_draw(&part, BYTES / 2, false); /* where it was */
	assert_ptr_equal(part.window, words);
	assert_int_equal(part.window[BYTES / 2 - 1], 7);
	part_close(&part);
	part_close(&part);
}

static void what_is_larger_is_mapped_anew(void **state)
{
	(void)state;
	struct part part = make_part();
	uint64_t bytes = 4 * part.buffers[FATHOM_PAGE_4K].capacity_bytes;
	assert_int_equal(part_open(&part, FATHOM_PAGE_4K, bytes, NULL), 0);
	part_touch(&part);
	assert_int_equal(part.status, 0);
	part_draw(&part, bytes, false);
	assert_true(part.window >= part.buffers[FATHOM_PAGE_4K].memory);
	for (uint64_t i = 0; i < bytes; i += 4096)
		assert_int_not_equal(*(uint64_t *)(void *)(part.window + i), 0);
	part_close(&part);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_ran_is_proven),
		cmocka_unit_test(what_did_not_run_is_noticed),
		cmocka_unit_test(a_turn_goes_on_where_it_was_and_copies_elsewhere),
		cmocka_unit_test(memory_is_filled_once_and_kept),
		cmocka_unit_test(what_is_larger_is_mapped_anew),
	};
	return cmocka_run_group_tests(tests, open_machine, close_machine);
}
