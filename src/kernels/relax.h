/* One turn of a loop that waits for another thread. */
#pragma once

/* Lets the core's other thread, where there is one, have the execution units meanwhile. */
static inline void kernel_relax(void)
{
#if defined(__x86_64__)
	__asm__ volatile("pause" ::: "memory");
#elif defined(__aarch64__)
	__asm__ volatile("yield" ::: "memory");
#else
	__asm__ volatile("" ::: "memory");
#endif
}
