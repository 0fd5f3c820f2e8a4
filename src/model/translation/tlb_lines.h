/* Takes what lines take in caches out of what chains through pages show. */
#ifndef MODEL_TRANSLATION_TLB_LINES_H
#define MODEL_TRANSLATION_TLB_LINES_H

#include "model/translation/tlb_fit.h"

/* Finds the caches in the packed chain, given the steps of a first fit, and how the second one
 * takes the spread chain; sets the values to be fitted next. */
void tlb_lines_find(struct tlb_fit *fit);
/* The same caches, but by the steps so far what translation costs the packed chain. */
void tlb_lines_set_values(struct tlb_fit *fit);

#endif
