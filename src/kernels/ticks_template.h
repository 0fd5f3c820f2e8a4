/* The functions of ticks.h, for the ISA that has defined these before: ticks_read(cursor), the
 * counter, read after all before it and the word `cursor` are there, and before anything behind it
 * begins; ticks_follow(cursor, hops), that many dependent loads; ticks_flush(line), which is over
 * before the counter is read. */
#pragma once

uint64_t ticks_now(void)
{
	return ticks_read(0);
}

uint64_t ticks_walk(uint64_t cursor, uint64_t hops, struct ticks_run *runs, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		uint64_t start = ticks_read(cursor);
		cursor = ticks_follow(cursor, hops);
		runs[i] = (struct ticks_run){start, ticks_read(cursor) - start};
	}
	return cursor;
}

uint64_t ticks_walk_flushed(uint64_t cursor, struct ticks_run *runs, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		ticks_flush(cursor);
		uint64_t start = ticks_read(cursor);
		cursor = ticks_follow(cursor, 1);
		runs[i] = (struct ticks_run){start, ticks_read(cursor) - start};
	}
	return cursor;
}
