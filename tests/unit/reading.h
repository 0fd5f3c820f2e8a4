/* Texts given to the readers, for the tests of what comes of them. */
#ifndef READING_H
#define READING_H

#include <stdbool.h>
#include <stddef.h>

#include "fathom.h"

/* Fails the test where the text is refused. `input` NULL: as found. The text is read from memory
 * that ends where it ends. */
struct fathom_result *read_text(const char *text, const struct fathom_input *input);
struct fathom_result *read_bytes(const char *bytes, size_t length,
				 const struct fathom_input *input);

/* Fails the test unless the text is refused with `status`, in one line of plain ASCII that holds
 * `reason`, and with a hint that holds `hint` (NULL: whatever hint). */
void refuse_text(const char *text, const struct fathom_input *input, enum fathom_status status,
		 const char *reason, const char *hint);
void refuse_bytes(const char *bytes, size_t length, const struct fathom_input *input,
		  enum fathom_status status, const char *reason, const char *hint);

/* Fails the test unless the curve is one of `count` such points, in ns, with nothing else known. */
void check_curve(const struct fathom_result *result, size_t index, const char *tool, size_t count,
		 const double points[][2]);

#endif
