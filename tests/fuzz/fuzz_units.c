/* Whatever the text: no parser accepts what its format does not give back. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

static void size_and_back(const char *text)
{
	char written[UNITS_TEXT_BYTES];
	uint64_t bytes, again;
	struct fathom_error error = {0};
	if (units_parse_size(text, &bytes, &error)) {
		require(error.status == FATHOM_USAGE && error.text);
	} else {
		units_format_size_exact(bytes, written);
		require(units_parse_size(written, &again, NULL) == 0 && again == bytes);
		require(strlen(units_format_size(bytes, written)) > 0);
	}
	fathom_error_clear(&error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char written[UNITS_TEXT_BYTES];
	double number;
	int64_t integer;
	char *text = malloc(size + 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = 0;
	size_and_back(text);
	if (units_parse_duration(text, &number, NULL) == 0) {
		require(isfinite(number) && number > 0);
		units_format_number(number, written);
	}
	if (units_parse_share(text, &number, NULL) == 0)
		require(number > 0 && number < 1);
	if (units_parse_integer(text, -5, 99, &integer, NULL) == 0)
		require(integer >= -5 && integer <= 99);
	free(text);
	return 0;
}
