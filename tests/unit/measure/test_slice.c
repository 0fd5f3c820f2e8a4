/* Memory of one thread, what is streamed through it, and the proof that notices what went wrong. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "measure/memory/slice.h"
#include "unit.h"

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

static struct slice make_part(void)
{
	struct slice slice = {.machine = machine, .place = PINNING_ANYWHERE, .rng = rng_make(1)};
	assert_int_equal(slice_open(&slice, FATHOM_PAGE_4K, BYTES, NULL), 0);
	slice_touch(&slice);
	assert_int_equal(slice.status, 0);
	slice_draw(&slice, BYTES, true);
	slice_read_back(&slice);
	assert_int_equal(slice.status, 0);
	assert_int_equal(slice.obtained.page_bytes, machine->base_page_bytes);
	return slice;
}

static void run(struct slice *slice, uint64_t hops)
{
	slice->hops = hops;
	slice_write_canaries(slice);
	slice_walk(slice);
	slice_verify(slice);
}

/* No loop that asks for stores past the caches is portable; there need be none here. */
static bool begin(struct slice *slice, enum kernel_kind kind, uint64_t key)
{
	const struct kernel *kernel = kernel_find_stream(kind, 0);
	if (kernel)
		slice_begin(slice, kernel, LINES, BYTES / 2, key);
	return kernel;
}

static void what_ran_is_proven(void **state)
{
	(void)state;
	struct slice slice = make_part();
	for (size_t i = 0; i < KINDS; i++) {
		if (!begin(&slice, kinds[i], i))
			continue;
		for (uint64_t hops = 1; hops < 5 * LINES; hops += 11) {
			uint64_t position = slice.work.position;
			run(&slice, hops);
			assert_true(slice.proven);
			assert_int_equal(slice.work.position, (position + hops) % LINES);
		}
	}
	slice_close(&slice);
}

/* What it did until the first of several ended, this one or another, is noted; all of it is proven.
 */
static void beside_others_what_all_did_is_noted(void **state)
{
	(void)state;
	struct slice slice = make_part();
	for (size_t i = 0; i < 2 * KINDS; i++) {
		atomic_bool ended = i % 2;
		if (!begin(&slice, kinds[i / 2], i))
			continue;
		slice.ended = &ended;
		for (uint64_t hops = 1; hops < 50 * LINES; hops += 111) {
			atomic_store(&ended, i % 2);
			slice.hops = hops;
			slice_write_canaries(&slice);
			slice_walk_beside(&slice);
			slice_verify(&slice);
			assert_true(slice.proven && atomic_load(&ended));
			assert_int_equal(slice.beside_hops,
					 i % 2 ? (hops / 32 + 1 < hops ? hops / 32 + 1 : hops)
					       : hops);
			assert_true(slice.beside_ns >= 0);
		}
	}
	slice_close(&slice);
}

/* As if the loop had stopped a line early, or done nothing. */
static void what_did_not_run_is_noticed(void **state)
{
	(void)state;
	struct slice slice = make_part();
	for (size_t i = 0; i < KINDS; i++) {
		if (!begin(&slice, kinds[i], i))
			continue;
		run(&slice, 5);
		slice.hops = 20;
		slice_write_canaries(&slice);
		slice_verify(&slice);
		assert_false(slice.proven);
		run(&slice, 20);
		slice.hops = 20;
		slice_write_canaries(&slice);
		slice.hops = 19;
		slice_walk(&slice);
		slice_verify(&slice);
		assert_false(slice.proven);
	}
	slice_close(&slice);
}

static void a_turn_goes_on_where_it_was_and_copies_elsewhere(void **state)
{
	(void)state;
	struct slice slice = make_part();
	begin(&slice, KERNEL_COPY, 1);
	run(&slice, 5);
	for (uint64_t to = BYTES / 2; to <= BYTES - LINES * KERNEL_LINE_BYTES; to += 512) {
		uint64_t position = slice.work.position;
		memset(slice.window + BYTES / 2, 0, BYTES / 2);
		slice_turn(&slice, slice.kernel, to);
		run(&slice, LINES);
		assert_true(slice.proven);
		assert_int_equal(slice.work.position, position);
		assert_memory_equal(slice.window + to, slice.window, LINES * KERNEL_LINE_BYTES);
	}
	slice_close(&slice);
}

static void memory_is_filled_once_and_kept(void **state)
{
	(void)state;
	struct slice slice = make_part();
	const uint64_t *words = (const uint64_t *)(const void *)slice.window;
	for (int i = 0; i < BYTES / 8; i++)
		assert_int_not_equal(words[i], 0);
	memset(slice.window, 7, BYTES);
	assert_int_equal(slice_open(&slice, FATHOM_PAGE_4K, BYTES / 2, NULL), 0);
	slice_touch(&slice);
	slice_draw(&slice, BYTES / 2, false); /* where it was */
	assert_ptr_equal(slice.window, words);
	assert_int_equal(slice.window[BYTES / 2 - 1], 7);
	slice_close(&slice);
	slice_close(&slice);
}

static void what_is_larger_is_mapped_anew(void **state)
{
	(void)state;
	struct slice slice = make_part();
	uint64_t bytes = 4 * slice.buffers[FATHOM_PAGE_4K].capacity_bytes;
	assert_int_equal(slice_open(&slice, FATHOM_PAGE_4K, bytes, NULL), 0);
	slice_touch(&slice);
	assert_int_equal(slice.status, 0);
	slice_draw(&slice, bytes, false);
	assert_true(slice.window >= slice.buffers[FATHOM_PAGE_4K].memory);
	for (uint64_t i = 0; i < bytes; i += 4096)
		assert_int_not_equal(*(uint64_t *)(void *)(slice.window + i), 0);
	slice_close(&slice);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_ran_is_proven),
	cmocka_unit_test(beside_others_what_all_did_is_noted),
	cmocka_unit_test(what_did_not_run_is_noticed),
	cmocka_unit_test(a_turn_goes_on_where_it_was_and_copies_elsewhere),
	cmocka_unit_test(memory_is_filled_once_and_kept),
	cmocka_unit_test(what_is_larger_is_mapped_anew),
};
UNIT_GROUP(.setup = open_machine, .teardown = close_machine);
