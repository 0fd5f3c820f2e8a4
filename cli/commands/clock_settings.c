#include "clock_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "perform.h"

#define RECORDED_HINT                                                                              \
	"measure at one clock, then at another, and pass both files: fathom frequency RUN_A RUN_B"

static bool is_simulated(const struct options *options)
{
	return options->machine != NULL;
}

static void add_hz(struct clock_settings *settings, double hz)
{
	settings->items[settings->count++] = (struct clock_setting){.hz = hz};
}

static void add_asked(struct clock_settings *settings, const struct options *options)
{
	for (size_t i = 0; i < options->khz_count; i++)
		add_hz(settings, (double)options->khz[i] * 1e3);
}

/* Before anything is measured in vain. */
static int check_asked(const struct options *options, struct fathom_error *error)
{
	bool differ = options->khz_count == 0;
	for (size_t i = 1; i < options->khz_count; i++)
		differ |= options->khz[i] != options->khz[0];
	return differ ? 0
		      : error_set(error, FATHOM_USAGE, "for example --khz 2000000,3500000",
				  "--khz needs two clocks or more");
}

static int open_simulated(struct clock_settings *settings, const struct options *options,
			  struct fathom_error *error)
{
	struct fathom_machine *machine;
	if (perform_find_machine(options, NULL, &machine, error))
		return -1;
	double hz = fathom_machine_clock_hz(machine);
	fathom_machine_free(machine);
	add_asked(settings, options);
	if (settings->count == 0) {
		add_hz(settings, hz / 2);
		add_hz(settings, hz);
	}
	return 0;
}

/* What cannot be set is no end: two runs can be recorded. */
static int add_hint(int status, struct fathom_error *error)
{
	if (!status || error->status != FATHOM_UNABLE)
		return status;
	char *hint = error->hint ? text_format("%s; or " RECORDED_HINT, error->hint)
				 : strdup(RECORDED_HINT);
	error_set(error, FATHOM_UNABLE, hint, "%s", error->text);
	free(hint);
	return status;
}

static int choose_settings(struct clock_settings *settings, const struct options *options,
			   struct fathom_error *error)
{
	const struct cpufreq *cpufreq = &settings->cpufreq;
	add_asked(settings, options);
	if (settings->count && !cpufreq_can_limit(cpufreq))
		return cpufreq_check_limit(cpufreq, error);
	if (settings->count)
		return 0;
	if (cpufreq_can_boost(cpufreq)) {
		settings->items[settings->count++] = (struct clock_setting){NAN, false};
		settings->items[settings->count++] = (struct clock_setting){NAN, true};
		return 0;
	}
	if (cpufreq_check_limit(cpufreq, error))
		return -1;
	if (cpufreq->highest_khz == 0)
		return error_set(error, FATHOM_UNABLE,
				 "name two, for example --khz 2000000,3500000",
				 "the driver does not list its clocks");
	double high = (double)cpufreq->highest_khz, low = (double)cpufreq->lowest_khz;
	add_hz(settings, 1e3 * fmax(low, high / 2));
	add_hz(settings, 1e3 * high);
	return 0;
}

static int open_here(struct clock_settings *settings, const struct options *options,
		     struct fathom_error *error)
{
	struct fathom_machine *machine;
	if (fathom_machine_find(NULL, &machine, error))
		return -1;
	int cpu = options->request.cpu < 0 ? machine->default_cpu : options->request.cpu;
	fathom_machine_free(machine);
	if (cpufreq_find("", cpu, &settings->cpufreq, error) ||
	    choose_settings(settings, options, error))
		return -1;
	return options->dry_run ? 0 : cpufreq_open(&settings->cpufreq, &settings->session, error);
}

int clock_settings_open(struct clock_settings *settings, const struct options *options,
			struct fathom_error *error)
{
	if (check_asked(options, error))
		return -1;
	return is_simulated(options) ? open_simulated(settings, options, error)
				     : add_hint(open_here(settings, options, error), error);
}

/* "sim:clock=3G,l2=off" to "sim:l2=off,clock=2000M". */
static char *description_at(const char *description, double hz)
{
	struct text made = {0};
	const char *from = description + strcspn(description, ":");
	char *copy = strdup(*from ? from + 1 : from), *rest = copy;
	text_add(&made, "sim:");
	for (char *item; copy && (item = strsep(&rest, ","));)
		if (*item && strncmp(item, "clock=", 6) != 0)
			text_add(&made, "%s,", item);
	text_add(&made, "clock=%.9gM", hz * 1e-6);
	made.failed |= !copy;
	free(copy);
	return text_take(&made);
}

static int find_simulated(const struct options *options, double hz, struct fathom_machine **machine,
			  struct fathom_error *error)
{
	char *description = description_at(options->machine, hz);
	int status = description ? fathom_machine_find(description, machine, error)
				 : error_no_memory(error);
	free(description);
	return status;
}

int clock_settings_apply(struct clock_settings *settings, size_t which,
			 const struct options *options, struct fathom_machine **machine,
			 struct fathom_error *error)
{
	const struct clock_setting *setting = &settings->items[which];
	int status = 0;
	if (is_simulated(options))
		return find_simulated(options, setting->hz, machine, error);
	if (settings->session)
		status = isnan(setting->hz)
				 ? cpufreq_set_boost(settings->session, setting->boost, error)
				 : cpufreq_set_khz(settings->session,
						   (uint64_t)llround(setting->hz * 1e-3), error);
	return status ? -1 : fathom_machine_find(NULL, machine, error);
}

int clock_settings_close(struct clock_settings *settings, struct fathom_warnings *warnings,
			 struct fathom_error *error)
{
	int status = cpufreq_close(settings->session, warnings, error);
	settings->session = NULL;
	cpufreq_free(&settings->cpufreq);
	return status;
}
