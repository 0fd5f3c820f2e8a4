/* What the kernel does to pages is counted beside blocks, and told by name. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/warnings.h"
#include "machine/vm_events.h"
#include "unit.h"

static char folder[] = "/tmp/fathom-vm-events-XXXXXX";

static void write_vmstat(const char *text)
{
	char *path = text_format("%s/proc/vmstat", folder);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	free(path);
}

static uint64_t count_of(const struct vm_counts *counts, const char *name)
{
	for (unsigned i = 0; i < VM_EVENT_COUNT; i++)
		if (strcmp(vm_event_name(i), name) == 0)
			return counts->values[i];
	fail_msg("no event '%s'", name);
	return 0;
}

static int make_folder(void **state)
{
	(void)state;
	char *proc = mkdtemp(folder) ? text_format("%s/proc", folder) : NULL;
	int status = proc ? mkdir(proc, 0700) : -1;
	free(proc);
	return status;
}

static int remove_folder(void **state)
{
	(void)state;
	char *proc = text_format("%s/proc", folder), *path = text_format("%s/vmstat", proc);
	int status = unlink(path) | rmdir(proc) | rmdir(folder);
	free(path);
	free(proc);
	return status;
}

static void test_lines_are_read_by_name(void **state)
{
	(void)state;
	struct vm_counts now;
	write_vmstat("nr_free_pages 9\nthp_split_page 3\nthp_split_page_failed 7\nthp_split_pmd 4\n"
		     "pswpin 18446744073709551615\n");
	struct vm_events *events = vm_events_open(folder);
	assert_non_null(events);
	vm_events_read(events, &now);
	assert_int_equal(count_of(&now, "thp_split_page"), 3);
	assert_int_equal(count_of(&now, "thp_split_pmd"), 4);
	assert_true(count_of(&now, "pswpin") == UINT64_MAX);
	assert_int_equal(count_of(&now, "numa_hint_faults"), 0);
	write_vmstat("nr_free_pages 10\nthp_split_page 12345\nthp_split_page_failed 7\n"
		     "thp_split_pmd 4\npswpin 0\n");
	vm_events_read(events, &now);
	assert_int_equal(count_of(&now, "thp_split_page"), 12345);
	assert_int_equal(count_of(&now, "thp_split_pmd"), 4);
	write_vmstat("");
	vm_events_read(events, &now);
	assert_int_equal(count_of(&now, "thp_split_page"), 0);
	vm_events_close(events);
}

static void test_nothing_to_read(void **state)
{
	(void)state;
	struct vm_counts now;
	assert_null(vm_events_open(NULL));
	assert_null(vm_events_open("/nowhere"));
	vm_events_read(NULL, &now);
	for (unsigned i = 0; i < VM_EVENT_COUNT; i++) {
		assert_int_equal(now.values[i], 0);
		assert_true(strlen(vm_event_text(i)) > 0);
	}
	vm_events_close(NULL);
}

static struct vm_counts counts_with(const char *name, uint64_t value)
{
	struct vm_counts counts = {0};
	for (unsigned i = 0; i < VM_EVENT_COUNT; i++)
		if (strcmp(vm_event_name(i), name) == 0)
			counts.values[i] = value;
	return counts;
}

static void test_blocks_are_counted_and_told(void **state)
{
	(void)state;
	struct vm_record record = {0};
	struct fathom_warnings warnings = {0};
	const struct vm_counts none = {0}, split = counts_with("thp_split_page", 5),
			       moved = counts_with("pgmigrate_success", 40);
	assert_false(vm_record_add(&record, &none, &none));
	assert_false(vm_record_add(&record, &split, &split));
	assert_int_equal(vm_record_warn(&record, &warnings), 0);
	assert_int_equal(warnings.count, 0);
	assert_true(vm_record_add(&record, &none, &split));
	assert_true(vm_record_add(&record, &none, &moved));
	assert_true(vm_record_add(&record, &none, &moved));
	assert_int_equal(record.blocks, 5);
	assert_int_equal(record.disturbed, 3);
	assert_int_equal(vm_record_warn(&record, &warnings), 0);
	assert_int_equal(warnings.count, 1);
	assert_string_equal(warnings.items[0].id, "memory-events");
	assert_string_equal(warnings.items[0].text,
			    "during 3 of 5 blocks the kernel moved pages (pgmigrate_success +80), "
			    "split huge pages (thp_split_page +5)");
	warnings_free(&warnings);
}

static void test_the_three_that_were_seen_most_are_told(void **state)
{
	(void)state;
	struct vm_record record = {0};
	struct fathom_warnings warnings = {0};
	struct vm_counts before = {0}, after = {0};
	for (unsigned i = 0; i < VM_EVENT_COUNT; i++)
		after.values[i] = i + 1;
	vm_record_add(&record, &before, &after);
	assert_int_equal(vm_record_warn(&record, &warnings), 0);
	const char *text = warnings.items[0].text;
	assert_non_null(strstr(text, vm_event_name(0)));
	assert_non_null(strstr(text, vm_event_name(2)));
	assert_null(strstr(text, vm_event_name(3)));
	warnings_free(&warnings);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_lines_are_read_by_name),
	cmocka_unit_test(test_nothing_to_read),
	cmocka_unit_test(test_blocks_are_counted_and_told),
	cmocka_unit_test(test_the_three_that_were_seen_most_are_told),
};
UNIT_GROUP(.setup = make_folder, .teardown = remove_folder);
