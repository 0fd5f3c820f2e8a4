/* How much the CPUs run, and for whom. */
#pragma once

/* Of a CPU, or of all together, since boot: ticks of the kernel (sysconf(_SC_CLK_TCK) a second);
 * what is not known is 0. */
struct load_ticks {
	double used, idle, stolen;
};

/* `name`: "cpu" for all of them, or "cpu3". */
struct load_ticks load_read(const char *root, const char *name);
/* CPU time of all other programs since boot, on all CPUs together, in seconds. Differences of less
 * than some ticks are noise. NAN: not known. */
double load_others_s(const char *root);
