/* Memory for a program that is bound to one CPU. */
#pragma once

#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Binds the thread to the CPU of that number, as text. MAP_FAILED: there is no memory. */
static inline unsigned char *memory_on_cpu(uint64_t bytes, const char *cpu)
{
	cpu_set_t cpus;
	CPU_ZERO(&cpus);
	CPU_SET((int)strtol(cpu, NULL, 10), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
