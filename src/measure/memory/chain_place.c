#include "measure/memory/chain_place.h"

#define TOUCH_BYTES (256ull << 20) /* between two looks at who wants to stop */

static bool is_stopped(const struct fathom_observer *observer)
{
	return observer && observer->stop && observer->stop(observer->context);
}

int chain_place_open(struct chain_place *place, const struct fathom_machine *machine,
		     struct pinning_place where, const struct fathom_spec *spec,
		     uint64_t line_bytes, uint64_t key, const struct fathom_observer *observer,
		     struct pages_obtained *obtained, struct fathom_error *error)
{
	uint64_t bytes = spec->size_bytes, touched = 0;
	if (buffer_open(&place->buffer, machine, spec->page, bytes, where, error))
		return -1;
	do {
		if (is_stopped(observer))
			return 1;
		touched = bytes - touched > TOUCH_BYTES ? touched + TOUCH_BYTES : bytes;
		if (buffer_populate(&place->buffer, touched, error))
			return -1;
	} while (touched < bytes);
	chain_build(&place->chain, spec, place->buffer.memory, line_bytes, key);
	place->work = chain_work(&place->chain);
	return buffer_read_back(&place->buffer, place->buffer.memory, bytes, obtained, error);
}

bool chain_place_arrived(const struct chain_place *place)
{
	return place->work.cursor == chain_cursor_at(&place->chain, place->position);
}

void chain_place_close(struct chain_place *place)
{
	buffer_close(&place->buffer);
}
