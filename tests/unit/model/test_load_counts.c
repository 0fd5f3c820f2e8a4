/* What memory's own counters saw against what threads counted: one verdict of all curves. */
#include <math.h>
#include <stdint.h>

#include "document/table.h"
#include "model/loaded/load_counts.h"
#include "unit.h"

#define LOADS  9 /* of a curve; the first is without traffic */
#define CURVES 2
#define OWN    10e9 /* of the second load; that of the first is a tenth */

struct made {
	struct fathom_load loads[CURVES][LOADS];
	struct fathom_curve curves[CURVES];
	struct fathom_memory_count count;
	struct fathom_result result;
};

/* Of each curve so much of what its threads count is seen, and everywhere what others use. */
static void make(struct made *made, double first, double second, double others)
{
	const double seen[CURVES] = {first, second};
	*made = (struct made){0};
	table_unknown(&memory_count_table, &made->count);
	for (size_t i = 0; i < CURVES; i++) {
		for (size_t k = 0; k < LOADS; k++) {
			struct fathom_load *load = &made->loads[i][k];
			double own = k ? OWN * (double)(k + 1) / 2 : OWN / 10;
			table_unknown(&load_table, load);
			load->wanted_bytes_per_second = k + 1 == LOADS ? NAN : OWN * (double)k / 2;
			load->bandwidth_bytes_per_second = own;
			load->counted_read_bytes_per_second = own * (k ? seen[i] : 1) + others;
			load->counted_write_bytes_per_second = 0;
		}
		table_unknown(&curve_table, &made->curves[i]);
		made->curves[i].loads = made->loads[i];
		made->curves[i].load_count = LOADS;
	}
	made->result = (struct fathom_result){
		.curves = made->curves,
		.curve_count = CURVES,
		.memory_counts = &made->count,
		.memory_count_count = 1,
	};
}

static void assert_judged(struct made *made, enum fathom_agreement agreement, size_t curve)
{
	assert_int_equal(load_counts_judge(&made->result, NULL), 0);
	if (made->count.agreement != agreement)
		fail_msg("%d is not %d: %g (%g, %g)", (int)made->count.agreement, (int)agreement,
			 made->count.ratio, made->count.ratio_low, made->count.ratio_high);
	assert_int_equal(made->count.curve, curve);
}

static void what_is_seen_of_each_curve_agrees(void **state)
{
	struct made made;
	(void)state;
	make(&made, 1.02, 0.95, 0);
	assert_judged(&made, FATHOM_AGREES, 1);
	assert_true(fabs(made.count.ratio - 0.95) < 1e-9);
	assert_true(made.count.other_bytes_per_second == 0);
	make(&made, 1.04, 0.99, 0);
	assert_judged(&made, FATHOM_AGREES, 0);
}

/* Though most loads agree. */
static void one_kind_of_traffic_is_off(void **state)
{
	struct made made;
	(void)state;
	make(&made, 1, 0.5, 0);
	assert_judged(&made, FATHOM_COUNTED_FEWER, 1);
	make(&made, 1.5, 1, 0);
	assert_judged(&made, FATHOM_COUNTED_MORE, 0);
	make(&made, 1, 0, 0); /* nothing is seen of it */
	assert_judged(&made, FATHOM_COUNTED_FEWER, 1);
	assert_true(made.count.ratio == 0);
}

/* They weigh less the more traffic there is: by the ratio alone nothing could be said. */
static void others_explain_what_is_more(void **state)
{
	struct made made;
	(void)state;
	make(&made, 1, 1, 3e9);
	assert_judged(&made, FATHOM_COUNTED_OTHERS, 0);
	assert_true(made.count.ratio_low < 1.1 && made.count.ratio_high > 1.1);
	assert_true(fabs(made.count.other_bytes_per_second / 3e9 - 1) < 1e-9);
	make(&made, 1, 1, 30e9);
	assert_judged(&made, FATHOM_COUNTED_OTHERS, 0);
	make(&made, 1, 1.6, 3e9); /* not all of it */
	assert_judged(&made, FATHOM_COUNTED_MORE, 1);
}

static void what_was_not_counted_is_not_judged(void **state)
{
	struct made made;
	(void)state;
	make(&made, 1, 1, 0);
	for (size_t k = 0; k < LOADS; k++)
		made.loads[0][k].counted_read_bytes_per_second =
			made.loads[1][k].counted_write_bytes_per_second = NAN;
	assert_judged(&made, FATHOM_AGREEMENT_UNKNOWN, SIZE_MAX);
	assert_true(isnan(made.count.ratio) && isnan(made.count.other_bytes_per_second));
	make(&made, 1, 1, 0); /* too few for an interval */
	for (size_t k = 5; k < LOADS; k++)
		made.loads[0][k].counted_read_bytes_per_second =
			made.loads[1][k].counted_write_bytes_per_second = NAN;
	assert_judged(&made, FATHOM_AGREEMENT_UNKNOWN, 0);
	assert_true(made.count.ratio == 1 && isnan(made.count.ratio_low));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_is_seen_of_each_curve_agrees),
	cmocka_unit_test(one_kind_of_traffic_is_off),
	cmocka_unit_test(others_explain_what_is_more),
	cmocka_unit_test(what_was_not_counted_is_not_judged),
};
UNIT_GROUP();
