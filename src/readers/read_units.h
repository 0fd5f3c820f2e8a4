/* Sizes and latencies with their units, in cells and in headings. */
#pragma once

#include "document/read_span.h"
#include "fathom.h"

struct value_unit {
	double scale; /* ns, or cycles, of one; 0: not said */
	bool cycles;
};

/* "B", "bytes", "K", "kB", "KiB", "kilobytes", ... to bytes (K = 1024, whatever the spelling);
 * 0: that is none. */
double units_size(struct span name);
/* "ns", "us", "cycles", "clk", ...; scale 0: that is none. */
struct value_unit units_value(struct span name);

/* What the options of `input` say; what they leave out stays as it is. Errors: USAGE. */
int units_of_input(const struct fathom_input *input, double *size_unit_bytes,
		   struct value_unit *value_unit, struct fathom_error *error);

/* Is nothing given there: "", "-", "nan", "inf", "n/a", "null", ...? */
bool units_is_missing(struct span cell);
/* A number, with or without a unit that is its own? */
bool units_is_number(struct span cell);

/* The cell of a size: its own unit, else `unit_bytes`. *bytes is 0 for "0". What is no size, or not
 * a whole number of bytes where these are counted in bytes, is refused. Errors: BAD_INPUT. */
int units_read_size(struct span cell, double unit_bytes, size_t line, uint64_t *bytes,
		    struct fathom_error *error);
/* The cell of a latency: its own unit, else `unit`. NAN where none is given. A unit of time where
 * cycles are wanted, or the reverse, is refused. Errors: BAD_INPUT. */
int units_read_value(struct span cell, struct value_unit unit, size_t line, double *value,
		     struct fathom_error *error);
