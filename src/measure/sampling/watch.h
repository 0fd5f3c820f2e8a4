/* Watches what the kernel does to pages beside a block. */
#pragma once

#include "measure/meter.h"

/* Before a block, once its memory is there. */
void watch_begin(struct meter *meter, struct vm_counts *before);
/* After it: adds the block to meter->memory_events. Did the kernel do anything to pages meanwhile?
 */
bool watch_end(struct meter *meter, const struct vm_counts *before);
