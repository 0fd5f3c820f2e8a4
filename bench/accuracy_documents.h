/* Results of real machines whose CPUs are documented, fitted anew. */
#ifndef BENCH_ACCURACY_DOCUMENTS_H
#define BENCH_ACCURACY_DOCUMENTS_H

#include "fathom.h"

/* Fits each document of corpus/documents/truth.csv, and prints what was found beside what is known:
 * caches, entries of the TLBs, and how many sweeps agree in the number and kinds of levels. Errors:
 * BAD_INPUT, FAILED. */
int accuracy_documents(struct fathom_error *error);

#endif
