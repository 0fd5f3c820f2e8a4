/* What fathom and other tools wrote, to a result: one file for each format, one line of the table
 * in readers.c. docs/reading-curves.md says what each understands. */
#pragma once

#include "fathom.h"

/* As fathom_result_read. Errors: also USAGE (a unit or column of `input` that is not there). */
int readers_read(const char *bytes, size_t length, const struct fathom_input *input,
		 struct fathom_result **result, struct fathom_error *error);

/* For the table. The text is not empty and has no byte 0 in it, and none at its end. A read
 * function adds curves and warnings to a result in which nothing is known; what it leaves there
 * when it fails is freed. */
#define READER(name)                                                                               \
	bool name##_detect(const char *bytes, size_t length);                                      \
	int name##_read(const char *bytes, size_t length, const struct fathom_input *input,        \
			struct fathom_result *result, struct fathom_error *error)

READER(own_csv);      /* read_own_csv.c: fathom's CSV */
READER(lanes);        /* read_lanes.c: sizes, lanes and times */
READER(lat_mem_rd);   /* read_lat_mem_rd.c */
READER(tinymembench); /* read_tinymembench.c */
READER(core_matrix);  /* read_core_matrix.c: latencies between CPUs */
READER(mlc);          /* read_mlc.c: latency under load */
READER(loaded);       /* read_loaded.c: the same, of any table that names both */
READER(markdown);     /* read_markdown.c */
READER(delimited);    /* read_delimited.c: any other table */
/* read_accesses.c: one access a row. Not in the table: no look at a text tells it from a table of
 * two other columns. */
int accesses_read(const char *bytes, size_t length, const struct fathom_input *input,
		  struct fathom_result *result, struct fathom_error *error);
