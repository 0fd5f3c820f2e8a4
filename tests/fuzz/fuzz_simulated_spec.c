/* libFuzzer target: no text may upset the parser of simulated machines. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "simulate/simulated_machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char prefix[] = "sim:";
	const size_t prefix_length = sizeof(prefix) - 1;
	struct fathom_machine *machine = NULL;
	struct fathom_error error = {0};
	char *text = malloc(prefix_length + size + 1);
	if (!text)
		return 0;
	memcpy(text, prefix, prefix_length);
	if (size)
		memcpy(text + prefix_length, data, size);
	text[prefix_length + size] = 0;
	int status = meter_simulated_machine(text, &machine, &error);
	if (status ? error.status != FATHOM_BAD_INPUT || !error.text || !error.hint : !machine)
		abort();
	fathom_machine_free(machine);
	fathom_error_clear(&error);
	free(text);
	return 0;
}
