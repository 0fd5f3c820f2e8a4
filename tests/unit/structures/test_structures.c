/* Structures that can be run give right answers: every key is found, with its value, and no other;
 * and each way to run them comes to the sum that was known before. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "model/predict/structure.h"
#include "structures/structures.h"
#include "unit.h"

#define AS_MODELLED 0.15 /* of their size */

static const struct structures_shape usual = {
	.node_bytes = 256, .span_bits = 8, .fanout = 256, .load = 0};

/* In memory of just the size that it asks for: a sanitizer sees what is written beyond. */
struct built {
	const struct structures_kind *kind;
	struct structures_shape shape;
	unsigned char *memory;
	void *root;
	pthread_t other; /* where there is one beside it */
	atomic_bool ending;
};

static double usual_load(const struct structures_kind *kind)
{
	double load = structure_find(kind->name)->load;
	return load > 0 ? load : 1;
}

static void *run_beside(void *context)
{
	struct built *built = context;
	while (!atomic_load(&built->ending))
		built->kind->beside(built->root);
	return NULL;
}

static void build(const struct structures_kind *kind, struct structures_shape shape,
		  struct built *built)
{
	*built = (struct built){.kind = kind, .shape = shape};
	if (!(shape.load > 0))
		built->shape.load = usual_load(kind);
	uint64_t bytes = kind->memory_bytes(&built->shape);
	assert_int_equal(posix_memalign((void **)&built->memory, 4096, bytes), 0);
	memset(built->memory, 0xa5, bytes); /* what was there before must not matter */
	assert_int_equal(kind->build(&built->shape, built->memory, 7, &built->root, NULL), 0);
	if (kind->beside)
		assert_int_equal(pthread_create(&built->other, NULL, run_beside, built), 0);
}

static void tear_down(struct built *built)
{
	atomic_store(&built->ending, true);
	if (built->kind->beside)
		pthread_join(built->other, NULL);
	free(built->root);
	free(built->memory);
}

static void check_keys(const struct built *built)
{
	const struct structures_kind *kind = built->kind;
	uint64_t keys = built->shape.keys;
	for (uint64_t k = 0; kind->find && k < keys; k++) {
		uint64_t key = structures_key(kind->keys, k);
		if (kind->find(built->root, key) != structures_value(key))
			fail_msg("%s of %u keys: key %u is not found", kind->name, (unsigned)keys,
				 (unsigned)k);
	}
}

/* Between the keys, below and above them. */
static void check_others(const struct built *built)
{
	const struct structures_kind *kind = built->kind;
	uint64_t keys = built->shape.keys;
	for (uint64_t k = 0; kind->find && k <= keys; k++) {
		uint64_t key =
			kind->keys == STRUCTURES_ODD ? 2 * k : structures_key(kind->keys, keys + k);
		if (kind->find(built->root, key) != STRUCTURES_ABSENT)
			fail_msg("%s of %u keys: a key that is not there is found", kind->name,
				 (unsigned)keys);
	}
}

static void check_runs(const struct built *built)
{
	static const uint64_t counts[] = {16, 64, 1600};
	const struct structures_kind *kind = built->kind;
	for (int mode = 0; mode <= FATHOM_PREDICT_INTERLEAVED; mode++) {
		struct structures_requests asked = {0}, expected = {0};
		unsigned together = mode == FATHOM_PREDICT_INTERLEAVED ? 8 : 1;
		for (size_t i = 0; kind->run[mode] && i < sizeof(counts) / sizeof(*counts); i++) {
			uint64_t sum = kind->run[mode](built->root, &asked, counts[i], together);
			uint64_t wanted = structures_expect(kind, built->root, &expected,
							    built->shape.keys, counts[i], together);
			if (sum != wanted)
				fail_msg("%s of %u keys, %s: the sum is wrong", kind->name,
					 (unsigned)built->shape.keys, predict_mode_name(mode));
		}
	}
}

static void check(const struct structures_kind *kind, struct structures_shape shape)
{
	struct built built;
	build(kind, shape, &built);
	check_runs(&built);
	check_runs(&built); /* from the first request on, wherever the runs before ended */
	/* Of a partition all tuples are in their parts once it has gone through all of them. */
	if (kind->expect && kind->find) {
		struct structures_requests requests = {0};
		tear_down(&built);
		build(kind, shape, &built);
		kind->run[FATHOM_PREDICT_INDEPENDENT](built.root, &requests, shape.keys, 1);
	}
	check_keys(&built);
	check_others(&built);
	tear_down(&built);
}

static void all_keys_are_found(void **state)
{
	(void)state;
	for (const struct structures_kind *const *kind = structures_kinds; *kind; kind++) {
		for (uint64_t keys = 1; keys <= 100; keys++) {
			struct structures_shape shape = usual;
			shape.keys = keys;
			check(*kind, shape);
		}
		for (uint64_t keys = 255; keys <= 4096; keys = 2 * keys + keys % 3) {
			struct structures_shape shape = usual;
			shape.keys = keys;
			check(*kind, shape);
		}
	}
}

static void values_go_through_the_window_unchanged(void **state)
{
	struct structures_shape shape = usual;
	(void)state;
	shape.keys = 1000;
	shape.load = 1;
	check(&structures_window, shape);
}

static void other_shapes_are_right_too(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		struct structures_shape shape;
	} others[] = {
		{"btree", {.node_bytes = 64}},      {"btree", {.node_bytes = 72}},
		{"btree", {.node_bytes = 4096}},    {"radix-tree", {.span_bits = 1}},
		{"radix-tree", {.span_bits = 16}},  {"chained-hash", {.load = 0.1}},
		{"chained-hash", {.load = 8}},      {"open-hash", {.load = 0.05}},
		{"open-hash", {.load = 0.95}},      {"cuckoo", {.load = 0.2}},
		{"radix-partition", {.fanout = 2}}, {"radix-partition", {.fanout = 4096}},
	};
	static const uint64_t keys[] = {1, 3, 64, 1000, 3000};
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++) {
			struct structures_shape shape = others[i].shape;
			shape.keys = keys[k];
			check(structures_kind_find(others[i].name), shape);
		}
}

/* Each that is run is one that is predicted, and takes as much memory as the model says. */
static void they_are_as_modelled(void **state)
{
	(void)state;
	struct layout *layout = calloc(1, sizeof(*layout));
	for (const struct structures_kind *const *kind = structures_kinds; *kind; kind++) {
		const struct structure *modelled = structure_find((*kind)->name);
		assert_non_null(modelled);
		for (uint64_t keys = 1000; keys <= 1000000; keys *= 10) {
			struct structures_shape shape = usual;
			shape.keys = keys;
			shape.load = usual_load(*kind);
			memset(layout, 0, sizeof(*layout));
			modelled->lay(&(const struct shape){.keys = (double)keys,
							    .key_bytes = 8,
							    .payload_bytes = 8,
							    .node_bytes = 256,
							    .span_bits = 8,
							    .fanout = 256,
							    .load = shape.load,
							    .line_bytes = 64,
							    .page_bytes = 4096},
				      layout);
			double bytes = (double)(*kind)->memory_bytes(&shape);
			if (fabs(bytes / layout->size_bytes - 1) > AS_MODELLED)
				fail_msg("%s of %u keys takes %g bytes, %g in the model",
					 (*kind)->name, (unsigned)keys, bytes, layout->size_bytes);
		}
	}
	free(layout);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(all_keys_are_found),
	cmocka_unit_test(values_go_through_the_window_unchanged),
	cmocka_unit_test(other_shapes_are_right_too),
	cmocka_unit_test(they_are_as_modelled),
};
UNIT_GROUP();
