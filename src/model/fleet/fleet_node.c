#include "model/fleet/fleet_node.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/stats.h"
#include "base/text.h"
#include "base/units.h"
#include "model/checks/quality.h"
#include "model/fleet/fleet_numbers.h"

#define MOST_BYTES  0x1p63 /* of a size in words */
#define NOISE_ERROR 1.0    /* of one standard error, as a share: few blocks tell it */

/* ---- numbers ---- */

struct put {
	const struct fathom_result *result;
	struct fathom_fleet_node *node;
};

static void put_number(const struct put *put, enum fleet_number which, double value, double low,
		       double high)
{
	if (!(value > 0) || !isfinite(value))
		return;
	bool known = low > 0 && high >= low && isfinite(high);
	put->node->values[which] = value;
	put->node->errors[which] = known ? log(high / low) / (2 * STATS_NORMAL_95) : NAN;
}

#define PUT(which, of, value, low, high)                                                           \
	put_number(put, (which), (of)->value, (of)->low, (of)->high)

static void put_levels(const struct put *put)
{
	static const struct {
		const char *name;
		enum fleet_number ns, cycles, bytes;
	} rows[] = {
		{"L1", FLEET_L1_NS, FLEET_L1_CYCLES, FLEET_L1_BYTES},
		{"L2", FLEET_L2_NS, FLEET_L2_CYCLES, FLEET_L2_BYTES},
		{"L3", FLEET_L3_NS, FLEET_L3_CYCLES, FLEET_L3_BYTES},
		{"memory", FLEET_MEMORY_NS, FLEET_NUMBERS, FLEET_NUMBERS},
	};
	for (size_t i = put->result->level_count; i-- > 0;) { /* the first of a name stays */
		const struct fathom_level *level = &put->result->levels[i];
		for (size_t k = 0; level->name && k < sizeof(rows) / sizeof(*rows); k++) {
			if (strcmp(level->name, rows[k].name) != 0)
				continue;
			PUT(rows[k].ns, level, latency_ns, latency_low_ns, latency_high_ns);
			if (rows[k].cycles == FLEET_NUMBERS)
				continue;
			PUT(rows[k].cycles, level, latency_cycles, latency_low_cycles,
			    latency_high_cycles);
			PUT(rows[k].bytes, level, size_bytes, size_low_bytes, size_high_bytes);
		}
	}
}

static void put_parallelism(const struct put *put)
{
	for (size_t i = put->result->parallelism_count; i-- > 0;) {
		const struct fathom_parallelism *one = &put->result->parallelism[i];
		if (one->level && strcmp(one->level, "L1") == 0)
			PUT(FLEET_L1_READ, one, all_bytes_per_second, all_low_bytes_per_second,
			    all_high_bytes_per_second);
		if (!one->level || strcmp(one->level, "memory") != 0)
			continue;
		PUT(FLEET_LANE_NS, one, latency_ns, latency_low_ns, latency_high_ns);
		if (one->saturated)
			PUT(FLEET_OVERLAP, one, speedup, speedup_low, speedup_high);
		PUT(FLEET_READ, one, read_bytes_per_second, read_low_bytes_per_second,
		    read_high_bytes_per_second);
		PUT(FLEET_READ_ALL, one, all_bytes_per_second, all_low_bytes_per_second,
		    all_high_bytes_per_second);
	}
}

static void put_translation(const struct put *put)
{
	const struct fathom_result *result = put->result;
	if (result->page_difference_count) {
		const struct fathom_page_difference *last =
			&result->page_differences[result->page_difference_count - 1];
		PUT(FLEET_PAGES_NS, last, ns, low_ns, high_ns);
	}
	if (result->decomposition_count) {
		const struct fathom_decomposition *last =
			&result->decompositions[result->decomposition_count - 1];
		PUT(FLEET_BASE_NS, &last->total, ns, low_ns, high_ns);
		PUT(FLEET_LARGE_NS, &last->parts[FATHOM_PART_MEMORY], ns, low_ns, high_ns);
	}
	for (size_t i = 0; i < 2 && result->translation_count; i++) {
		if (i >= result->translations[0].tlb_count)
			break;
		const struct fathom_tlb *tlb = &result->translations[0].tlbs[i];
		PUT(i ? FLEET_TLB2 : FLEET_TLB1, tlb, entries, entries_low, entries_high);
	}
}

static void put_rest(const struct put *put)
{
	const struct fathom_result *result = put->result;
	put_number(put, FLEET_CLOCK, result->clock_median_hz, NAN, NAN);
	for (size_t i = result->node_count; i-- > 0;) {
		const struct fathom_node_access *one = &result->nodes[i];
		if (one->cpu_node != one->memory_node)
			continue;
		PUT(FLEET_NODE_NS, one, latency_ns, latency_low_ns, latency_high_ns);
		PUT(FLEET_NODE_READ, one, read_bytes_per_second, read_low_bytes_per_second,
		    read_high_bytes_per_second);
	}
	if (result->load_law_count)
		PUT(FLEET_KNEE, &result->load_laws[0], knee_bytes_per_second,
		    knee_low_bytes_per_second, knee_high_bytes_per_second);
	if (result->core_class_count)
		PUT(FLEET_CORE_NEAR, &result->core_classes[0], latency_ns, latency_low_ns,
		    latency_high_ns);
	if (result->core_class_count > 1)
		PUT(FLEET_CORE_FAR, &result->core_classes[result->core_class_count - 1], latency_ns,
		    latency_low_ns, latency_high_ns);
}

static void put_noise(const struct put *put)
{
	double errors[FLEET_NUMBERS];
	size_t count = 0;
	for (int i = 0; i < FLEET_NUMBERS; i++)
		if (put->node->errors[i] > 0)
			errors[count++] = put->node->errors[i];
	put_number(put, FLEET_NOISE, stats_median(errors, count), NAN, NAN);
	put->node->errors[FLEET_NOISE] = count ? NOISE_ERROR / sqrt((double)count) : NAN;
}

/* ---- settings ---- */

static int set_text(struct fathom_fleet_node *node, enum fleet_setting which, const char *value)
{
	node->settings[which] = strdup(value ? value : "");
	return node->settings[which] ? 0 : -1;
}

static int set_count(struct fathom_fleet_node *node, enum fleet_setting which, double count)
{
	char *text = count > 0 ? text_format("%.0f", count) : strdup("");
	node->settings[which] = text;
	return text ? 0 : -1;
}

static int set_size(struct fathom_fleet_node *node, enum fleet_setting which, double bytes)
{
	char text[UNITS_TEXT_BYTES];
	return set_text(node, which,
			bytes > 0 ? units_format_size((uint64_t)fmin(bytes, MOST_BYTES), text)
				  : NULL);
}

static const char *yes_or_no(int known)
{
	return known < 0 ? NULL : known ? "yes" : "no";
}

static int is_splintered(const struct fathom_result *result)
{
	int found = -1;
	for (size_t i = 1; i < result->translation_count; i++)
		if (result->translations[i].splintered >= 0)
			found = found == 1 || result->translations[i].splintered;
	return found;
}

/* Of memory's latency. */
static double find_size(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->level_count; i++)
		if (result->levels[i].kind == FATHOM_LEVEL_MEMORY)
			return result->levels[i].at_bytes;
	return NAN;
}

static int set_settings(struct fathom_fleet_node *node, const struct fathom_result *result)
{
	static const struct fathom_machine none = {.boost = -1};
	const struct fathom_machine *machine = result->machine ? result->machine : &none;
	int large = result->translation_count ? result->translation_count > 1 : -1;
	return set_text(node, FLEET_MICROCODE, machine->microcode) ||
	       set_size(node, FLEET_MEMORY, (double)machine->memory_bytes) ||
	       set_text(node, FLEET_MODULES, machine->memory_modules) ||
	       set_count(node, FLEET_CPUS, machine->online_cpus) ||
	       set_count(node, FLEET_SMT, machine->smt_threads) ||
	       set_count(node, FLEET_NODES, (double)machine->node_count) ||
	       set_text(node, FLEET_THP, machine->thp_state) ||
	       set_text(node, FLEET_LARGE, yes_or_no(large)) ||
	       set_text(node, FLEET_SPLINTERED, yes_or_no(is_splintered(result))) ||
	       set_text(node, FLEET_GOVERNOR, machine->governor) ||
	       set_text(node, FLEET_BOOST,
			machine->boost < 0 ? NULL
			: machine->boost   ? "on"
					   : "off") ||
	       set_text(node, FLEET_KERNEL, machine->kernel) ||
	       set_size(node, FLEET_AT, find_size(result));
}

/* ---- the whole ---- */

/* Of several kinds of CPUs and of a guest, what numbers depend on besides. */
static char *hardware_of(const struct fathom_machine *machine)
{
	struct text text = {0};
	if (!machine)
		return strdup("unknown");
	text_add(&text, "%s", machine->cpu_model ? machine->cpu_model : "unknown CPU");
	if (machine->cpu_signature)
		text_add(&text, ", %s", machine->cpu_signature);
	if (machine->architecture)
		text_add(&text, ", %s", machine->architecture);
	if (machine->hypervisor)
		text_add(&text, ", guest of %s", machine->hypervisor);
	if (machine->base_page_bytes > 4096)
		text_add(&text, ", pages of %llu KiB",
			 (unsigned long long)machine->base_page_bytes / 1024);
	return text_take(&text);
}

/* Conditions first: what was disturbed is no evidence of a slow machine. */
static int find_disturbance(struct fathom_fleet_node *node, const struct fathom_result *result)
{
	const char *reason = NULL;
	size_t known = 0;
	for (int i = 0; i < FLEET_NUMBERS; i++)
		known += isfinite(node->values[i]);
	double cpus = result->machine ? result->machine->online_cpus : 0;
	if (result->quality == FATHOM_QUALITY_DO_NOT_QUOTE)
		reason = result->quality_reason ? result->quality_reason
						: "its numbers may not be quoted";
	else if (result->busy_cpus >= QUALITY_BUSY_SHARE * cpus && cpus > 0)
		reason = "other programs kept CPUs busy";
	else if (result->interrupted)
		reason = "it was interrupted";
	else if (known == 0)
		reason = "it has no number that fleets compare: measure with 'fathom --quick'";
	if (!reason)
		return 0;
	node->state = FATHOM_FLEET_DISTURBED;
	node->reason = strdup(reason);
	return node->reason ? 0 : -1;
}

static int copy_text(char **to, const char *from)
{
	*to = from ? strdup(from) : NULL;
	return from && !*to ? -1 : 0;
}

static int allocate(struct fathom_fleet_node *node)
{
	node->settings = calloc(FLEET_SETTINGS, sizeof(*node->settings));
	node->setting_count = node->settings ? FLEET_SETTINGS : 0;
	node->values = calloc(FLEET_NUMBERS, sizeof(*node->values));
	node->value_count = node->values ? FLEET_NUMBERS : 0;
	node->errors = calloc(FLEET_NUMBERS, sizeof(*node->errors));
	node->error_count = node->errors ? FLEET_NUMBERS : 0;
	for (size_t i = 0; node->values && node->errors && i < FLEET_NUMBERS; i++)
		node->values[i] = node->errors[i] = NAN;
	return node->settings && node->values && node->errors ? 0 : -1;
}

int fleet_node_make(const struct fathom_result *result, const char *host, const char *file,
		    const char *version, struct fathom_fleet_node *node, struct fathom_error *error)
{
	const struct put put = {result, node};
	const struct fathom_machine *machine = result->machine;
	if (!host && machine && !machine->description)
		host = machine->hostname;
	node->hardware = hardware_of(machine);
	if (!node->hardware || allocate(node) || copy_text(&node->host, host ? host : file) ||
	    copy_text(&node->file, file) || copy_text(&node->version, version) ||
	    copy_text(&node->measured_at, result->measured_at) || set_settings(node, result))
		return error_no_memory(error);
	put_levels(&put);
	put_parallelism(&put);
	put_translation(&put);
	put_rest(&put);
	put_noise(&put);
	return find_disturbance(node, result) ? error_no_memory(error) : 0;
}

void fleet_node_clear(struct fathom_fleet_node *node)
{
	for (size_t i = 0; i < node->setting_count; i++)
		free(node->settings[i]);
	free(node->settings);
	free(node->values);
	free(node->errors);
	free(node->host);
	free(node->file);
	free(node->measured_at);
	free(node->version);
	free(node->hardware);
	free(node->reason);
	*node = (struct fathom_fleet_node){0};
}
