/* What a thread does to a word that others may go for too: one operation after the other. */
#pragma once

#include "kernels/exchange.h"

/* `count` operations. Returns how much the word grew by them: it is the sum over all threads in the
 * end. */
typedef uint64_t contend_loop(exchange_word *word, uint64_t count);

contend_loop contend_add;
contend_loop contend_swap; /* each is tried until it succeeds */
/* Nothing grows: the word is what some thread stored last. */
contend_loop contend_exchange;
contend_loop contend_read;
