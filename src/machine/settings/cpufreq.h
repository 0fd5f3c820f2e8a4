/* The door to the settings of cpufreq (Linux's Documentation/admin-guide/pm/cpufreq.rst,
 * intel_pstate.rst, amd-pstate.rst): boost, and the limits of one CPU's clock. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "fathom.h"

enum cpufreq_setting {
	CPUFREQ_BOOST,   /* turbo, of all CPUs where the driver has one switch for all */
	CPUFREQ_MINIMUM, /* of the clock, kHz */
	CPUFREQ_MAXIMUM,
	CPUFREQ_SETTINGS
};

struct cpufreq {
	char *driver; /* "intel_pstate", "acpi-cpufreq", ...; NULL: there is none */
	char *folder; /* of all CPUs, the root before it: who changes settings has it locked */
	char *paths[CPUFREQ_SETTINGS];    /* the root before them; NULL: there is no such setting */
	char *reasons[CPUFREQ_SETTINGS];  /* why it cannot be set, NULL: it can */
	char *hints[CPUFREQ_SETTINGS];    /* what would help, or NULL */
	bool boost_is_inverted;           /* the file says that there is none: no_turbo */
	uint64_t lowest_khz, highest_khz; /* of the hardware; 0: not known */
};

/* Looks, and changes nothing. `root` as in tree.h. Give back with cpufreq_free, also after an
 * error. Errors: FAILED (memory). */
int cpufreq_find(const char *root, int cpu, struct cpufreq *cpufreq, struct fathom_error *error);
void cpufreq_free(struct cpufreq *cpufreq);
/* Both limits, that is. */
bool cpufreq_can_limit(const struct cpufreq *cpufreq);
bool cpufreq_can_boost(const struct cpufreq *cpufreq);
/* Errors: UNABLE, with the reason why cpufreq_can_limit is false. */
int cpufreq_check_limit(const struct cpufreq *cpufreq, struct fathom_error *error);

/* Settings that are put back by cpufreq_close, or by a child when this process is gone
 * (restorer.h). */
struct cpufreq_session;

/* All settings that can be set are recorded. `cpufreq` must outlive the session. Errors: UNABLE
 * (nothing can be set, with its reason; what is set cannot be read; another process has settings
 * changed), FAILED. */
int cpufreq_open(const struct cpufreq *cpufreq, struct cpufreq_session **session,
		 struct fathom_error *error);
/* Errors of both: UNABLE (cannot be set, was not taken, out of range), FAILED. */
int cpufreq_set_boost(struct cpufreq_session *session, bool on, struct fathom_error *error);
/* Both limits to one value: as fixed as the clock can be. */
int cpufreq_set_khz(struct cpufreq_session *session, uint64_t khz, struct fathom_error *error);
/* Warns of what somebody else has set meanwhile, and is left. Errors: FAILED (not all could be put
 * back). Accepts NULL. */
int cpufreq_close(struct cpufreq_session *session, struct fathom_warnings *warnings,
		  struct fathom_error *error);
