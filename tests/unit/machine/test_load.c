/* Ticks of /proc/stat, and whose they are. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "machine/load.h"
#include "unit.h"

static char folder[] = "/tmp/fathom-load-XXXXXX";

static void write_stat(const char *text)
{
	char *proc = text_format("%s/proc", folder);
	char *path = text_format("%s/stat", proc);
	mkdir(proc, 0700);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	free(path);
	free(proc);
}

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	(void)state;
	char *proc = text_format("%s/proc", folder);
	char *path = text_format("%s/stat", proc);
	unlink(path);
	rmdir(proc);
	rmdir(folder);
	free(path);
	free(proc);
	return 0;
}

static void ticks_are_told_apart(void **state)
{
	(void)state;
	write_stat("cpu  100 20 30 4000 500 6 7 80 9 9\ncpu0 50 10 15 2000 250 3 4 40 5 5\n");
	struct load_ticks all = load_read(folder, "cpu"), one = load_read(folder, "cpu0");
	assert_true(all.used == 163 && all.idle == 4500 && all.stolen == 80);
	assert_true(one.used == 82 && one.idle == 2250 && one.stolen == 40);
	assert_true(load_read(folder, "cpu1").used == 0);
}

static void own_time_is_not_that_of_others(void **state)
{
	(void)state;
	write_stat("cpu  100000 0 0 4000 500 0 0 0 0 0\n");
	double before_s = load_others_s(folder);
	for (volatile uint64_t i = 0; i < 200000000; i++)
		;
	assert_true(load_others_s(folder) < before_s);
	write_stat("cpu0 nothing\n");
	assert_true(isnan(load_others_s(folder)));
	assert_true(isnan(load_others_s(NULL)));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(ticks_are_told_apart),
	cmocka_unit_test(own_time_is_not_that_of_others),
};
UNIT_GROUP(.setup = make_folder, .teardown = remove_folder);
