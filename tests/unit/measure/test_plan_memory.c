/* How much memory plans take: what is mapped is never more than can be had. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/patterns.h"
#include "machine/pages.h"
#include "measure/memory/slice.h"
#include "measure/plan/plan.h"
#include "measure/plan/plan_memory.h"
#include "measure/sampling/line_size.h"
#include "measure/spec.h"
#include "unit.h"

#define MIB 1048576ull

static const unsigned limits_mib[] = {64, 96, 128, 200, 256, 512, 1024, 2048};
#define LIMITS (sizeof(limits_mib) / sizeof(*limits_mib))

static struct fathom_machine *make_machine(unsigned mib)
{
	struct fathom_machine *machine;
	char description[64];
	snprintf(description, sizeof(description), "sim:cpus=8,memory=%uM", mib);
	assert_int_equal(fathom_machine_find(description, &machine, NULL), 0);
	return machine;
}

/* What streams go through is of the parts; the chains' buffers, and what is mapped anew. */
static uint64_t sum_chains(const struct plan_memory *memory)
{
	uint64_t sum = 0;
	for (int page = 0; page < FATHOM_PAGE_UNKNOWN; page++)
		sum += memory->chains_bytes[page];
	return sum;
}

static void assert_chains_fit(const struct fathom_plan *plan, const struct plan_memory *memory)
{
	for (size_t i = 0; i < plan->spec_count; i++) {
		const struct fathom_spec *spec = &plan->specs[i];
		uint64_t bytes = spec->size_bytes ? spec_memory_bytes(spec) : plan->always_bytes;
		if (!pattern_streams(spec->pattern))
			assert_true(memory->chains_bytes[spec->page] >= bytes);
	}
	assert_true(memory->chains_bytes[plan->specs[0].page] >= LINE_SPAN_BYTES);
}

static void assert_fits(const struct fathom_plan *plan, const struct fathom_machine *machine)
{
	struct plan_memory memory = plan_memory(plan, machine);
	assert_true(memory.mapped_bytes <= machine->limit_bytes);
	assert_true(memory.needed_bytes <= memory.mapped_bytes);
	assert_true(sum_chains(&memory) <= memory.mapped_bytes);
	assert_int_equal(plan->memory_bytes, memory.mapped_bytes);
	assert_chains_fit(plan, &memory);
}

static void defaults_fit_whatever_can_be_had(void **state)
{
	(void)state;
	for (size_t i = 0; i < LIMITS; i++)
		for (int one = FATHOM_LATENCY; one < FATHOM_FREQUENCY; one++) {
			struct fathom_machine *machine = make_machine(limits_mib[i]);
			struct fathom_request request;
			struct fathom_plan *plan;
			struct fathom_error error = {0};
			fathom_request_for(&request, (enum fathom_experiment)one);
			if (fathom_plan_make(&request, machine, &plan, &error))
				fail_msg("%u MiB, experiment %d: %s", limits_mib[i], one,
					 error.text);
			assert_fits(plan, machine);
			fathom_plan_free(plan);
			fathom_machine_free(machine);
		}
}

/* Long, short and bounded above what there is. */
static void surveys_fit_whatever_can_be_had(void **state)
{
	(void)state;
	static const struct {
		double budget_s;
		uint64_t max_bytes;
	} asked[] = {{60, 0}, {15, 0}, {4, 0}, {60, 4096 * MIB}};
	for (size_t i = 0; i < LIMITS; i++)
		for (size_t k = 0; k < sizeof(asked) / sizeof(*asked); k++) {
			struct fathom_machine *machine = make_machine(limits_mib[i]);
			struct fathom_request request;
			struct fathom_survey *survey;
			fathom_request_default(&request);
			request.budget_s = asked[k].budget_s;
			request.max_size_bytes = asked[k].max_bytes;
			assert_int_equal(fathom_survey_plan(&request, machine, &survey, NULL), 0);
			for (size_t s = 0; s < FATHOM_SURVEY_STAGES; s++)
				if (survey->plans[s] &&
				    survey->plans[s]->spec_count) /* none of pairs */
					assert_fits(survey->plans[s], machine);
			assert_true(survey->memory_bytes <= machine->limit_bytes);
			fathom_survey_free(survey);
			fathom_machine_free(machine);
		}
}

/* Two kinds of pages, of one a little, of the other much: both have as much room to move in. */
static void room_is_shared_out(void **state)
{
	(void)state;
	struct fathom_machine *machine = make_machine(128);
	struct fathom_spec specs[] = {
		{.pattern = FATHOM_RANDOM_CYCLE, .size_bytes = 8 * MIB, .page = FATHOM_PAGE_4K},
		{.pattern = FATHOM_RANDOM_CYCLE, .size_bytes = 64 * MIB, .page = FATHOM_PAGE_THP}};
	const struct fathom_plan plan = {.specs = specs, .spec_count = 2};
	struct plan_memory memory = plan_memory(&plan, machine);
	assert_int_equal(memory.chains_bytes[FATHOM_PAGE_4K], (8 + 28) * MIB);
	assert_int_equal(memory.chains_bytes[FATHOM_PAGE_THP], (64 + 28) * MIB);
	assert_int_equal(memory.mapped_bytes, 128 * MIB);
	machine->limit_bytes = 71 * MIB; /* less than is needed: that is refused */
	memory = plan_memory(&plan, machine);
	assert_int_equal(memory.needed_bytes, 72 * MIB);
	assert_int_equal(memory.mapped_bytes, 72 * MIB);
	fathom_machine_free(machine);
}

/* Sizes inside levels that are still to be found: several threads share what is not in a cache of
 * their own. */
static void threads_share_what_is_still_to_be_found(void **state)
{
	(void)state;
	struct fathom_machine *machine = make_machine(2048);
	struct fathom_spec specs[] = {
		{.pattern = FATHOM_READ, .size_bytes = 0, .threads = 8, .page = FATHOM_PAGE_4K}};
	const struct fathom_plan plan = {
		.specs = specs, .spec_count = 1, .always_bytes = 512 * MIB};
	struct plan_memory memory = plan_memory(&plan, machine);
	assert_true(plan_private_bytes(machine) < 64 * MIB);
	assert_int_equal(memory.streamed_bytes, 512 * MIB);
	assert_int_equal(memory.needed_bytes,
			 LINE_SPAN_BYTES + 8 * slice_capacity(machine, FATHOM_PAGE_4K, 64 * MIB));
	fathom_machine_free(machine);
}

/* Reads of less would be answered by a cache that all share. */
static void traffic_goes_through_as_much_as_the_chain(void **state)
{
	(void)state;
	static const unsigned threads[] = {1, 3, 7};
	struct fathom_machine *machine = make_machine(2048);
	for (int i = 0; i < 3; i++) {
		struct fathom_request request;
		struct fathom_plan *plan;
		uint32_t makers = threads[i];
		fathom_request_for(&request, FATHOM_LOADED);
		request.threads = &makers;
		request.thread_count = 1;
		assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
		uint64_t bytes = plan_traffic_bytes(plan, machine);
		struct plan_memory memory = plan_memory(plan, machine);
		assert_true(bytes * makers >= plan_largest_bytes(plan));
		assert_true(memory.at_once_bytes >= bytes * makers);
		assert_true(memory.at_once_bytes < memory.needed_bytes);
		fathom_plan_free(plan);
	}
	fathom_machine_free(machine);
}

/* Smaller than what the line is measured in. */
static void the_line_has_its_memory(void **state)
{
	(void)state;
	struct fathom_machine *machine = make_machine(64);
	struct fathom_spec spec = {.pattern = FATHOM_RANDOM_CYCLE,
				   .size_bytes = 4096,
				   .node_bytes = 64,
				   .lanes = 1,
				   .threads = 1};
	const struct fathom_plan plan = {.specs = &spec, .spec_count = 1, .always_bytes = 4096};
	struct fathom_error error = {0};
	assert_int_equal(plan_check(&plan, machine, NULL), 0);
	machine->limit_bytes = LINE_SPAN_BYTES / 2;
	assert_int_equal(plan_check(&plan, machine, &error), -1);
	assert_int_equal(error.status, FATHOM_UNABLE);
	fathom_error_clear(&error);
	fathom_machine_free(machine);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(defaults_fit_whatever_can_be_had),
	cmocka_unit_test(surveys_fit_whatever_can_be_had),
	cmocka_unit_test(room_is_shared_out),
	cmocka_unit_test(threads_share_what_is_still_to_be_found),
	cmocka_unit_test(traffic_goes_through_as_much_as_the_chain),
	cmocka_unit_test(the_line_has_its_memory),
};
UNIT_GROUP();
