/* Single-steps operations on a data structure, and prints how often each instruction was made:
 * "offset count", the offset as the disassembly of this program has it. x86-64.
 * Usage: instructions STRUCTURE MODE KEYS OPERATIONS NODE_BYTES LOAD */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "structures/structures.h"

#define MOST_BYTES ((size_t)16 << 20) /* of this program */
#define TOGETHER   8
#define BEFORE     1024 /* operations that are not counted */

extern const char program_start[] __asm__("__executable_start");

struct task {
	const struct structures_kind *kind;
	structures_run *run;
	struct structures_shape shape;
	uint64_t operations;
};

/* Stops before what is counted, and after it. */
static void run_stopping(const struct task *task)
{
	void *root;
	struct fathom_error error;
	struct structures_requests requests = {0};
	size_t bytes = (task->kind->memory_bytes(&task->shape) + 4095) / 4096 * 4096;
	unsigned char *memory = aligned_alloc(4096, bytes);
	if (!memory || task->kind->build(&task->shape, memory, 1, &root, &error) ||
	    ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(1);
	task->run(root, &requests, BEFORE, TOGETHER);
	raise(SIGSTOP);
	task->run(root, &requests, task->operations, TOGETHER);
	raise(SIGSTOP);
	_exit(0);
}

/* false: it could not be stepped through. */
static bool count_steps(pid_t child, uint64_t *counts)
{
	struct user_regs_struct registers;
	int status;
	if (waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status))
		return false;
	while (WIFSTOPPED(status)) {
		if (ptrace(PTRACE_SINGLESTEP, child, NULL, NULL) ||
		    waitpid(child, &status, 0) < 0 || WSTOPSIG(status) != SIGTRAP)
			break;
		ptrace(PTRACE_GETREGS, child, NULL, &registers);
		size_t offset = registers.rip - (uintptr_t)program_start;
		if (offset < MOST_BYTES)
			counts[offset]++;
	}
	bool whole = WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP;
	kill(child, SIGKILL);
	return whole;
}

int main(int argc, char **argv)
{
	uint64_t *counts = calloc(MOST_BYTES, sizeof(*counts));
	struct task task = {.kind = argc == 7 ? structures_kind_find(argv[1]) : NULL};
	if (!task.kind || !counts)
		return 2;
	unsigned long mode = strtoul(argv[2], NULL, 10);
	task.run = mode <= FATHOM_PREDICT_INTERLEAVED ? task.kind->run[mode] : NULL;
	if (!task.run)
		return 3; /* it cannot be run in that way */
	task.shape = (struct structures_shape){.keys = strtoull(argv[3], NULL, 10),
					       .node_bytes = (uint32_t)strtoul(argv[5], NULL, 10),
					       .span_bits = 8,
					       .fanout = 64,
					       .load = strtod(argv[6], NULL)};
	task.operations = strtoull(argv[4], NULL, 10);
	pid_t child = fork();
	if (child == 0)
		run_stopping(&task);
	if (child < 0 || !count_steps(child, counts)) {
		fprintf(stderr, "instructions: cannot step through %s\n", argv[1]);
		return 1;
	}
	for (size_t i = 0; i < MOST_BYTES; i++)
		if (counts[i])
			printf("%zx %llu\n", i, (unsigned long long)counts[i]);
	free(counts);
	return 0;
}
