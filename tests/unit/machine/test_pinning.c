#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/machine.h"
#include "machine/pinning.h"
#include "unit.h"

static struct fathom_machine *find(const char *topology)
{
	struct machine_source source = {"", topology};
	struct fathom_machine *machine = NULL;
	assert_int_equal(machine_find(&source, &machine, NULL), 0);
	return machine;
}

static void test_check(void **state)
{
	(void)state;
	struct fathom_machine machine = {.allowed_cpus = (char[]){"1,4-6"}};
	struct fathom_error error = {0};
	assert_int_equal(pinning_check(&machine, 1, NULL), 0);
	assert_int_equal(pinning_check(&machine, 5, NULL), 0);
	const int refused[] = {-1, 0, 2, 7, 999, 2147483647};
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		assert_int_equal(pinning_check(&machine, refused[i], &error), -1);
		assert_int_equal(error.status, FATHOM_USAGE);
		assert_non_null(strstr(error.hint, "1,4-6"));
		fathom_error_clear(&error);
	}
	machine.allowed_cpus = NULL;
	assert_int_equal(pinning_check(&machine, 0, NULL), -1);
}

static void test_bind(void **state)
{
	(void)state;
	struct fathom_machine *machine = find(NULL);
	cpu_set_t before;
	cpu_set_t after;
	struct fathom_error error = {0};
	if (sched_getaffinity(0, sizeof(before), &before)) {
		fathom_machine_free(machine);
		skip(); /* more CPUs than a cpu_set_t holds */
	}
	if (pinning_bind(machine, machine->default_cpu, &error)) {
		print_message("binding is not allowed here: %s\n", error.text);
		assert_int_equal(error.status, FATHOM_FAILED);
		fathom_error_clear(&error);
		fathom_machine_free(machine);
		skip();
	}
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_int_equal(CPU_COUNT(&after), 1);
	assert_true(CPU_ISSET(machine->default_cpu, &after));
	assert_int_equal(pinning_current_cpu(), machine->default_cpu);
	sched_setaffinity(0, sizeof(before), &before);
	fathom_machine_free(machine);
}

static void test_finding_moves_nothing(void **state)
{
	(void)state;
	cpu_set_t before;
	cpu_set_t after;
	if (sched_getaffinity(0, sizeof(before), &before))
		skip();
	fathom_machine_free(find(NULL));
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_true(CPU_EQUAL(&before, &after));
}

/* An affinity that we were given is obeyed. */
static void test_affinity_is_obeyed(void **state)
{
	(void)state;
	cpu_set_t before;
	cpu_set_t last;
	int cpu = -1;
	if (sched_getaffinity(0, sizeof(before), &before))
		skip();
	for (int i = 0; i < CPU_SETSIZE; i++)
		cpu = CPU_ISSET(i, &before) ? i : cpu;
	CPU_ZERO(&last);
	CPU_SET(cpu, &last);
	if (sched_setaffinity(0, sizeof(last), &last))
		skip();
	struct fathom_machine *machine = find(NULL);
	assert_int_equal(machine->default_cpu, cpu);
	assert_int_equal(atoi(machine->allowed_cpus), cpu);
	if (cpu > 0)
		assert_int_equal(pinning_check(machine, 0, NULL), -1);
	sched_setaffinity(0, sizeof(before), &before);
	fathom_machine_free(machine);
}

static void test_other_machine(void **state)
{
	(void)state;
	struct fathom_machine *machine = find("pu:4");
	struct fathom_machine simulated = {.allowed_cpus = (char[]){"0"}};
	struct fathom_error error = {0};
	assert_int_equal(pinning_bind(machine, 0, &error), -1);
	assert_int_equal(error.status, FATHOM_FAILED);
	fathom_error_clear(&error);
	assert_int_equal(pinning_bind(&simulated, 0, NULL), -1);
	fathom_machine_free(machine);
}

static void test_bind_memory(void **state)
{
	(void)state;
	struct fathom_machine *machine = find(NULL);
	size_t bytes = 1 << 20;
	unsigned char *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(memory != MAP_FAILED);
	assert_int_equal(
		pinning_bind_memory(machine,
				    (struct pinning_place){.cpu = machine->default_cpu, .node = -1},
				    memory, bytes, NULL),
		0);
	memset(memory, 1, bytes);
	munmap(memory, bytes);
	fathom_machine_free(machine);
}

/* The work of a machine with several nodes, done on the node that every machine has. */
static void test_bind_memory_to_a_node(void **state)
{
	(void)state;
	if (access("/sys/devices/system/node/node0/meminfo", R_OK)) {
		print_message("a kernel without NUMA\n");
		skip();
	}
	struct fathom_machine *machine = find(NULL);
	struct fathom_error error = {0};
	size_t node_count = machine->node_count;
	size_t bytes = 1 << 20;
	unsigned char *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(memory != MAP_FAILED);
	machine->node_count = 2;
	assert_int_equal(
		pinning_bind_memory(machine,
				    (struct pinning_place){.cpu = machine->default_cpu, .node = -1},
				    memory, bytes, &error),
		0);
	memset(memory, 1, bytes);
	assert_int_equal(
		pinning_bind_memory(machine,
				    (struct pinning_place){.cpu = machine->default_cpu, .node = -1},
				    memory, machine->memory_bytes * 2, &error),
		-1);
	assert_int_equal(error.status, FATHOM_FAILED);
	assert_non_null(strstr(error.text, " free, "));
	fathom_error_clear(&error);
	munmap(memory, bytes);
	machine->node_count = node_count;
	fathom_machine_free(machine);
}

static void test_nodes_with_memory(void **state)
{
	(void)state;
	struct fathom_node nodes[] = {
		{0, 1 << 30, (char[]){"0-1"}}, {2, 0, (char[]){"2-3"}}, {5, 1 << 30, (char[]){""}}};
	struct fathom_machine machine = {.nodes = nodes, .node_count = 3};
	struct fathom_error error = {0};
	assert_int_equal(pinning_check_node(&machine, 0, NULL), 0);
	assert_int_equal(pinning_check_node(&machine, 5, NULL), 0);
	assert_int_equal(pinning_check_node(&machine, 2, &error), -1);
	assert_int_equal(error.status, FATHOM_USAGE);
	assert_non_null(strstr(error.hint, "0, 5"));
	fathom_error_clear(&error);
	assert_int_equal(pinning_check_node(&machine, 1, NULL), -1);
}

/* In a process of its own, which may not bind memory from here on. */
static int bind_without_permission(const struct fathom_machine *machine, int cpu, int node)
{
	struct sock_filter lines[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mbind, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(lines) / sizeof(*lines), lines};
	size_t bytes = 1 << 16;
	struct fathom_error error = {0};
	void *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return 77;
	return pinning_bind_memory(machine, (struct pinning_place){.cpu = cpu, .node = node},
				   memory, bytes, &error)
		       ? (int)error.status
		       : 0;
}

/* By default memory comes from the CPU's node, also where that is named, but another would be any.
 */
static void test_bind_without_permission(void **state)
{
	(void)state;
	if (access("/sys/devices/system/node/node0/meminfo", R_OK)) {
		print_message("a kernel without NUMA\n");
		skip();
	}
	struct fathom_machine *machine = find(NULL);
	machine->node_count = 2;
	const struct {
		int cpu, node, status;
	} cases[] = {{machine->default_cpu, -1, FATHOM_OK},
		     {machine->default_cpu, 0, FATHOM_OK},
		     {-1, 0, FATHOM_UNABLE}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int status;
		pid_t child = fork();
		if (child == 0)
			_exit(bind_without_permission(machine, cases[i].cpu, cases[i].node));
		assert_int_equal(waitpid(child, &status, 0), child);
		if (WEXITSTATUS(status) == 77) {
			print_message("no filter of system calls\n");
			skip();
		}
		assert_int_equal(WEXITSTATUS(status), cases[i].status);
	}
	machine->node_count = 1;
	fathom_machine_free(machine);
}

static void test_pages_are_read_back(void **state)
{
	(void)state;
	struct fathom_machine *machine = find(NULL);
	size_t bytes = 1 << 20;
	unsigned char *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(memory != MAP_FAILED);
	memset(memory, 1, bytes);
	double share = 0;
	for (size_t i = 0; i < machine->node_count; i++)
		share += pinning_node_share(machine, (int)machine->nodes[i].id, memory, bytes);
	if (isnan(share))
		print_message("the kernel does not say where pages are\n");
	else
		assert_float_equal(share, 1, 1e-9);
	assert_true(isnan(pinning_node_share(machine, 12345, memory, bytes)));
	munmap(memory, bytes);
	fathom_machine_free(machine);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_check),
	cmocka_unit_test(test_bind),
	cmocka_unit_test(test_finding_moves_nothing),
	cmocka_unit_test(test_affinity_is_obeyed),
	cmocka_unit_test(test_other_machine),
	cmocka_unit_test(test_bind_memory),
	cmocka_unit_test(test_bind_memory_to_a_node),
	cmocka_unit_test(test_nodes_with_memory),
	cmocka_unit_test(test_bind_without_permission),
	cmocka_unit_test(test_pages_are_read_back),
};
UNIT_GROUP();
