/* Which way a stream is told to go, of variants whose times are known, while others disturb. */
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "kernels/kernels.h"
#include "measure/memory/stream_variant.h"
#include "unit.h"

#define NORMAL_NS 1000
#define SEEDS     200

struct truth {
	struct stream_variant fastest;
	double ns; /* of that one */
	struct rng rng;
	unsigned disturbed_percent;
	uint64_t runs, most_shift_bytes;
};

static double run(void *context, const struct stream_variant *variant)
{
	struct truth *truth = context;
	bool fastest = variant->vector_bytes == truth->fastest.vector_bytes &&
		       variant->shift_bytes == truth->fastest.shift_bytes;
	double ns = fastest ? truth->ns : NORMAL_NS;
	truth->runs++;
	if (variant->shift_bytes > truth->most_shift_bytes)
		truth->most_shift_bytes = variant->shift_bytes;
	if (truth->disturbed_percent && rng_below(&truth->rng, 100) < truth->disturbed_percent)
		ns *= 1 + (double)rng_below(&truth->rng, 1000) / 10;
	return ns;
}

static struct fathom_spec spec_of(enum fathom_pattern pattern)
{
	return (struct fathom_spec){
		.pattern = pattern, .size_bytes = 8192, .threads = 1, .node_bytes = 64};
}

static struct stream_variant find(const struct fathom_spec *spec, uint64_t room_bytes,
				  struct truth *truth)
{
	struct stream_variants variants = {0};
	struct stream_variant variant;
	assert_int_equal(
		stream_variants_find(&variants, spec, room_bytes, run, truth, &variant, NULL), 0);
	stream_variants_free(&variants);
	return variant;
}

static uint32_t widest(enum fathom_pattern pattern)
{
	return stream_kernel(pattern, 0)->vector_bytes;
}

static void the_distance_of_a_copy_is_found_while_a_third_is_disturbed(void **state)
{
	(void)state;
	struct fathom_spec spec = spec_of(FATHOM_COPY);
	unsigned wrong = 0;
	for (unsigned seed = 0; seed < SEEDS; seed++) {
		struct truth truth = {.fastest = {widest(FATHOM_COPY), 1536},
				      .ns = 0.9 * NORMAL_NS,
				      .rng = rng_make(seed),
				      .disturbed_percent = 33};
		struct stream_variant variant = find(&spec, STREAM_WAY_PAGE_BYTES, &truth);
		wrong += variant.shift_bytes != 1536 ||
			 variant.vector_bytes != truth.fastest.vector_bytes;
	}
	assert_in_range(wrong, 0, SEEDS / 50);
}

static void a_narrower_width_is_found(void **state)
{
	(void)state;
	struct fathom_spec spec = spec_of(FATHOM_READ);
	uint32_t narrower = widest(FATHOM_READ) / 2;
	if (narrower < 16 || !stream_kernel(FATHOM_READ, narrower))
		skip();
	struct truth truth = {.fastest = {narrower, 0}, .ns = 0.9 * NORMAL_NS};
	assert_int_equal(find(&spec, 0, &truth).vector_bytes, narrower);
}

static void what_gains_little_is_not_taken(void **state)
{
	(void)state;
	struct fathom_spec spec = spec_of(FATHOM_COPY);
	struct truth truth = {.fastest = {widest(FATHOM_COPY), 512}, .ns = 0.99 * NORMAL_NS};
	struct stream_variant variant = find(&spec, STREAM_WAY_PAGE_BYTES, &truth);
	assert_int_equal(variant.shift_bytes, 0);
	assert_int_equal(variant.vector_bytes, widest(FATHOM_COPY));
}

static void no_distance_goes_beyond_the_room(void **state)
{
	(void)state;
	struct fathom_spec copy = spec_of(FATHOM_COPY), read = spec_of(FATHOM_READ);
	struct truth truth = {0};
	find(&copy, 1100, &truth);
	assert_int_equal(truth.most_shift_bytes, 1024);
	truth.most_shift_bytes = 0;
	find(&read, STREAM_WAY_PAGE_BYTES, &truth);
	assert_int_equal(truth.most_shift_bytes, 0);
}

static void it_is_found_once_for_each_spec(void **state)
{
	(void)state;
	struct stream_variants variants = {0};
	struct truth truth = {.fastest = {widest(FATHOM_COPY), 2048}, .ns = 0.9 * NORMAL_NS};
	struct stream_variant variant;
	for (uint64_t size = 64; size <= 64 << 20; size *= 2)
		for (int again = 0; again < 2; again++) {
			struct fathom_spec spec = spec_of(FATHOM_COPY);
			uint64_t before = truth.runs;
			spec.size_bytes = size;
			assert_int_equal(stream_variants_find(&variants, &spec,
							      STREAM_WAY_PAGE_BYTES, run, &truth,
							      &variant, NULL),
					 0);
			assert_int_equal(variant.shift_bytes, 2048);
			assert_int_equal(truth.runs == before, again);
		}
	stream_variants_free(&variants);
}

static void the_width_asked_for_stays(void **state)
{
	(void)state;
	struct fathom_spec spec = spec_of(FATHOM_READ);
	struct truth truth = {.fastest = {16, 0}, .ns = 0.5 * NORMAL_NS};
	spec.vector_bytes = widest(FATHOM_READ);
	assert_int_equal(find(&spec, 0, &truth).vector_bytes, spec.vector_bytes);
	assert_int_equal(truth.runs, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_distance_of_a_copy_is_found_while_a_third_is_disturbed),
	cmocka_unit_test(a_narrower_width_is_found),
	cmocka_unit_test(what_gains_little_is_not_taken),
	cmocka_unit_test(no_distance_goes_beyond_the_room),
	cmocka_unit_test(it_is_found_once_for_each_spec),
	cmocka_unit_test(the_width_asked_for_stays),
};
UNIT_GROUP();
