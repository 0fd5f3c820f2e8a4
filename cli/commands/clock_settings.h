/* The clocks that runs are measured at: of this machine through cpufreq, of a simulated one by its
 * description. */
#pragma once

#include "fathom.h"
#include "machine/settings/cpufreq.h"
#include "options.h"

struct clock_setting {
	double hz;  /* limits and simulated machines; NAN: boost */
	bool boost; /* else */
};

/* Start from {0}. */
struct clock_settings {
	struct clock_setting items[OPTIONS_MOST_CLOCKS];
	size_t count;
	struct cpufreq cpufreq;
	struct cpufreq_session *session; /* NULL: simulated, or closed */
};

/* The clocks that were asked for, else boost off and on, else half of the highest clock and that.
 * Of this machine the settings as they are now are recorded, unless nothing is to be measured
 * (--dry-run). Errors: UNABLE (the clock cannot be set, with the reason), BAD_INPUT (the simulated
 * machine), FAILED. clock_settings_close is due also then. */
int clock_settings_open(struct clock_settings *settings, const struct options *options,
			struct fathom_error *error);
/* The machine at that clock. Errors: as cpufreq_set_*, fathom_machine_find. */
int clock_settings_apply(struct clock_settings *settings, size_t which,
			 const struct options *options, struct fathom_machine **machine,
			 struct fathom_error *error);
/* Puts the settings back, but for what somebody else has set, of which it warns. Errors: FAILED. */
int clock_settings_close(struct clock_settings *settings, struct fathom_warnings *warnings,
			 struct fathom_error *error);
