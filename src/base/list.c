#include "base/list.h"

#include <stdlib.h>
#include <string.h>

int list_append(void *items, size_t *count, const void *item, size_t item_bytes)
{
	char *list;
	memcpy(&list, items, sizeof(list));
	char *grown = realloc(list, (*count + 1) * item_bytes);
	if (!grown)
		return -1;
	memcpy(grown + *count * item_bytes, item, item_bytes);
	memcpy(items, &grown, sizeof(grown));
	++*count;
	return 0;
}
