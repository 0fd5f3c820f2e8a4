#include "kernels/streams.h"

#if defined(__aarch64__)

#include "kernels/laps.h"

bool streams_usable(unsigned vector_bytes)
{
	return vector_bytes <= 16; /* NEON, which every one has */
}

/* The vectors of a round are in registers 16 to 23; register 0 holds what is written or added. */
#define ROUND(step, width)      step(16, 17, 0) step(18, 19, 32) step(20, 21, 64) step(22, 23, 96)
#define LINE(step, width)       step(20, 21, 0) step(22, 23, 32)
#define ROUND_MOVES(put, width) ROUND(LOAD, width) ROUND(put, width)
#define LINE_MOVES(put, width)  LINE(LOAD, width) LINE(put, width)

/* Steps: two registers and their place in bytes. */
#define PAIR(move, a, b, pointer, place) move " q" #a ", q" #b ", [%[" pointer "], #" #place "]\n"
#define LOAD(a, b, place)                PAIR("ldp", a, b, "at", place)
#define SET(a, b, place)                 PAIR("stp", 0, 0, "at", place)
#define SET_NT(a, b, place)              PAIR("stnp", 0, 0, "at", place)
#define PUT(a, b, place)                 PAIR("stp", a, b, "to", place)
#define PUT_NT(a, b, place)              PAIR("stnp", a, b, "to", place)
#define LEAVE(a, b, place)               PAIR("stp", a, b, "last", place)
#define ADD(a)                           "add v" #a ".2d, v" #a ".2d, v0.2d\n"
#define INCREMENT(a, b, place)           LOAD(a, b, place) ADD(a) ADD(b) PAIR("stp", a, b, "at", place)

#define FILL_16                 "dup v0.2d, %[value]\n"
#define CLEAN_UP_16             ""
#define ADVANCE(pointer, bytes) "add %[" pointer "], %[" pointer "], #" bytes "\n"
#define SKIP(count)             "cbz %[" count "], 2f\n"
#define BACK(count)             "subs %[" count "], %[" count "], #1\nb.ne 1b\n"
#define VECTORS_USED            "v0", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23"
/* The run ends when what it stored is done, however it went. (dmb would only put it in order.) */
#define FENCE __asm__ volatile("dsb ishst" ::: "memory")

#include "kernels/streams_template.h"

#endif
