/* Numbers in the digits that a document has of them. */
#ifndef DOCUMENT_DIGITS_H
#define DOCUMENT_DIGITS_H

#include "fathom.h"

/* Rounds what was measured to what will be written of it: what is made of it is then the same when
 * the document is read again. */
void digits_round(struct fathom_result *result);

#endif
