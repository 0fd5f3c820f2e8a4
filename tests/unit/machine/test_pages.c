#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/machine.h"
#include "machine/pages.h"
#include "machine/smaps.h"
#include "unit.h"

#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)

static struct fathom_machine *this_machine(void)
{
	struct machine_source source = {"", NULL};
	struct fathom_machine *machine = NULL;
	assert_int_equal(machine_find(&source, &machine, NULL), 0);
	return machine;
}

/* ---- what can be had ---- */

static char madvise_state[] = "madvise";
static char never_state[] = "never";
static struct fathom_page_pool pools[] = {{2 * MIB, 10, 4}};

static struct fathom_machine made_up(void)
{
	return (struct fathom_machine){
		.base_page_bytes = 4096,
		.thp_page_bytes = 2 * MIB,
		.thp_state = madvise_state,
		.memory_bytes = GIB,
		.pools = pools,
		.pool_count = 1,
	};
}

static void test_sizes(void **state)
{
	(void)state;
	struct fathom_machine machine = made_up();
	machine.base_page_bytes = 65536;
	machine.thp_page_bytes = 512 * MIB;
	assert_int_equal(pages_bytes(&machine, FATHOM_PAGE_DEFAULT), 65536);
	assert_int_equal(pages_bytes(&machine, FATHOM_PAGE_4K), 65536);
	assert_int_equal(pages_bytes(&machine, FATHOM_PAGE_THP), 512 * MIB);
	assert_int_equal(pages_bytes(&machine, FATHOM_PAGE_2M), 2 * MIB);
	assert_int_equal(pages_bytes(&machine, FATHOM_PAGE_1G), GIB);
}

#define LEAVE_OUT "--page 4K is available everywhere"

static void assert_unable(const struct fathom_machine *machine, enum fathom_page page,
			  uint64_t bytes, const char *hint)
{
	struct fathom_error error = {0};
	assert_int_equal(pages_check(machine, page, bytes, &error), -1);
	assert_int_equal(error.status, FATHOM_UNABLE);
	if (hint)
		assert_string_equal(error.hint, hint);
	else
		assert_null(error.hint);
	fathom_error_clear(&error);
}

static void test_check(void **state)
{
	(void)state;
	struct fathom_machine machine = made_up();
	assert_int_equal(pages_check(&machine, FATHOM_PAGE_DEFAULT, GIB, NULL), 0);
	assert_int_equal(pages_check(&machine, FATHOM_PAGE_4K, GIB, NULL), 0);
	assert_int_equal(pages_check(&machine, FATHOM_PAGE_THP, GIB, NULL), 0);
	assert_int_equal(pages_check(&machine, FATHOM_PAGE_2M, 8 * MIB, NULL), 0);
	assert_unable(&machine, FATHOM_PAGE_2M, 8 * MIB + 1,
		      "echo 11 | sudo tee /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages");
	assert_unable(&machine, FATHOM_PAGE_2M, 2 * GIB, NULL); /* more than there is */
	assert_unable(&machine, FATHOM_PAGE_1G, 1, NULL);
	machine.thp_state = never_state;
	assert_unable(&machine, FATHOM_PAGE_THP, 1,
		      "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled");
	machine.thp_page_bytes = 0;
	assert_unable(&machine, FATHOM_PAGE_THP, 1, LEAVE_OUT);
}

static void assert_refused(const struct fathom_machine *machine, enum fathom_page page,
			   const char *text, const char *hint)
{
	struct fathom_error error = {0};
	assert_int_equal(pages_check(machine, page, 1, &error), -1);
	assert_string_equal(error.text, text);
	fathom_error_clear(&error);
	assert_unable(machine, page, 1, hint);
	assert_int_equal(pages_most_bytes(machine, page), 0);
}

static void assert_granted(const struct fathom_machine *machine, enum fathom_page page)
{
	assert_int_equal(pages_check(machine, page, 1, NULL), 0);
	assert_int_equal(pages_most_bytes(machine, page), machine->limit_bytes);
}

#define THP "/sys/kernel/mm/transparent_hugepage"

/* A size has a state of its own, or that of all. */
static void test_multi_size(void **state)
{
	(void)state;
	static char inherit_state[] = "inherit";
	struct fathom_thp_size sizes[] = {{16 << 10, never_state},
					  {64 << 10, madvise_state},
					  {1 << 20, inherit_state},
					  {2 << 20, inherit_state}};
	struct fathom_machine machine = made_up();
	machine.limit_bytes = GIB;
	assert_refused(&machine, FATHOM_PAGE_64K, "this kernel has no multi-size THP of 64 KiB",
		       LEAVE_OUT);
	machine.thp_sizes = sizes;
	machine.thp_size_count = 4;
	assert_int_equal(pages_bytes(&machine, FATHOM_PAGE_16K), 16 << 10);
	assert_int_equal(pages_bytes(&machine, FATHOM_PAGE_1M), MIB);
	assert_granted(&machine, FATHOM_PAGE_64K);
	assert_granted(&machine, FATHOM_PAGE_1M);
	assert_granted(&machine, FATHOM_PAGE_THP);
	assert_refused(&machine, FATHOM_PAGE_16K, "multi-size THP of 16 KiB is off",
		       "echo madvise | sudo tee " THP "/hugepages-16kB/enabled");
	assert_refused(&machine, FATHOM_PAGE_32K, "this kernel has no multi-size THP of 32 KiB",
		       LEAVE_OUT);
	machine.thp_state = never_state;
	assert_granted(&machine, FATHOM_PAGE_64K);
	assert_refused(&machine, FATHOM_PAGE_1M, "multi-size THP of 1 MiB is off",
		       "echo madvise | sudo tee " THP "/hugepages-1024kB/enabled");
	assert_refused(&machine, FATHOM_PAGE_THP, "transparent huge pages are off on this machine",
		       "echo madvise | sudo tee " THP "/enabled");
	sizes[3].state = madvise_state;
	assert_granted(&machine, FATHOM_PAGE_THP);
	machine.thp_state = madvise_state;
	sizes[3].state = never_state;
	assert_refused(&machine, FATHOM_PAGE_THP, "transparent huge pages are off on this machine",
		       "echo madvise | sudo tee " THP "/hugepages-2048kB/enabled");
}

/* Base pages may be as large, or THP as small, as a size that is listed. */
static void test_multi_size_is_between_the_others(void **state)
{
	(void)state;
	struct fathom_thp_size sizes[] = {{64 << 10, madvise_state}, {1 << 20, madvise_state}};
	struct fathom_machine machine = made_up();
	machine.thp_sizes = sizes;
	machine.thp_size_count = 2;
	machine.base_page_bytes = 64 << 10;
	assert_false(pages_has_size(&machine, 64 << 10));
	assert_true(pages_has_size(&machine, 1 << 20));
	machine.thp_page_bytes = 1 << 20;
	assert_false(pages_has_size(&machine, 1 << 20));
	assert_unable(&machine, FATHOM_PAGE_64K, 1, "--page 4K asks for this machine's base pages");
	assert_unable(&machine, FATHOM_PAGE_1M, 1, LEAVE_OUT);
}

static void test_most(void **state)
{
	(void)state;
	struct fathom_machine machine = made_up();
	machine.limit_bytes = GIB / 2;
	assert_int_equal(pages_most_bytes(&machine, FATHOM_PAGE_4K), GIB / 2);
	assert_int_equal(pages_most_bytes(&machine, FATHOM_PAGE_THP), GIB / 2);
	assert_int_equal(pages_most_bytes(&machine, FATHOM_PAGE_2M), 8 * MIB); /* what is free */
	assert_int_equal(pages_most_bytes(&machine, FATHOM_PAGE_1G), 0);
	machine.thp_state = never_state;
	assert_int_equal(pages_most_bytes(&machine, FATHOM_PAGE_THP), 0);
}

/* ---- what the kernel counts ---- */

static void test_count(void **state)
{
	(void)state;
	uint64_t pages = 7;
	const char *root = MACHINES "/arm-hybrid";
	assert_true(pages_count(root, 64 << 10, &pages));
	assert_int_equal(pages, 4096);
	assert_false(pages_count(root, 128 << 10, &pages)); /* before 6.10 */
	assert_false(pages_count(root, 1 << 20, &pages));
	assert_false(pages_count(NULL, 64 << 10, &pages));
	assert_int_equal(pages, 4096);
}

static void assert_of_count(uint64_t pages, uint64_t page_bytes, double share)
{
	struct pages_obtained obtained = pages_of_count(pages, 64 << 10, MIB);
	assert_int_equal(obtained.page_bytes, page_bytes);
	assert_float_equal(obtained.share, share, 1e-12);
}

static void test_share_of_count(void **state)
{
	(void)state;
	uint64_t base_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	assert_of_count(16, 64 << 10, 1);
	assert_of_count(12, 64 << 10, 0.75);
	assert_of_count(8, 64 << 10, 0.5);
	assert_of_count(7, base_bytes, 9 / 16.0);
	assert_of_count(0, base_bytes, 1);
	assert_of_count(100, 64 << 10, 1); /* somebody else's too */
}

/* ---- what smaps says ---- */

static struct smaps_range parse(const char *text, uint64_t start, uint64_t end)
{
	char path[] = "/tmp/fathom-smaps-XXXXXX";
	int file = mkstemp(path);
	struct smaps_range range = {0};
	assert_true(file >= 0);
	assert_int_equal(write(file, text, strlen(text)), strlen(text));
	assert_int_equal(smaps_read(path, start, end, &range, NULL), 0);
	close(file);
	unlink(path);
	return range;
}

static const char smaps[] =
	"7f0000000000-7f0000800000 rw-p 00000000 00:00 0 \n"
	"Size:               8192 kB\n"
	"KernelPageSize:        4 kB\n"
	"Rss:                8192 kB\n"
	"AnonHugePages:      6144 kB\n"
	"Private_Hugetlb:       0 kB\n"
	"VmFlags: rd wr mr mw me ac hg\n"
	"7f0000800000-7f0000c00000 rw-p 00000000 00:0f 17   /anon_hugepage (deleted)\n"
	"KernelPageSize:     2048 kB\n"
	"Rss:                   0 kB\n"
	"AnonHugePages:         0 kB\n"
	"Private_Hugetlb:    4096 kB\n"
	"7f0000c00000-7f0000d00000 rw-p 00000000 00:00 0    [heap]\n"
	"KernelPageSize:        4 kB\n"
	"Rss:                1024 kB\n"
	"AnonHugePages:         0 kB\n";

static void test_smaps(void **state)
{
	(void)state;
	uint64_t start = 0x7f0000000000;
	struct smaps_range all = parse(smaps, start, start + 13 * MIB);
	assert_int_equal(all.mapped_bytes, 13 * MIB);
	assert_int_equal(all.thp_bytes, 6 * MIB);
	assert_int_equal(all.hugetlb_bytes, 4 * MIB);
	assert_int_equal(all.hugetlb_page_bytes, 2 * MIB);
	struct smaps_range part = parse(smaps, start + 4 * MIB, start + 9 * MIB);
	assert_int_equal(part.mapped_bytes, 5 * MIB);
	assert_int_equal(part.thp_bytes, 3 * MIB);
	assert_int_equal(part.hugetlb_bytes, MIB);
	struct smaps_range heap = parse(smaps, start + 12 * MIB, start + 13 * MIB);
	assert_int_equal(heap.mapped_bytes, MIB);
	assert_int_equal(heap.thp_bytes + heap.hugetlb_bytes, 0);
	struct smaps_range outside = parse(smaps, 4096, 8192);
	assert_int_equal(outside.mapped_bytes, 0);
}

static void test_smaps_garbage(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"",
		"\n",
		"Rss: 10 kB\nAnonHugePages: 99999999999999999999 kB\n",
		"1-\n-\n",
		"0-ffffffffffffffff rw-p\nRss: 0 kB\nAnonHugePages: 18014398509481983 kB\n",
		"ffff-0 rw-p\nPrivate_Hugetlb: 4 kB\n",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct smaps_range range = parse(texts[i], 4096, 8192);
		assert_int_equal(range.thp_bytes + range.hugetlb_bytes, 0);
	}
	struct smaps_range range = {.mapped_bytes = 7};
	struct fathom_error error = {0};
	assert_int_equal(smaps_read("/no/such/file", 0, 1, &range, &error), -1);
	assert_int_equal(error.status, FATHOM_FAILED);
	assert_int_equal(range.mapped_bytes, 7);
	fathom_error_clear(&error);
}

/* ---- what was got ---- */

struct mapping {
	unsigned char *all, *memory;
	size_t all_bytes, bytes;
};

static struct mapping map(uint64_t align, size_t bytes, int advice)
{
	struct mapping mapping = {.all_bytes = bytes + align, .bytes = bytes};
	mapping.all = mmap(NULL, mapping.all_bytes, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(mapping.all != MAP_FAILED);
	uintptr_t start = ((uintptr_t)mapping.all + align - 1) / align * align;
	mapping.memory = (unsigned char *)start;
	madvise(mapping.memory, bytes, advice);
	memset(mapping.memory, 1, bytes);
	return mapping;
}

static void test_small_pages(void **state)
{
	(void)state;
	uint64_t page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	struct mapping mapping = map(page_bytes, 8 * MIB, MADV_NOHUGEPAGE);
	struct pages_obtained obtained;
	assert_int_equal(pages_read_back(mapping.memory, mapping.bytes, 0, &obtained, NULL), 0);
	assert_int_equal(obtained.page_bytes, page_bytes);
	assert_float_equal(obtained.share, 1, 0);
	/* Not on the bounds of pages. */
	assert_int_equal(pages_read_back(mapping.memory + 100, 1000, 0, &obtained, NULL), 0);
	assert_int_equal(obtained.page_bytes, page_bytes);
	assert_float_equal(obtained.share, 1, 0);
	munmap(mapping.all, mapping.all_bytes);
}

static void advise_again(const struct mapping *mapping, size_t from, size_t bytes)
{
	madvise(mapping->memory + from, bytes, MADV_DONTNEED);
	madvise(mapping->memory + from, bytes, MADV_HUGEPAGE);
	memset(mapping->memory + from, 1, bytes);
}

/* Nine times the room of a huge page: three huge ones, two times such a room in small ones, a huge
 * one, three times small. */
static void test_mixed_pages(void **state)
{
	(void)state;
	struct fathom_machine *machine = this_machine();
	uint64_t huge = machine->thp_page_bytes;
	fathom_machine_free(machine);
	if (!huge || huge > 64 * MIB)
		skip();
	struct mapping mapping = map(huge, 9 * huge, MADV_NOHUGEPAGE);
	struct smaps_range range;
	struct pages_obtained whole;
	struct pages_obtained part;
	advise_again(&mapping, 0, 3 * huge);
	advise_again(&mapping, 5 * huge, huge);
	uintptr_t start = (uintptr_t)mapping.memory;
	assert_int_equal(smaps_read("/proc/self/smaps", start, start + 9 * huge, &range, NULL), 0);
	assert_int_equal(pages_read_back(mapping.memory, 9 * huge, 0, &whole, NULL), 0);
	assert_int_equal(pages_read_back(mapping.memory + huge / 2, 2 * huge, 0, &part, NULL), 0);
	assert_int_equal(whole.page_bytes, sysconf(_SC_PAGESIZE));
	assert_float_equal(whole.share, 1 - (double)range.thp_bytes / (double)(9 * huge), 1e-9);
	if (range.thp_bytes == 4 * huge) {
		assert_int_equal(part.page_bytes, huge);
		assert_float_equal(part.share, 1, 0);
	} else {
		print_message("not all huge pages were to be had\n");
	}
	munmap(mapping.all, mapping.all_bytes);
}

static void assert_same(const struct pages_obtained *a, const struct pages_obtained *b)
{
	assert_int_equal(a->page_bytes, b->page_bytes);
	assert_float_equal(a->share, b->share, 1e-9);
}

/* The call fails with `number` from now on. false: that cannot be done here. */
static bool forbid(unsigned call, unsigned number)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | number),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {.len = sizeof(code) / sizeof(*code), .filter = code};
	return !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) &&
	       !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Every ioctl fails, as PAGEMAP_SCAN does before 6.7. */
static bool forbid_ioctl(void)
{
	return forbid(SYS_ioctl, ENOTTY);
}

/* The same range by smaps alone, in a child that cannot scan. */
static bool read_back_without_scan(const struct mapping *mapping, struct pages_obtained *obtained)
{
	struct pages_obtained *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
					     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	assert_true(shared != MAP_FAILED);
	pid_t child = fork();
	assert_true(child >= 0);
	if (!child) {
		if (!forbid_ioctl())
			_exit(77);
		_exit(pages_read_back(mapping->memory, mapping->bytes, 0, shared, NULL) ? 1 : 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	*obtained = *shared;
	munmap(shared, sizeof(*shared));
	assert_true(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77);
	return WEXITSTATUS(status) == 0;
}

static void test_both_ways_agree(void **state)
{
	(void)state;
	struct fathom_machine *machine = this_machine();
	uint64_t huge = machine->thp_page_bytes;
	fathom_machine_free(machine);
	if (!huge || huge > 64 * MIB)
		skip();
	const int advices[] = {MADV_HUGEPAGE, MADV_NOHUGEPAGE};
	for (int i = 0; i < 2; i++) {
		struct mapping mapping = map(huge, 4 * huge, advices[i]);
		struct pages_obtained scanned;
		struct pages_obtained listed;
		assert_int_equal(pages_read_back(mapping.memory, mapping.bytes, 0, &scanned, NULL),
				 0);
		if (read_back_without_scan(&mapping, &listed))
			assert_same(&scanned, &listed);
		else
			print_message("no seccomp: the older way was not compared\n");
		if (scanned.page_bytes == huge)
			print_message("huge pages: share %g\n", scanned.share);
		munmap(mapping.all, mapping.all_bytes);
	}
}

static int read_back_without_files(const struct mapping *mapping, int why,
				   struct pages_obtained *obtained, struct fathom_error *error)
{
	if (!forbid(SYS_openat, why))
		_exit(77);
	return pages_read_back(mapping->memory, mapping->bytes, 0, obtained, error);
}

/* Neither way is open: nothing that looks like an answer. */
static int stays_unknown(const struct mapping *mapping)
{
	struct pages_obtained obtained = {7, 7};
	struct fathom_error error = {0};
	int status = read_back_without_files(mapping, EACCES, &obtained, &error);
	return status || error.text || obtained.page_bytes || !isnan(obtained.share);
}

/* What can be mended is an error with its remedy. */
static int wants_files(const struct mapping *mapping)
{
	struct pages_obtained obtained = {7, 7};
	struct fathom_error error = {0};
	int status = read_back_without_files(mapping, EMFILE, &obtained, &error);
	bool named = error.text && strstr(error.text, "/proc/self/smaps") && error.hint &&
		     strstr(error.hint, "ulimit -n");
	return status != -1 || error.status != FATHOM_UNABLE || !named || obtained.page_bytes != 7;
}

static void test_unreadable(void **state)
{
	(void)state;
	static int (*const cases[])(const struct mapping *) = {stays_unknown, wants_files};
	struct mapping mapping = map((uint64_t)sysconf(_SC_PAGESIZE), MIB, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int status;
		pid_t child = fork();
		assert_true(child >= 0);
		if (!child)
			_exit(cases[i](&mapping));
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFEXITED(status));
		if (WEXITSTATUS(status) == 77)
			print_message("no seccomp: unreadable files were not tried\n");
		else
			assert_int_equal(WEXITSTATUS(status), 0);
	}
	munmap(mapping.all, mapping.all_bytes);
}

static void test_hugetlb(void **state)
{
	(void)state;
	struct fathom_machine *machine = this_machine();
	bool possible = !pages_check(machine, FATHOM_PAGE_2M, 4 * MIB, NULL);
	fathom_machine_free(machine);
	if (!possible) {
		print_message("the pool of 2 MiB pages is empty\n");
		skip();
	}
	struct mapping mapping = {.bytes = 4 * MIB};
	mapping.memory = mmap(NULL, mapping.bytes, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | 21 << 26, -1, 0);
	assert_true(mapping.memory != MAP_FAILED);
	memset(mapping.memory, 1, mapping.bytes);
	struct pages_obtained obtained;
	assert_int_equal(pages_read_back(mapping.memory, mapping.bytes, 2 * MIB, &obtained, NULL),
			 0);
	assert_int_equal(obtained.page_bytes, 2 * MIB);
	assert_float_equal(obtained.share, 1, 0);
	munmap(mapping.memory, mapping.bytes);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_sizes),
	cmocka_unit_test(test_check),
	cmocka_unit_test(test_multi_size),
	cmocka_unit_test(test_multi_size_is_between_the_others),
	cmocka_unit_test(test_count),
	cmocka_unit_test(test_share_of_count),
	cmocka_unit_test(test_smaps),
	cmocka_unit_test(test_smaps_garbage),
	cmocka_unit_test(test_small_pages),
	cmocka_unit_test(test_mixed_pages),
	cmocka_unit_test(test_both_ways_agree),
	cmocka_unit_test(test_hugetlb),
	cmocka_unit_test(test_most),
	cmocka_unit_test(test_unreadable),
};
UNIT_GROUP();
