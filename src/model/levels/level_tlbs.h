/* TLBs have one source: where chains through one line a page tell of them, the levels do too. */
#ifndef MODEL_LEVELS_LEVEL_TLBS_H
#define MODEL_LEVELS_LEVEL_TLBS_H

#include "fathom.h"

/* Of a curve of the levels on pages whose TLBs the result's translations know: these stand in place
 * of the TLBs that the curve alone shows, of the walks where there are such too, and of steps that
 * it cannot tell and that lie where a TLB ends. Errors: FAILED (memory). */
int level_tlbs_settle(struct fathom_result *result, struct fathom_error *error);
/* Do both say the same of a TLB, in the digits of a document? */
bool level_tlbs_agree(const struct fathom_level *level, const struct fathom_tlb *tlb);

#endif
