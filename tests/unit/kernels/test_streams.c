/* Every stream of this ISA against the portable ones. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "kernels/kernels.h"
#include "unit.h"

#define MOST_LINES  700
#define GUARD_BYTES 256 /* before and behind each buffer */
#define AREA_BYTES  (MOST_LINES * KERNEL_LINE_BYTES + 2 * GUARD_BYTES)

static const enum kernel_kind kinds[] = {KERNEL_READ, KERNEL_WRITE,   KERNEL_WRITE_NT,
					 KERNEL_COPY, KERNEL_COPY_NT, KERNEL_UPDATE};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* What a stream works on, guards and all. */
struct areas {
	unsigned char *from, *to;
	struct kernel_work work;
};

static unsigned char *random_area(uint64_t seed)
{
	unsigned char *area = aligned_alloc(KERNEL_LINE_BYTES, AREA_BYTES);
	assert_non_null(area);
	for (size_t i = 0; i < AREA_BYTES; i++)
		area[i] = (unsigned char)(rng_mix(seed, i) >> 11);
	return area;
}

static struct areas open_areas(uint64_t lines, uint64_t position)
{
	struct areas areas = {random_area(lines), random_area(lines + MOST_LINES), {0}};
	areas.work.base = areas.from + GUARD_BYTES;
	areas.work.to = areas.to + GUARD_BYTES;
	areas.work.cursor = rng_mix(lines, position);
	areas.work.nodes = lines;
	areas.work.position = position;
	return areas;
}

static void close_areas(struct areas *areas)
{
	free(areas->from);
	free(areas->to);
}

static const struct kernel *portable_of(enum kernel_kind kind)
{
	size_t count;
	const struct kernel *kernels = kernel_list(&count);
	for (size_t i = 0; i < count; i++)
		if (kernels[i].kind == kind && strcmp(kernels[i].isa, "portable") == 0)
			return &kernels[i];
	fail_msg("no portable stream of kind %d", (int)kind);
	return NULL;
}

static bool is_stream(const struct kernel *kernel)
{
	return kernel->kind >= KERNEL_READ && kernel->kind <= KERNEL_UPDATE;
}

/* Run after run, so that each goes on where the last one ended. */
static void check_runs(const struct kernel *kernel, uint64_t lines, uint64_t position)
{
	static const uint64_t hops[] = {0, 1, 2, 3, 5, 8, 13, 64, 65, 333, 1500};
	struct areas own = open_areas(lines, position), expected = open_areas(lines, position);
	for (size_t i = 0; i < sizeof(hops) / sizeof(hops[0]); i++) {
		own.work.cursor = expected.work.cursor += i;
		kernel->run(&own.work, hops[i]);
		portable_of(kernel->kind)->run(&expected.work, hops[i]);
		assert_int_equal(own.work.cursor, expected.work.cursor);
		assert_int_equal(own.work.position, expected.work.position);
		assert_int_equal(own.work.position, (position += hops[i]) % lines);
		assert_memory_equal(own.from, expected.from, AREA_BYTES);
		assert_memory_equal(own.to, expected.to, AREA_BYTES);
	}
	close_areas(&own);
	close_areas(&expected);
}

static void test_against_portable(void **state)
{
	(void)state;
	static const uint64_t lines[] = {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 33, 100, 256, 699};
	size_t count;
	const struct kernel *kernels = kernel_list(&count);
	for (size_t k = 0; k < count; k++)
		for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
			if (!is_stream(&kernels[k]) || !kernel_usable(&kernels[k]))
				continue;
			check_runs(&kernels[k], lines[i], 0);
			check_runs(&kernels[k], lines[i], lines[i] / 2);
			check_runs(&kernels[k], lines[i], lines[i] - 1);
		}
}

/* ---- what the portable ones mean: the contract of kernels.h, written again from its words ---- */

static uint64_t word_at(const unsigned char *memory, size_t word)
{
	uint64_t value;
	memcpy(&value, memory + 8 * word, sizeof(value));
	return value;
}

/* One stretch of lines 3 and 4 of 6, and a run over the end of the lap. */
static void test_portable_read(void **state)
{
	(void)state;
	struct areas areas = open_areas(6, 3);
	uint64_t cursor = areas.work.cursor;
	unsigned char *before = random_area(6);
	portable_of(KERNEL_READ)->run(&areas.work, 2);
	for (size_t i = 4 * 8; i < 5 * 8; i++)
		cursor ^= word_at(areas.work.base, i);
	assert_int_equal(areas.work.cursor, cursor);
	assert_int_equal(areas.work.position, 5);
	portable_of(KERNEL_READ)->run(&areas.work, 8);
	for (size_t i = 0; i < 8; i++)
		cursor ^= word_at(areas.work.base, i);
	assert_int_equal(areas.work.cursor, cursor);
	assert_memory_equal(before, areas.from, AREA_BYTES);
	free(before);
	close_areas(&areas);
}

/* What a run of two lines from line 3 of 6 on leaves in an area that was `before`. */
static void check_words(const unsigned char *before, const unsigned char *after,
			uint64_t expected(const struct areas *areas, size_t word),
			const struct areas *areas)
{
	for (size_t i = 0; i < 6 * 8; i++) {
		bool changed = expected && i >= 3 * 8 && i < 5 * 8;
		uint64_t value = changed ? expected(areas, i) : word_at(before + GUARD_BYTES, i);
		assert_int_equal(word_at(after + GUARD_BYTES, i), value);
	}
	assert_memory_equal(before, after, GUARD_BYTES);
	assert_memory_equal(before + GUARD_BYTES + 6 * 64, after + GUARD_BYTES + 6 * 64,
			    AREA_BYTES - GUARD_BYTES - 6 * 64);
}

static uint64_t expect_cursor(const struct areas *areas, size_t word)
{
	(void)word;
	return areas->work.cursor;
}

static uint64_t expect_copy(const struct areas *areas, size_t word)
{
	return word_at(areas->work.base, word);
}

static uint64_t expect_more(const struct areas *areas, size_t word)
{
	(void)areas;
	unsigned char *before = random_area(6);
	uint64_t value = word_at(before + GUARD_BYTES, word) + 1;
	free(before);
	return value;
}

static void check_portable(enum kernel_kind kind,
			   uint64_t from(const struct areas *areas, size_t word),
			   uint64_t to(const struct areas *areas, size_t word))
{
	struct areas areas = open_areas(6, 3), before = open_areas(6, 3);
	portable_of(kind)->run(&areas.work, 2);
	assert_int_equal(areas.work.cursor, before.work.cursor);
	assert_int_equal(areas.work.position, 5);
	check_words(before.from, areas.from, from, &areas);
	check_words(before.to, areas.to, to, &areas);
	close_areas(&areas);
	close_areas(&before);
}

static void test_portable_that_write(void **state)
{
	(void)state;
	check_portable(KERNEL_WRITE, expect_cursor, NULL);
	check_portable(KERNEL_WRITE_NT, expect_cursor, NULL);
	check_portable(KERNEL_COPY, NULL, expect_copy);
	check_portable(KERNEL_COPY_NT, NULL, expect_copy);
	check_portable(KERNEL_UPDATE, expect_more, NULL);
}

/* A carry must not cross into the next word. */
static void test_update_wraps(void **state)
{
	(void)state;
	size_t count;
	const struct kernel *kernels = kernel_list(&count);
	struct areas areas = open_areas(9, 0);
	for (size_t k = 0; k < count; k++) {
		if (kernels[k].kind != KERNEL_UPDATE || !kernel_usable(&kernels[k]))
			continue;
		memset(areas.from + GUARD_BYTES, 0xff, 9 * KERNEL_LINE_BYTES);
		kernels[k].run(&areas.work, 9);
		for (size_t i = 0; i < 9 * 8; i++)
			assert_int_equal(word_at(areas.work.base, i), 0);
	}
	close_areas(&areas);
}

/* ---- the table ---- */

static void test_table(void **state)
{
	(void)state;
	size_t count;
	const struct kernel *kernels = kernel_list(&count);
	for (size_t k = 0; k < count; k++) {
		unsigned bytes = kernels[k].vector_bytes;
		assert_int_equal(is_stream(&kernels[k]), bytes != 0);
		assert_true(bytes <= KERNEL_LINE_BYTES &&
			    KERNEL_LINE_BYTES % (bytes + !bytes) == 0);
		if (strcmp(kernels[k].isa, "portable") == 0)
			assert_true(kernel_usable(&kernels[k]));
	}
}

/* The widest first; by width; only what is usable; nothing in C goes past the caches. */
static void test_find(void **state)
{
	(void)state;
	size_t count;
	const struct kernel *kernels = kernel_list(&count);
	for (size_t i = 0; i < KINDS; i++) {
		bool past_caches = kinds[i] == KERNEL_WRITE_NT || kinds[i] == KERNEL_COPY_NT;
		const struct kernel *widest = kernel_find_stream(kinds[i], 0);
		unsigned most = 0;
		for (size_t k = 0; k < count; k++) {
			bool portable = strcmp(kernels[k].isa, "portable") == 0;
			if (kernels[k].kind != kinds[i])
				continue;
			bool found = kernel_usable(&kernels[k]) && !(portable && past_caches);
			assert_ptr_equal(kernel_find_stream(kinds[i], kernels[k].vector_bytes),
					 found ? &kernels[k] : NULL);
			if (found && kernels[k].vector_bytes > most)
				most = kernels[k].vector_bytes;
		}
		assert_int_equal(widest ? widest->vector_bytes : 0, most);
		assert_true(kernel_usable(kernel_find(kinds[i], 1)));
		assert_null(kernel_find_stream(kinds[i], 7));
		assert_null(kernel_find_stream(kinds[i], 128));
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_against_portable),
	cmocka_unit_test(test_portable_read),
	cmocka_unit_test(test_portable_that_write),
	cmocka_unit_test(test_update_wraps),
	cmocka_unit_test(test_table),
	cmocka_unit_test(test_find),
};
UNIT_GROUP();
