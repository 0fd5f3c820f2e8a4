/* The channels of a simulated machine's memory (docs/simulated-machines.md, key dram). */
#pragma once

#include "simulate/simulated_spec.h"

struct dram;

/* What was read is there, or what is written has been taken, at `at_ns`, for `owner`. Lines are
 * taken in the order of the calls, not of their times. */
typedef void dram_done(void *context, unsigned owner, double at_ns);

/* Nothing waits, and no row is open. `spec` must outlive it. Errors: FAILED (memory). */
int dram_open(const struct simulated_spec *spec, dram_done *done, void *context, struct dram **dram,
	      struct fathom_error *error);
/* Accepts NULL. */
void dram_close(struct dram *dram);
/* What an access takes in it that waits for nobody, and whose row is not open. */
double dram_alone_ns(const struct simulated_spec *spec);
/* A line is asked for, or is to be written. now_ns is no less than any time that dram_next_ns has
 * given so far. Errors: FAILED (memory). */
int dram_read(struct dram *dram, uint64_t line, unsigned owner, double now_ns,
	      struct fathom_error *error);
int dram_write(struct dram *dram, uint64_t line, unsigned owner, double now_ns,
	       struct fathom_error *error);
/* When something is to be done in it next; INFINITY: not before it is asked for something. */
double dram_next_ns(const struct dram *dram);
/* Does it. */
void dram_go_on(struct dram *dram);
/* Lines that went over the bus since it was opened: what counters of its controllers see. */
struct dram_lines {
	uint64_t read, written;
};
struct dram_lines dram_counted(const struct dram *dram);
