#include "model/fleet/fleet_lists.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "document/table.h"

static int copy_text(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return from && !*to ? -1 : 0;
}

int fleet_remark_add(struct fathom_fleet_remark **remarks, size_t *count, const char *host,
		     const char *file, const char *reason, const char *command)
{
	struct fathom_fleet_remark made = {0};
	int failed = copy_text(&made.host, host) || copy_text(&made.file, file) ||
		     copy_text(&made.reason, reason) || copy_text(&made.command, command) ||
		     LIST_APPEND(remarks, count, &made);
	if (!failed)
		return 0;
	free(made.host);
	free(made.file);
	free(made.reason);
	free(made.command);
	return -1;
}

static int compare_hosts(const void *host, const void *node)
{
	return strcmp(host, ((const struct fathom_fleet_node *)node)->host);
}

const struct fathom_fleet_node *fleet_find_node(const struct fathom_fleet *fleet, const char *host)
{
	return fleet->node_count ? bsearch(host, fleet->nodes, fleet->node_count,
					   sizeof(*fleet->nodes), compare_hosts)
				 : NULL;
}

void fleet_clear(struct fathom_fleet *fleet)
{
	table_clear(&fleet_table, fleet);
	*fleet = (struct fathom_fleet){0};
}
