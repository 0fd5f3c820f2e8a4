/* Which CPU each of several threads gets. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "machine/cores.h"
#include "machine/machine.h"
#include "unit.h"

static struct fathom_machine *find(const char *topology)
{
	struct machine_source source = {NULL, topology};
	struct fathom_machine *machine = NULL;
	assert_int_equal(machine_find(&source, &machine, NULL), 0);
	return machine;
}

static void expect(const struct fathom_machine *machine, int cpu, const int *order, uint32_t count,
		   uint32_t one_a_core)
{
	struct cores cores;
	assert_int_equal(cores_find(machine, cpu, &cores, NULL), 0);
	assert_int_equal(cores.cpu_count, count);
	assert_int_equal(cores.count, one_a_core);
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(cores.cpus[i], order[i]);
	cores_free(&cores);
	assert_null(cores.cpus);
}

static void each_core_comes_before_its_siblings(void **state)
{
	(void)state;
	struct fathom_machine *machine = find("core:3 pu:2");
	static const int from_0[] = {0, 2, 4, 1, 3, 5};
	/* The second CPU of the second core leads, and its sibling follows the other cores. */
	static const int from_3[] = {3, 0, 4, 2, 1, 5};
	expect(machine, 0, from_0, 6, 3);
	expect(machine, 3, from_3, 6, 3);
	fathom_machine_free(machine);
}

static void near_cores_come_first(void **state)
{
	(void)state;
	struct fathom_machine *machine = find("package:2 l3:2 core:2 pu:1");
	static const int from_6[] = {6, 7, 4, 5, 0, 1, 2, 3};
	expect(machine, 6, from_6, 8, 8);
	fathom_machine_free(machine);
}

/* Eight performance CPUs on eight cores come before the other kinds, whatever their numbers. */
static void other_kinds_come_last(void **state)
{
	(void)state;
	struct fathom_machine *machine = find(MACHINES "/arm-hybrid/topology.xml");
	struct cores cores;
	assert_true(machine->cpu_kind_count > 1);
	assert_int_equal(cores_find(machine, machine->default_cpu, &cores, NULL), 0);
	assert_int_equal(cores.cpus[0], machine->default_cpu);
	assert_true(cores.cpu_count > 2 && cores.count == cores.cpu_count);
	int last = cores.cpus[cores.cpu_count - 1];
	cores_free(&cores);
	assert_int_equal(cores_find(machine, last, &cores, NULL), 0);
	assert_int_equal(cores.cpus[0], last);
	assert_int_not_equal(cores.cpus[1], machine->default_cpu);
	cores_free(&cores);
	fathom_machine_free(machine);
}

static void a_simulated_machine_has_what_it_allows(void **state)
{
	(void)state;
	struct fathom_machine machine = {.allowed_cpus = (char[]){"2,4-6"}};
	static const int order[] = {4, 2, 5, 6};
	expect(&machine, 4, order, 4, 4);
}

static void more_threads_than_cpus_are_refused(void **state)
{
	(void)state;
	struct fathom_machine *machine = find("core:2 pu:2");
	struct fathom_error error = {0};
	assert_int_equal(cores_check(machine, 0, 4, NULL), 0);
	assert_int_equal(cores_check(machine, 0, 5, &error), -1);
	assert_int_equal(error.status, FATHOM_USAGE);
	assert_non_null(strstr(error.text, "5 threads"));
	assert_non_null(strstr(error.hint, "4 CPUs are allowed here: 0-3"));
	fathom_error_clear(&error);
	fathom_machine_free(machine);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(each_core_comes_before_its_siblings),
	cmocka_unit_test(near_cores_come_first),
	cmocka_unit_test(other_kinds_come_last),
	cmocka_unit_test(a_simulated_machine_has_what_it_allows),
	cmocka_unit_test(more_threads_than_cpus_are_refused),
};
UNIT_GROUP();
