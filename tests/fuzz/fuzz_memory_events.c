/* Whatever the kernel's files say of memory's counters: all of them are clear, or there are none.
 */
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "machine/counters/memory_events.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A line of the input is the text of a file, in this order; there are as many files as lines. */
static const char *const files[] = {
	"uncore_imc_0/type",
	"uncore_imc_0/cpumask",
	"uncore_imc_0/format/event",
	"uncore_imc_0/format/umask",
	"uncore_imc_0/events/cas_count_read",
	"uncore_imc_0/events/cas_count_read.scale",
	"uncore_imc_0/events/cas_count_read.unit",
	"uncore_imc_0/events/cas_count_write",
	"uncore_imc_0/events/cas_count_write.scale",
	"uncore_imc_0/events/cas_count_write.unit",
	"amd_umc_0/type",
	"amd_umc_0/cpumask",
	"amd_umc_0/format/event",
	"amd_umc_0/format/rdwrmask",
	"hisi_sccl1_ddrc0/type",
	"hisi_sccl1_ddrc0/cpumask",
	"hisi_sccl1_ddrc0/identifier",
	"hisi_sccl1_ddrc0/events/flux_rd",
	"hisi_sccl1_ddrc0/events/flux_wr",
};
#define FILES (sizeof(files) / sizeof(*files))

static char root[] = "/tmp/fathom-fuzz-XXXXXX";
static char *paths[FILES];

static void require(int condition)
{
	if (!condition)
		abort();
}

static int delete_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	return remove(path);
}

static void remove_tree(void)
{
	nftw(root, delete_one, 16, FTW_PHYS | FTW_DEPTH);
	for (size_t i = 0; i < FILES; i++)
		free(paths[i]);
}

static void make_tree(void)
{
	require(mkdtemp(root) != NULL);
	for (size_t i = 0; i < FILES; i++) {
		paths[i] = text_format("%s/sys/bus/event_source/devices/%s", root, files[i]);
		require(paths[i] != NULL);
		for (char *at = strchr(paths[i] + sizeof(root), '/'); at;
		     at = strchr(at + 1, '/')) {
			*at = 0;
			mkdir(paths[i], 0700);
			*at = '/';
		}
	}
	atexit(remove_tree);
}

static void write_files(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < FILES; i++) {
		const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
		size_t length = end ? (size_t)(end - data) + 1 : size;
		if (!size) {
			unlink(paths[i]);
			continue;
		}
		int file = open(paths[i], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		require(file >= 0 && write(file, data, length) == (ssize_t)length);
		close(file);
		data += length;
		size -= length;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_events events;
	size_t writes = 0;
	if (!paths[0])
		make_tree();
	write_files(data, size);
	require(memory_events_find(root, &events) == 0);
	require(!events.count || !events.missing);
	for (size_t i = 0; i < events.count; i++) {
		const struct memory_event *event = &events.items[i];
		require(event->name && event->cpu >= 0);
		require(isfinite(event->bytes) && event->bytes > 0);
		writes += event->writes;
	}
	require(2 * writes == events.count);
	memory_events_free(&events);
	return 0;
}
