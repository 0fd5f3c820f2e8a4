/* Whatever the bytes: a fleet takes them as a node or as damaged, and what it says can be written
 * and read again. */
#include <stdint.h>
#include <stdlib.h>

#include "fathom.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

static struct fathom_fleet *make_fleet(const char *bytes, size_t length)
{
	struct fathom_fleet_reader *reader = NULL;
	struct fathom_fleet *fleet = NULL;
	require(fathom_fleet_open(NULL, &reader, NULL) == 0);
	require(fathom_fleet_add(reader, "a.json", NULL, bytes, length, NULL) == 0);
	require(fathom_fleet_make(reader, &fleet, NULL) == 0);
	fathom_fleet_close(reader);
	return fleet;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const formats[] = {"json", "text", "markdown", "prometheus", "html"};
	struct fathom_fleet *fleet = make_fleet((const char *)data, size);
	char *json = NULL, *text = NULL;
	size_t json_length, length;
	require(fathom_fleet_write(fleet, formats[0], NULL, &json, &json_length, NULL) == 0);
	for (size_t i = 1; i < sizeof(formats) / sizeof(*formats); i++) {
		require(fathom_fleet_write(fleet, formats[i], NULL, &text, &length, NULL) == 0);
		free(text);
	}
	struct fathom_fleet *again = make_fleet(json, json_length);
	require(again->node_count == fleet->node_count &&
		again->damaged_count == fleet->damaged_count);
	fathom_fleet_free(again);
	fathom_fleet_free(fleet);
	free(json);
	return 0;
}
