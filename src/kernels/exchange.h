/* Two threads that hand a word to each other, on and on: a round trip is there and back. One leads,
 * the other follows; who waits watches the word without a pause. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef _Atomic uint64_t exchange_word;

/* Either side, `rounds` round trips from the value `from` of the word on, which grows by two in
 * each. false: the other thread did not answer for about 10 ms; the word is to be set anew then. */
typedef bool exchange_side(exchange_word *word, uint64_t from, uint64_t rounds);

exchange_side exchange_store_lead, exchange_store_follow; /* by loads and stores */
exchange_side exchange_swap_lead, exchange_swap_follow;   /* by compare-and-swap */
/* Both sides in turn by one thread: what the loops themselves take. */
exchange_side exchange_store_alone, exchange_swap_alone;
