/* Parts of a result document, back from JSON. `place` and errors as in read_fields.h. */
#ifndef DOCUMENT_READ_PARTS_H
#define DOCUMENT_READ_PARTS_H

#include "document/read_fields.h"

/* read_machine.c. NULL where the document has null. It can be printed and compared with, and not
 * measured on: it holds no CPUs of the computer that reads it. */
int parts_read_machine(const struct place *place, struct fathom_machine **machine);
int parts_read_warnings(const struct place *place, const char *name,
			struct fathom_warnings *warnings);
/* read_levels.c: after the curves. */
int parts_read_levels(const struct place *place, struct fathom_result *result);
int parts_read_effects(const struct place *place, struct fathom_result *result);
int parts_read_parallelism(const struct place *place, struct fathom_result *result);
int parts_read_numbers(const struct place *place, struct fathom_result *result);
int parts_read_readings(const struct place *place, struct fathom_result *result);
/* read_clocks.c: after the curves. */
int parts_read_clocks(const struct place *place, struct fathom_result *result);
/* read_translation.c: after the curves. */
int parts_read_translation(const struct place *place, struct fathom_result *result);

#endif
