/* Whatever the text: a plan that is read can be written, and reads the same again. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fathom.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

static char *write_plan(const struct fathom_plan *plan, size_t *length)
{
	char *text = NULL;
	require(fathom_plan_write(plan, "json", NULL, &text, length, NULL) == 0);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fathom_plan *plan = NULL, *again = NULL;
	struct fathom_error error = {0};
	size_t first_length, second_length;
	if (fathom_plan_read((const char *)data, size, &plan, &error)) {
		require(error.status == FATHOM_BAD_INPUT && error.text && !plan);
		fathom_error_clear(&error);
		return 0;
	}
	char *first = write_plan(plan, &first_length);
	require(fathom_plan_read(first, first_length, &again, NULL) == 0);
	char *second = write_plan(again, &second_length);
	require(first_length == second_length && memcmp(first, second, first_length) == 0);
	free(first);
	free(second);
	fathom_plan_free(plan);
	fathom_plan_free(again);
	return 0;
}
