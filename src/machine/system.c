#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"
#include "machine/private.h"
#include "machine/tree.h"

#define MOST_CONTROLLERS 16 /* of memory, and modules of each */
#define MOST_MODULES     32

/* ---- names ---- */

static char *first_known(char *first, char *second)
{
	if (!first)
		return second;
	free(second);
	return first;
}

static char *find_cpu_model(const char *root, const char *cpuinfo)
{
	/* The words of x86, of some Arm boards, of POWER and of RISC-V. */
	static const char *const keys[] = {"model name", "cpu model", "Model", "cpu", "uarch"};
	char *model = NULL;
	for (size_t i = 0; !model && i < sizeof(keys) / sizeof(*keys); i++)
		model = tree_field_text(cpuinfo, keys[i]);
	return model ? model : tree_read_line(root, "/proc/device-tree/model");
}

/* Of x86, then of Arm. */
static char *find_cpu_signature(const char *cpuinfo)
{
	static const char *const keys[][2] = {
		{"cpu family", "family"},     {"model", "model"},
		{"stepping", "stepping"},     {"CPU implementer", "implementer"},
		{"CPU variant", "variant"},   {"CPU part", "part"},
		{"CPU revision", "revision"},
	};
	struct text signature = {0};
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		char *value = tree_field_text(cpuinfo, keys[i][0]);
		if (value)
			text_add(&signature, "%s%s %s", signature.length ? ", " : "", keys[i][1],
				 value);
		free(value);
	}
	return signature.length ? text_take(&signature) : NULL;
}

/* What an EDAC driver knows of a module. NULL: there is none. */
static char *find_module(const char *root, unsigned controller, unsigned module)
{
	static const char *const names[] = {"size", "dimm_mem_type"};
	char *values[2], *found = NULL;
	for (size_t i = 0; i < 2; i++)
		values[i] = tree_read_line(root, "/sys/devices/system/edac/mc/mc%u/dimm%u/%s",
					   controller, module, names[i]);
	uint64_t mib = values[0] ? strtoull(values[0], NULL, 10) : 0;
	char size[UNITS_TEXT_BYTES];
	if (mib)
		found = text_format("%s%s%s", units_format_size(mib << 20, size),
				    values[1] ? ", " : "", values[1] ? values[1] : "");
	free(values[0]);
	free(values[1]);
	return found;
}

/* Those that are alike stand together: modules of several kinds are listed kind by kind as they
 * come. */
static char *find_memory_modules(const char *root)
{
	struct text modules = {0};
	char *before = NULL;
	unsigned alike = 0;
	for (unsigned i = 0; i < MOST_CONTROLLERS * MOST_MODULES; i++) {
		char *module = find_module(root, i / MOST_MODULES, i % MOST_MODULES);
		if (!module)
			continue;
		if (before && strcmp(before, module) != 0) {
			text_add(&modules, "%u of %s; ", alike, before);
			alike = 0;
		}
		alike++;
		free(before);
		before = module;
	}
	if (before)
		text_add(&modules, "%u of %s", alike, before);
	free(before);
	return modules.length ? text_take(&modules) : NULL;
}

static void find_names(const char *root, const char *cpuinfo, struct fathom_machine *machine)
{
	char *release = tree_read_line(root, "/proc/sys/kernel/osrelease");
	machine->kernel = release ? text_format("Linux %s", release) : NULL;
	free(release);
	machine->hostname = tree_read_line(root, "/proc/sys/kernel/hostname");
	machine->architecture =
		first_known(machine->architecture, tree_read_line(root, "/proc/sys/kernel/arch"));
	machine->cpu_model = first_known(machine->cpu_model, find_cpu_model(root, cpuinfo));
	machine->cpu_signature = find_cpu_signature(cpuinfo);
	machine->microcode = tree_field_text(cpuinfo, "microcode");
	machine->memory_modules = find_memory_modules(root);
}

/* ---- guest or not ---- */

static bool contains(const char *text, const char *part)
{
	return text && strstr(text, part);
}

/* Firmware that only virtual machines have; `product` where the vendor sells metal as well. */
static const char *firmware_name(const char *vendor, const char *product)
{
	static const struct {
		const char *vendor, *product, *name;
	} known[] = {
		{"QEMU", "", "QEMU"},
		{"KVM", "", "KVM"},
		{"Amazon EC2", "", "Amazon EC2"},
		{"Google", "Google Compute Engine", "Google Compute Engine"},
		{"Microsoft Corporation", "Virtual Machine", "Hyper-V"},
		{"VMware", "", "VMware"},
		{"innotek GmbH", "", "VirtualBox"},
		{"Xen", "", "Xen"},
		{"Parallels", "", "Parallels"},
		{"BHYVE", "", "bhyve"},
		{"OpenStack", "", "OpenStack"},
		{"DigitalOcean", "", "DigitalOcean"},
		{"Apple Inc.", "Apple Virtualization", "Apple Virtualization"},
	};
	if (contains(product, ".metal"))
		return NULL;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (contains(vendor, known[i].vendor) &&
		    (!*known[i].product || contains(product, known[i].product)))
			return known[i].name;
	return NULL;
}

/* The clocks that a kernel offers only under that hypervisor. */
static const char *clock_name(const char *root)
{
	char *clocks = tree_read(
		root, "/sys/devices/system/clocksource/clocksource0/available_clocksource");
	const char *name = NULL;
	if (contains(clocks, "kvm-clock"))
		name = "KVM";
	else if (contains(clocks, "hyperv_clocksource"))
		name = "Hyper-V";
	else if (contains(clocks, "xen"))
		name = "Xen";
	free(clocks);
	return name;
}

static bool has_hypervisor_flag(const char *cpuinfo)
{
	char *flags = tree_field_text(cpuinfo, "flags");
	bool has = false;
	char *rest = flags;
	for (char *flag; !has && (flag = strsep(&rest, " "));)
		has = strcmp(flag, "hypervisor") == 0;
	free(flags);
	return has;
}

static char *find_hypervisor(const char *root, const char *cpuinfo)
{
	char *vendor = tree_read_line(root, "/sys/class/dmi/id/sys_vendor");
	char *product = tree_read_line(root, "/sys/class/dmi/id/product_name");
	char *found = tree_read_line(root, "/sys/hypervisor/type");
	const char *name = clock_name(root);
	if (!found)
		found = tree_read_line(root, "/proc/device-tree/hypervisor/compatible");
	if (!name)
		name = firmware_name(vendor, product);
	if (!name && has_hypervisor_flag(cpuinfo))
		name = "an unknown hypervisor";
	if (!found && name)
		found = strdup(name);
	free(vendor);
	free(product);
	return found;
}

/* ---- container or not ---- */

/* The first PID namespace has a fixed number (PROC_PID_INIT_INO of the kernel). Whoever is in it
 * may still find the mark files of an image that his disk was made from. */
static bool in_first_namespace(const char *root)
{
	char *link = tree_read_link(root, "/proc/self/ns/pid");
	bool first = link && strcmp(link, "pid:[4026531836]") == 0;
	free(link);
	return first;
}

static const char *container_by_cgroup(const char *root)
{
	static const char *const names[] = {"docker", "kubepods", "libpod", "lxc", "containerd"};
	char *groups = tree_read(root, "/proc/self/cgroup");
	const char *name = NULL;
	for (size_t i = 0; !name && i < sizeof(names) / sizeof(*names); i++)
		name = contains(groups, names[i]) ? names[i] : NULL;
	free(groups);
	return name;
}

static char *find_container(const char *root)
{
	char *manager = tree_read_line(root, "/run/systemd/container");
	const char *name = NULL;
	if (manager)
		return manager;
	if (in_first_namespace(root))
		return NULL;
	if (tree_has(root, "/run/.containerenv"))
		name = "podman";
	else if (tree_has(root, "/.dockerenv"))
		name = "docker";
	else
		name = container_by_cgroup(root);
	return name ? strdup(name) : NULL;
}

/* ---- pages ---- */

#define THP "/sys/kernel/mm/transparent_hugepage"

/* "always [madvise] never" */
static char *find_thp_state(const char *root, const char *directory)
{
	char *line = tree_read_line(root, "%s/enabled", directory);
	static const char *const states[] = {"always", "inherit", "madvise", "never"};
	char *found = NULL;
	char *open = line ? strchr(line, '[') : NULL;
	char *end = open ? strchr(open, ']') : NULL;
	if (end)
		*end = 0;
	for (size_t i = 0; end && !found && i < sizeof(states) / sizeof(*states); i++)
		found = strcmp(open + 1, states[i]) == 0 ? strdup(states[i]) : NULL;
	free(line);
	return found;
}

/* "hugepages-2048kB" */
static bool read_page_size(const char *name, uint64_t *page_bytes)
{
	static const char prefix[] = "hugepages-";
	size_t length = strlen(prefix);
	const char *unit = strstr(name, "kB");
	uint64_t kib = 0;
	if (strncmp(name, prefix, length) || !unit || unit[2])
		return false;
	char *number = strndup(name + length, (size_t)(unit - name) - length);
	bool known = number && tree_parse_number(number, &kib) && kib && kib <= UINT64_MAX / 1024;
	free(number);
	*page_bytes = kib * 1024;
	return known;
}

static bool read_pool(const char *root, const char *name, void *item)
{
	struct fathom_page_pool *pool = item;
	uint64_t reserved = 0;
	if (!read_page_size(name, &pool->page_bytes) ||
	    !tree_read_number(&pool->total_pages, root, "/sys/kernel/mm/hugepages/%s/nr_hugepages",
			      name) ||
	    !tree_read_number(&pool->free_pages, root, "/sys/kernel/mm/hugepages/%s/free_hugepages",
			      name))
		return false;
	tree_read_number(&reserved, root, "/sys/kernel/mm/hugepages/%s/resv_hugepages", name);
	pool->free_pages -= reserved < pool->free_pages ? reserved : pool->free_pages;
	return true;
}

static bool read_thp_size(const char *root, const char *name, void *item)
{
	struct fathom_thp_size *size = item;
	char *directory = text_format(THP "/%s", name);
	bool known = directory && read_page_size(name, &size->page_bytes);
	size->state = known ? find_thp_state(root, directory) : NULL;
	free(directory);
	return size->state;
}

/* Items begin with their size. */
static int compare_sizes(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	return a < b ? -1 : a > b;
}

/* An item for each name in the directory that `read` takes, ascending; NULL: none. */
static void *read_sizes(const char *root, const char *path, size_t item_bytes,
			bool (*read)(const char *root, const char *name, void *item), size_t *count)
{
	DIR *directory = tree_open_directory(root, path);
	unsigned char *items = NULL;
	for (struct dirent *entry; directory && (entry = readdir(directory));) {
		unsigned char *grown = realloc(items, (*count + 1) * item_bytes);
		if (!grown)
			break;
		items = grown;
		*count += read(root, entry->d_name, items + *count * item_bytes);
	}
	if (directory)
		closedir(directory);
	if (*count)
		qsort(items, *count, item_bytes, compare_sizes);
	return items;
}

static void find_pages(const char *root, struct fathom_machine *machine)
{
	if (machine_is_live(root))
		machine->base_page_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
	machine->thp_state = find_thp_state(root, THP);
	if (machine->thp_state)
		tree_read_number(&machine->thp_page_bytes, root, THP "/hpage_pmd_size");
	machine->thp_sizes = read_sizes(root, THP, sizeof(*machine->thp_sizes), read_thp_size,
					&machine->thp_size_count);
	machine->pools = read_sizes(root, "/sys/kernel/mm/hugepages", sizeof(*machine->pools),
				    read_pool, &machine->pool_count);
}

/* ---- clock ---- */

static int find_boost(const char *root, int cpu)
{
	uint64_t value;
	if (tree_read_number(&value, root, "/sys/devices/system/cpu/intel_pstate/no_turbo"))
		return value == 0;
	if (tree_read_number(&value, root, "/sys/devices/system/cpu/cpufreq/boost") ||
	    tree_read_number(&value, root, "/sys/devices/system/cpu/cpu%d/cpufreq/boost", cpu))
		return value != 0;
	return -1;
}

void system_find(const char *root, struct fathom_machine *machine)
{
	char *cpuinfo = tree_read(root, "/proc/cpuinfo");
	int cpu = machine->default_cpu;
	find_names(root, cpuinfo, machine);
	machine->hypervisor = find_hypervisor(root, cpuinfo);
	machine->container = find_container(root);
	find_pages(root, machine);
	machine->governor =
		tree_read_line(root, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu);
	machine->clock_driver =
		tree_read_line(root, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_driver", cpu);
	machine->boost = find_boost(root, cpu);
	free(cpuinfo);
}
