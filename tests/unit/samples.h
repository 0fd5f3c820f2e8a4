/* Documents made by hand, for the tests of what is written about them. */
#ifndef SAMPLES_H
#define SAMPLES_H

#include "fathom.h"

/* The warning and condition texts hold a plus-minus sign, the argv bytes that are no UTF-8. */
struct fathom_machine *sample_machine(void);
/* Nothing is known: NULL, 0 and NAN throughout, no list has an element. */
struct fathom_machine *sample_unknown_machine(void);
/* Control characters, line breaks, invalid UTF-8 and right-to-left marks in every text. */
struct fathom_machine *sample_hostile_machine(void);

/* `octaves` x 8 + 1 sizes from 1 KiB on, in four levels, of a random cycle. */
struct fathom_result *sample_result(unsigned octaves);
/* One curve without a point. */
struct fathom_result *sample_empty_result(void);
/* What can be missing is: no machine, no clock, intervals or pages; interrupted; one of the
 * points was not measured. */
struct fathom_result *sample_poor_result(void);
struct fathom_result *sample_hostile_result(void);

struct fathom_plan *sample_plan(void);

/* As fathom_machine_free and fathom_result_free, which know more of a machine than there is. */
void sample_machine_free(struct fathom_machine *machine);
void sample_result_free(struct fathom_result *result);

#endif
