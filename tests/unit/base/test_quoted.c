/* At which size the memory of a machine is quoted. */
#include <stddef.h>
#include <stdint.h>

#include "base/quoted.h"
#include "unit.h"

#define KIB (1ull << 10)
#define MIB (1ull << 20)
#define GIB (1ull << 30)

static struct fathom_cache caches[] = {
	{.level = 1, .kind = FATHOM_CACHE_DATA, .size_bytes = 32 * KIB, .shared_cpus = 1},
	{.level = 1, .kind = FATHOM_CACHE_INSTRUCTION, .size_bytes = 64 * MIB, .shared_cpus = 1},
	{.level = 3, .kind = FATHOM_CACHE_UNIFIED, .shared_cpus = 2},
};

static struct fathom_machine machine_with(uint64_t last_bytes)
{
	caches[2].size_bytes = last_bytes;
	return (struct fathom_machine){
		.caches = caches,
		.cache_count = last_bytes ? 3 : 0,
		.memory_bytes = 64 * GIB,
		.limit_bytes = 60 * GIB,
	};
}

static void assert_quoted(uint64_t last_bytes, uint64_t reach_bytes, uint64_t wanted)
{
	struct fathom_machine machine = machine_with(last_bytes);
	assert_int_equal(quoted_bytes(&machine, (double)reach_bytes), wanted);
}

static void far_past_the_last_cache(void **state)
{
	(void)state;
	assert_quoted(32 * MIB, 0, GIB);
	assert_quoted(8 * MIB, 0, 256 * MIB);
	assert_quoted(MIB, 0, 32 * MIB);
	assert_quoted(36 * MIB, 0, GIB); /* the nearest power of two */
	assert_quoted(12 * MIB, 0, 512 * MIB);
	assert_quoted(96 * MIB, 0, GIB);      /* 2 s to touch it */
	assert_quoted(480 * MIB, 0, 2 * GIB); /* and yet past the cache */
	assert_quoted(0, 0, GIB);
}

static void what_a_curve_shows_counts_where_the_os_knows_of_no_such_cache(void **state)
{
	(void)state;
	assert_quoted(8 * MIB, 6 * MIB, 256 * MIB);
	assert_quoted(8 * MIB, 9 * MIB, 256 * MIB);
	assert_quoted(8 * MIB, 30 * MIB, 256 * MIB);
	assert_quoted(2 * MIB, 16 * MIB, 512 * MIB);
	assert_quoted(0, 16 * MIB, 512 * MIB);
	assert_int_equal(quoted_bytes(NULL, 12.0 * MIB), 512 * MIB);
	assert_int_equal(quoted_bytes(NULL, 0), GIB);
}

static void the_hosts_cache_is_no_guests(void **state)
{
	(void)state;
	char kvm[] = "KVM";
	struct fathom_machine machine = machine_with(480 * MIB);
	machine.hypervisor = kvm;
	assert_false(quoted_is_credible(&machine, &caches[2]));
	assert_int_equal(quoted_bytes(&machine, 0), GIB);
	assert_int_equal(quoted_bytes(&machine, 10.0 * MIB), GIB);
	machine = machine_with(32 * MIB);
	machine.hypervisor = kvm;
	assert_true(quoted_is_credible(&machine, &caches[2]));
	assert_int_equal(quoted_bytes(&machine, 0), GIB);
	machine = machine_with(8 * MIB);
	machine.hypervisor = kvm;
	assert_int_equal(quoted_bytes(&machine, 0), 256 * MIB);
}

static void no_more_than_there_is(void **state)
{
	(void)state;
	struct fathom_machine machine = machine_with(32 * MIB);
	machine.memory_bytes = 2 * GIB;
	assert_int_equal(quoted_bytes(&machine, 0), 512 * MIB);
	machine.memory_bytes = 3 * GIB;
	assert_int_equal(quoted_bytes(&machine, 0), 512 * MIB);
	machine = machine_with(32 * MIB);
	machine.limit_bytes = 100 * MIB;
	assert_int_equal(quoted_bytes(&machine, 0), 64 * MIB);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(far_past_the_last_cache),
	cmocka_unit_test(what_a_curve_shows_counts_where_the_os_knows_of_no_such_cache),
	cmocka_unit_test(the_hosts_cache_is_no_guests),
	cmocka_unit_test(no_more_than_there_is),
};
UNIT_GROUP();
