#include "machine/counters/counter_access.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "machine/counters/counters.h"
#include "machine/private.h"
#include "machine/tree.h"

#define DEVICES "/sys/bus/event_source/devices"
/* Up to here everybody may count the own user space (Documentation/admin-guide/sysctl/kernel.rst);
 * what is above was added by distributions. */
#define OPEN_PARANOIA 2
/* "Seccomp:" of /proc/self/status. */
#define SECCOMP_FILTER 2

/* ---- what the OS lists ---- */

/* Counters of cores are named "cpu", or list the CPUs that they are for; those of anything else
 * have a mask of CPUs to ask. */
static bool is_listed(const char *root)
{
	DIR *directory = tree_open_directory(root, DEVICES);
	bool has = false;
	for (struct dirent *entry; !has && directory && (entry = readdir(directory));)
		has = strcmp(entry->d_name, "cpu") == 0 ||
		      tree_has(root, DEVICES "/%s/cpus", entry->d_name);
	if (directory)
		closedir(directory);
	return has;
}

uint32_t counter_access_kind(const char *root, int cpu)
{
	DIR *directory = tree_open_directory(root, DEVICES);
	uint64_t own = 0;
	unsigned kinds = 0;
	for (struct dirent *entry; directory && (entry = readdir(directory));) {
		char *cpus = tree_read_line(root, DEVICES "/%s/cpus", entry->d_name);
		kinds += cpus != NULL;
		if (cpus && topology_lists(cpus, cpu))
			tree_read_number(&own, root, DEVICES "/%s/type", entry->d_name);
		free(cpus);
	}
	if (directory)
		closedir(directory);
	return kinds > 1 && own <= UINT32_MAX ? (uint32_t)own : 0;
}

/* ---- why not ---- */

static struct counter_refusal refusal(enum fathom_count_state state, const char *reason,
				      const char *hint)
{
	return (struct counter_refusal){state, strdup(reason), hint ? strdup(hint) : NULL};
}

static bool is_filtered(const char *root)
{
	char *status = tree_read(root, "/proc/self/status");
	uint64_t seccomp = 0;
	bool filtered = tree_field(status, "Seccomp", &seccomp) && seccomp == SECCOMP_FILTER;
	free(status);
	return filtered;
}

static struct counter_refusal by_sandbox(void)
{
	return refusal(FATHOM_NOT_PERMITTED,
		       "the system call filter of a container or sandbox refuses perf_event_open",
		       "docker run --security-opt seccomp=unconfined, or run fathom on the host "
		       "itself");
}

static struct counter_refusal by_paranoia(uint64_t level)
{
	char *reason = text_format(
		"kernel.perf_event_paranoid is %llu: above %d only root may use counters",
		(unsigned long long)level, OPEN_PARANOIA);
	return (struct counter_refusal){
		FATHOM_NOT_PERMITTED, reason,
		text_format("sudo sysctl kernel.perf_event_paranoid=%d", OPEN_PARANOIA)};
}

/* The kernel's own refusals are EACCES; a filter may choose, and EPERM is the custom. */
static struct counter_refusal not_permitted(const char *root, int code)
{
	uint64_t level = 0;
	bool paranoid = tree_read_number(&level, root, "/proc/sys/kernel/perf_event_paranoid") &&
			level > OPEN_PARANOIA;
	bool filtered = is_filtered(root);
	if (paranoid && (code == EACCES || !filtered))
		return by_paranoia(level);
	if (filtered)
		return by_sandbox();
	return refusal(FATHOM_NOT_PERMITTED,
		       "a security policy of this system refuses perf_event_open",
		       "find the policy: sudo journalctl -k | grep -iE 'denied|lockdown'");
}

struct counter_refusal counter_access_explain(const char *root, int code)
{
	switch (code) {
	case 0:
		return (struct counter_refusal){FATHOM_COUNTED, NULL, NULL};
	case EACCES:
	case EPERM:
		return not_permitted(root, code);
	case ENOSYS:
		/* The file is there where the kernel has the call (man 2 perf_event_open). */
		if (tree_has(root, "/proc/sys/kernel/perf_event_paranoid"))
			return by_sandbox();
		return refusal(FATHOM_NOT_SUPPORTED,
			       "this kernel was built without performance events", NULL);
	case EBUSY:
		return refusal(FATHOM_NOT_COUNTED,
			       "another program has exclusive use of the counters",
			       "find the program: pgrep -a perf");
	default:
		return refusal(FATHOM_NOT_SUPPORTED,
			       is_listed(root) ? "the counters of this CPU do not have this event"
					       : "there are no hardware counters here",
			       NULL);
	}
}

void counter_refusal_free(struct counter_refusal *refusal)
{
	free(refusal->reason);
	free(refusal->hint);
	*refusal = (struct counter_refusal){FATHOM_COUNTED, NULL, NULL};
}

/* ---- the machine ---- */

static bool is_permission(int code)
{
	return code == EACCES || code == EPERM || code == ENOSYS;
}

/* What opening an event would say on a recorded machine. */
static int guess_code(const char *root, bool listed)
{
	uint64_t level;
	if (!listed)
		return ENOENT;
	return tree_read_number(&level, root, "/proc/sys/kernel/perf_event_paranoid") &&
			       level > OPEN_PARANOIA
		       ? EACCES
		       : 0;
}

void counter_access_find(const char *root, struct fathom_machine *machine)
{
	bool listed = is_listed(root);
	int code = machine_is_live(root) ? counters_probe() : guess_code(root, listed);
	if (!tree_has(root, "/sys/bus") && code == ENOENT)
		return; /* nothing was recorded */
	/* A permission helps only where there is something to permit. */
	if (is_permission(code) && !listed && tree_has(root, DEVICES))
		code = ENOENT;
	struct counter_refusal found = counter_access_explain(root, code);
	machine->has_pmu = code == 0 || found.state == FATHOM_NOT_PERMITTED;
	machine->counters_missing = found.reason ? strdup(found.reason) : NULL;
	machine->handle->counters = found;
}
