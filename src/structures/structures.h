/* Data structures that can be run, to hold what fathom predict says of them against the time that
 * they take: the door. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fathom.h"

/* The k-th of the keys, from 0 on; elements are a key and its value, 8 bytes each. */
enum structures_keys {
	STRUCTURES_ODD,       /* 2k + 1, so that no even one is there */
	STRUCTURES_SCATTERED, /* anywhere, never 0 */
	STRUCTURES_DENSE      /* k */
};

#define STRUCTURES_ABSENT   UINT64_MAX /* the value of a key that is not there */
#define STRUCTURES_TOGETHER 64         /* operations at a time, at most */

/* What one is built of. `load`: keys over buckets or slots. */
struct structures_shape {
	uint64_t keys;
	uint32_t node_bytes, span_bits, fanout;
	double load;
};

/* Which keys are asked for: as likely each, and known long before. */
struct structures_requests {
	uint64_t state; /* of the walks, the position */
};

/* Makes `count` operations, and returns the sum of the values that they read. `together`: how many
 * at a time, of which `count` is a multiple. */
typedef uint64_t structures_run(void *root, struct structures_requests *requests, uint64_t count,
				unsigned together);

struct structures_kind {
	const char *name; /* of fathom_predict_structure */
	enum structures_keys keys;
	/* That building takes; 0: it cannot be built of these. */
	uint64_t (*memory_bytes)(const struct structures_shape *shape);
	/* Into so many bytes, aligned to 4096; their content is the structure's. *root is the
	 * caller's to free(), and says nothing once the memory is gone. Errors: FAILED. */
	int (*build)(const struct structures_shape *shape, unsigned char *memory, uint64_t key,
		     void **root, struct fathom_error *error);
	/* The value of a key, or STRUCTURES_ABSENT. NULL: nothing can be looked up. */
	uint64_t (*find)(const void *root, uint64_t key);
	/* By enum fathom_predict_mode; NULL: it cannot be run in that way. */
	structures_run *run[FATHOM_PREDICT_INTERLEAVED + 1];
	/* What a run must come to, from the same requests on. NULL: the values of the keys that
	 * were asked for. */
	structures_run *expect;
	/* What another thread does again and again as long as it is run; returns soon. NULL: there
	 * is no other. */
	void (*beside)(void *root);
	/* How often that thread did not run while it was waited for. With `beside`. */
	uint64_t (*interruptions)(const void *root);
};

/* No data structure, and on no list: elements of an array at random, each value of which goes
 * through so many instructions that wait for it, and a few more. Independent lookups overlap by as
 * many as the core has room for. */
#define STRUCTURES_WINDOW_WAITING 64
extern const struct structures_kind structures_window;

/* The list, ended by NULL, in the order of fathom_predict_structure. */
extern const struct structures_kind *const structures_kinds[];
/* NULL: there is none that can be run. */
const struct structures_kind *structures_kind_find(const char *name);

uint64_t structures_key(enum structures_keys keys, uint64_t k);
/* Of a key: less than 2^63. */
uint64_t structures_value(uint64_t key);
/* What a run must come to; goes on with the requests as it did. */
uint64_t structures_expect(const struct structures_kind *kind, void *root,
			   struct structures_requests *requests, uint64_t keys, uint64_t count,
			   unsigned together);
