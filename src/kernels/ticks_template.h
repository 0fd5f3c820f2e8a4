/* The walks of ticks.h, for the ISA that has defined these before:
 * ticks_before() and ticks_after(), the counter ordered as ticks.h says; ticks_follow(cursor,
 * hops), that many dependent loads; ticks_flush(line), which is over before ticks_before() reads.
 */
#pragma once

uint64_t ticks_walk(uint64_t cursor, uint64_t hops, struct ticks_run *runs, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		uint64_t start = ticks_before();
		cursor = ticks_follow(cursor, hops);
		runs[i] = (struct ticks_run){start, ticks_after(cursor) - start};
	}
	return cursor;
}

uint64_t ticks_walk_flushed(uint64_t cursor, struct ticks_run *runs, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		ticks_flush(cursor);
		uint64_t start = ticks_before();
		cursor = ticks_follow(cursor, 1);
		runs[i] = (struct ticks_run){start, ticks_after(cursor) - start};
	}
	return cursor;
}
