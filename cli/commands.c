#include "commands.h"

#include <string.h>

const struct command *const command_list[] = {
	&survey_command,       &latency_command,   &patterns_command, &parallelism_command,
	&bandwidth_command,    &pages_command,     &cores_command,    &loaded_command,
	&distribution_command, &frequency_command, &predict_command,  &fit_command,
	&explain_command,      &compare_command,   &check_command,    &fleet_command,
	&report_command,       &info_command,      &run_command,      NULL,
};

const struct command *command_find(const char *name)
{
	for (const struct command *const *command = command_list; *command; command++)
		if (strcmp((*command)->name, name) == 0)
			return *command;
	return NULL;
}
