/* Flushing changes no byte, whatever part of a line it begins in. That it leaves the caches empty
 * is measured by `make bench`: a test must not need a quiet machine. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/flush.h"
#include "unit.h"

static void what_is_flushed_is_as_it_was(void **state)
{
	(void)state;
	static unsigned char memory[100000], before[sizeof(memory)];
	if (!flush_instruction())
		skip();
	for (size_t i = 0; i < sizeof(memory); i++)
		memory[i] = before[i] = (unsigned char)(i * 7 + i / 256);
	for (size_t offset = 0; offset < 200; offset += 13)
		flush_lines(memory + offset, sizeof(memory) - 2 * offset);
	assert_memory_equal(memory, before, sizeof(memory));
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_flushed_is_as_it_was)};
UNIT_GROUP();
