/* A recorded machine with every file spoilt in the same way: nothing breaks, and what does not
 * parse is not known. */
#include <dirent.h>
#include <ftw.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/text.h"
#include "machine/machine.h"
#include "unit.h"

static const char *const names[] = {"intel-metal",     "amd-two-nodes", "arm-hybrid",
				    "guest-container", "cgroup-v1",     "hybrid-guest"};
#define NAMES (sizeof(names) / sizeof(*names))

/* nftw hands no context down. */
static const char *from, *to;
static const char *spoilt;
static size_t spoilt_length;

static int copy_spoilt(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)status;
	(void)place;
	char *target = text_format("%s%s", to, path + strlen(from));
	if (type == FTW_D) {
		mkdir(target, 0777);
	} else if (type == FTW_F) {
		FILE *file = fopen(target, "w");
		assert_non_null(file);
		fwrite(spoilt, 1, spoilt_length, file);
		fclose(file);
	}
	free(target);
	return 0;
}

static int delete_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	return remove(path);
}

static struct fathom_machine *find_spoilt(const char *name, const char *bytes, size_t length)
{
	char directory[] = "/tmp/fathom-garbage-XXXXXX";
	assert_non_null(mkdtemp(directory));
	char *source = text_format("%s/%s", MACHINES, name);
	char *topology = text_format("%s/%s/topology.xml", MACHINES, name);
	from = source;
	to = directory;
	spoilt = bytes;
	spoilt_length = length;
	assert_int_equal(nftw(source, copy_spoilt, 16, FTW_PHYS), 0);
	struct machine_source spoilt_source = {directory, topology};
	struct fathom_machine *machine = NULL;
	assert_int_equal(machine_find(&spoilt_source, &machine, NULL), 0);
	nftw(directory, delete_one, 16, FTW_PHYS | FTW_DEPTH);
	free(source);
	free(topology);
	return machine;
}

static void assert_numbers_unknown(const struct fathom_machine *machine)
{
	assert_int_equal(machine->memory_bytes, 0);
	assert_int_equal(machine->available_bytes, 0);
	if (machine->limit_reason) /* of the topology, which is whole */
		assert_string_equal(machine->limit_reason, "memory of the machine");
	else
		assert_true(machine->limit_bytes == UINT64_MAX);
	assert_int_equal(machine->thp_page_bytes, 0);
	assert_null(machine->thp_state);
	assert_int_equal(machine->thp_size_count, 0);
	assert_int_equal(machine->boost, -1);
	assert_int_equal(machine->pool_count, 0);
}

static void test_wrong_texts(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"",
		"\n\n\n",
		"-1\n",
		"99999999999999999999999999\n",
		"1e3\n",
		"12 apples\n",
		"MemTotal: \nMemAvailable: lots\nMemTotal 1x\n",
		"MemAvailable: 99999999999999999 kB\n",
		"always madvise never\n",
		"[]",
		"[always",
		"]always[",
		"always [sometimes] never",
		"0::\n::\n:\n1:memory\n4:memory:relative\n",
		"cpu  \ncpu 1 2\n",
		"cpu 1 2\n",
		"%s%n%d",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		for (size_t name = 0; name < NAMES; name++) {
			struct fathom_machine *machine =
				find_spoilt(names[name], texts[i], strlen(texts[i]));
			assert_numbers_unknown(machine);
			fathom_machine_free(machine);
		}
	}
}

static bool is_clean(const char *text)
{
	for (; text && *text; text++)
		if (*text < ' ' || *text > '~')
			return false;
	return true;
}

static void test_noise(void **state)
{
	(void)state;
	size_t length = 8192;
	unsigned char *noise = malloc(length);
	struct rng rng = rng_make(7);
	assert_non_null(noise);
	for (int round = 0; round < 4; round++) {
		for (size_t i = 0; i < length; i++)
			noise[i] = (unsigned char)rng_next(&rng);
		if (round % 2) /* as much as possible for the first line */
			for (size_t i = 0; i < length; i++)
				noise[i] |= 0x80;
		for (size_t name = 0; name < NAMES; name++) {
			struct fathom_machine *machine =
				find_spoilt(names[name], (const char *)noise, length);
			assert_numbers_unknown(machine);
			assert_true(is_clean(machine->kernel) && is_clean(machine->hostname) &&
				    is_clean(machine->governor) && is_clean(machine->hypervisor));
			fathom_machine_free(machine);
		}
	}
	free(noise);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_wrong_texts),
	cmocka_unit_test(test_noise),
};
UNIT_GROUP();
