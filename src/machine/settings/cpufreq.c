#include "machine/settings/cpufreq.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "machine/settings/restorer.h"
#include "machine/tree.h"

#define CPUS "/sys/devices/system/cpu"

struct cpufreq_session {
	const struct cpufreq *cpufreq;
	struct restorer *restorer;
	size_t places[CPUFREQ_SETTINGS]; /* of the settings that can be set, in the restorer */
};

/* ---- what there is ---- */

/* A file of sysfs without a single write bit refuses root too (kernfs: EIO), whatever access()
 * says of root. */
static int refuse_setting(struct cpufreq *cpufreq, enum cpufreq_setting which)
{
	const char *path = cpufreq->paths[which], *reason = NULL, *hint = NULL;
	struct stat about;
	if (stat(path, &about) == 0 && !(about.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH))) {
		reason = "is read-only: the driver does not allow changes";
	} else if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0) {
		return 0;
	} else if (errno == EROFS) {
		reason = "is on a read-only file system";
		hint = "run fathom outside of the container";
	} else {
		reason = "cannot be written by this user";
		hint = "run it as root: sudo fathom frequency";
	}
	cpufreq->reasons[which] = text_format("'%s' %s", path, reason);
	cpufreq->hints[which] = hint ? strdup(hint) : NULL;
	return cpufreq->reasons[which] && (!hint || cpufreq->hints[which]) ? 0 : -1;
}

/* `path` is taken over; NULL: there is no such setting, and `missing` says so. */
static int add_setting(struct cpufreq *cpufreq, enum cpufreq_setting which, char *path,
		       const char *missing)
{
	cpufreq->paths[which] = path;
	if (path)
		return refuse_setting(cpufreq, which);
	cpufreq->reasons[which] = strdup(missing);
	return cpufreq->reasons[which] ? 0 : -1;
}

static char *find_boost(const char *root, int cpu, bool *inverted)
{
	*inverted = tree_has(root, CPUS "/intel_pstate/no_turbo");
	if (*inverted)
		return text_format("%s" CPUS "/intel_pstate/no_turbo", root);
	if (tree_has(root, CPUS "/cpufreq/boost"))
		return text_format("%s" CPUS "/cpufreq/boost", root);
	if (tree_has(root, CPUS "/cpu%d/cpufreq/boost", cpu))
		return text_format("%s" CPUS "/cpu%d/cpufreq/boost", root, cpu);
	return NULL;
}

static char *find_limit(const char *root, int cpu, const char *name)
{
	if (!tree_has(root, CPUS "/cpu%d/cpufreq/%s", cpu, name))
		return NULL;
	return text_format("%s" CPUS "/cpu%d/cpufreq/%s", root, cpu, name);
}

int cpufreq_find(const char *root, int cpu, struct cpufreq *cpufreq, struct fathom_error *error)
{
	*cpufreq = (struct cpufreq){
		.driver = tree_read_line(root, CPUS "/cpu%d/cpufreq/scaling_driver", cpu),
		.folder = text_format("%s" CPUS, root ? root : ""),
	};
	const char *none = cpufreq->driver ? "the driver has no such setting"
					   : "this kernel does not control the CPU clock";
	bool inverted;
	char *boost = root ? find_boost(root, cpu, &inverted) : NULL;
	char *minimum = root ? find_limit(root, cpu, "scaling_min_freq") : NULL;
	char *maximum = root ? find_limit(root, cpu, "scaling_max_freq") : NULL;
	cpufreq->boost_is_inverted = boost && inverted;
	tree_read_number(&cpufreq->lowest_khz, root, CPUS "/cpu%d/cpufreq/cpuinfo_min_freq", cpu);
	tree_read_number(&cpufreq->highest_khz, root, CPUS "/cpu%d/cpufreq/cpuinfo_max_freq", cpu);
	int failed = !cpufreq->folder;
	failed |= add_setting(cpufreq, CPUFREQ_BOOST, boost, none);
	failed |= add_setting(cpufreq, CPUFREQ_MINIMUM, minimum, none);
	failed |= add_setting(cpufreq, CPUFREQ_MAXIMUM, maximum, none);
	return failed ? error_no_memory(error) : 0;
}

void cpufreq_free(struct cpufreq *cpufreq)
{
	for (int i = 0; i < CPUFREQ_SETTINGS; i++) {
		free(cpufreq->paths[i]);
		free(cpufreq->reasons[i]);
		free(cpufreq->hints[i]);
	}
	free(cpufreq->driver);
	free(cpufreq->folder);
	*cpufreq = (struct cpufreq){0};
}

bool cpufreq_can_boost(const struct cpufreq *cpufreq)
{
	return !cpufreq->reasons[CPUFREQ_BOOST];
}

bool cpufreq_can_limit(const struct cpufreq *cpufreq)
{
	return !cpufreq->reasons[CPUFREQ_MINIMUM] && !cpufreq->reasons[CPUFREQ_MAXIMUM];
}

/* ---- what is set ---- */

static int refuse(const struct cpufreq *cpufreq, enum cpufreq_setting which, const char *what,
		  struct fathom_error *error)
{
	return error_set(error, FATHOM_UNABLE, cpufreq->hints[which], "%s cannot be set: %s", what,
			 cpufreq->reasons[which]);
}

int cpufreq_check_limit(const struct cpufreq *cpufreq, struct fathom_error *error)
{
	bool minimum = cpufreq->reasons[CPUFREQ_MINIMUM] != NULL;
	return cpufreq_can_limit(cpufreq)
		       ? 0
		       : refuse(cpufreq, minimum ? CPUFREQ_MINIMUM : CPUFREQ_MAXIMUM, "the clock",
				error);
}

int cpufreq_open(const struct cpufreq *cpufreq, struct cpufreq_session **session,
		 struct fathom_error *error)
{
	const char *paths[CPUFREQ_SETTINGS];
	size_t count = 0;
	if (!cpufreq_can_boost(cpufreq) && !cpufreq_can_limit(cpufreq))
		return cpufreq_check_limit(cpufreq, error);
	struct cpufreq_session *made = calloc(1, sizeof(*made));
	if (!made)
		return error_no_memory(error);
	made->cpufreq = cpufreq;
	for (int i = 0; i < CPUFREQ_SETTINGS; i++)
		if (!cpufreq->reasons[i]) {
			made->places[i] = count;
			paths[count++] = cpufreq->paths[i];
		}
	if (restorer_open(cpufreq->folder, paths, count, &made->restorer, error)) {
		free(made);
		return -1;
	}
	*session = made;
	return 0;
}

int cpufreq_set_boost(struct cpufreq_session *session, bool on, struct fathom_error *error)
{
	const struct cpufreq *cpufreq = session->cpufreq;
	if (!cpufreq_can_boost(cpufreq))
		return refuse(cpufreq, CPUFREQ_BOOST, "boost", error);
	return restorer_write(session->restorer, session->places[CPUFREQ_BOOST],
			      on != cpufreq->boost_is_inverted ? "1" : "0", error);
}

int cpufreq_set_khz(struct cpufreq_session *session, uint64_t khz, struct fathom_error *error)
{
	const struct cpufreq *cpufreq = session->cpufreq;
	uint64_t highest_khz = 0;
	if (cpufreq_check_limit(cpufreq, error))
		return -1;
	if ((cpufreq->lowest_khz && khz < cpufreq->lowest_khz) ||
	    (cpufreq->highest_khz && khz > cpufreq->highest_khz))
		return error_set(error, FATHOM_UNABLE, "choose clocks from this range",
				 "this CPU's clock can be set from %llu to %llu kHz, not to %llu",
				 (unsigned long long)cpufreq->lowest_khz,
				 (unsigned long long)cpufreq->highest_khz, (unsigned long long)khz);
	char *value = text_format("%llu", (unsigned long long)khz);
	if (!value)
		return error_no_memory(error);
	/* The limits may never cross: the kernel refuses that. */
	tree_read_number(&highest_khz, "", "%s", cpufreq->paths[CPUFREQ_MAXIMUM]);
	bool up = khz > highest_khz;
	enum cpufreq_setting first = up ? CPUFREQ_MAXIMUM : CPUFREQ_MINIMUM;
	enum cpufreq_setting second = up ? CPUFREQ_MINIMUM : CPUFREQ_MAXIMUM;
	int status = restorer_write(session->restorer, session->places[first], value, error) ||
		     restorer_write(session->restorer, session->places[second], value, error);
	free(value);
	return status ? -1 : 0;
}

int cpufreq_close(struct cpufreq_session *session, struct fathom_warnings *warnings,
		  struct fathom_error *error)
{
	if (!session)
		return 0;
	int status = restorer_close(session->restorer, warnings, error);
	free(session);
	return status;
}
