/* One executable a room, one group of tests a file. A file of tests ends with
 *
 *	static const struct CMUnitTest tests[] = {cmocka_unit_test(sizes_ascend), ...};
 *	UNIT_GROUP();
 *
 * and has its name in tests/meson.build. UNIT_GROUP takes members of struct unit_group:
 * UNIT_GROUP(.setup = open_machine, .teardown = close_machine). */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct unit_group {
	const char *file;
	const struct CMUnitTest *tests;
	size_t count;
	CMFixtureFunction setup; /* of the whole group; may be NULL, as all that follow */
	CMFixtureFunction teardown;
	const char *(*missing)(void); /* why this machine cannot run it, or NULL */
	struct unit_group *next;      /* set by unit_add */
};

#define UNIT_GROUP(...)                                                                            \
	__attribute__((constructor)) static void add_group(void)                                   \
	{                                                                                          \
		static struct unit_group group = {.file = __FILE__,                                \
						  .tests = tests,                                  \
						  .count = sizeof(tests) / sizeof(tests[0]),       \
						  __VA_ARGS__};                                    \
		unit_add(&group);                                                                  \
	}                                                                                          \
	_Static_assert(sizeof(tests) > 0, "a group has tests")

/* Called before main by UNIT_GROUP. */
void unit_add(struct unit_group *group);

#endif
