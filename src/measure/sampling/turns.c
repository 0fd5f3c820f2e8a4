#include "measure/sampling/turns.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

struct turns {
	pthread_mutex_t mutex;
	pthread_cond_t passed;
	struct turn *items;
	size_t count, whose;
	double spent_s; /* by all of them, each on its own clock */
	void (*work)(void *own, struct turn *turn);
};

struct turn {
	struct turns *all;
	size_t number;
	void *own;
	pthread_t thread;
	bool runs, ended;
	double woken_s; /* of its meter's time */
};

/* The mutex is held. */
static void give(struct turns *turns)
{
	for (size_t i = 0; i < turns->count; i++) {
		turns->whose = (turns->whose + 1) % turns->count;
		if (!turns->items[turns->whose].ended)
			break;
	}
	pthread_cond_broadcast(&turns->passed);
}

static void await(struct turn *turn)
{
	while (turn->all->whose != turn->number)
		pthread_cond_wait(&turn->all->passed, &turn->all->mutex);
}

static void *take_part(void *context)
{
	struct turn *turn = context;
	struct turns *turns = turn->all;
	pthread_mutex_lock(&turns->mutex);
	await(turn);
	pthread_mutex_unlock(&turns->mutex);
	turns->work(turn->own, turn);
	pthread_mutex_lock(&turns->mutex);
	turn->ended = true;
	give(turns);
	pthread_mutex_unlock(&turns->mutex);
	return NULL;
}

void turns_begin(struct turn *turn, struct meter *meter)
{
	meter->turn = turn;
	meter->ops->rest(meter);
	meter->ops->wake(meter, turn->all->spent_s);
	turn->woken_s = meter->ops->elapsed_s(meter);
}

void turns_pass(struct turn *turn, struct meter *meter)
{
	struct turns *turns = turn->all;
	double now_s = meter->ops->elapsed_s(meter);
	meter->ops->rest(meter);
	pthread_mutex_lock(&turns->mutex);
	turns->spent_s += now_s - turn->woken_s;
	double before_s = turns->spent_s;
	give(turns);
	await(turn);
	double others_s = turns->spent_s - before_s;
	pthread_mutex_unlock(&turns->mutex);
	meter->ops->wake(meter, others_s);
	turn->woken_s = now_s;
}

/* Signals are the calling thread's. */
static int start(struct turns *turns, void *const *own, struct fathom_error *error)
{
	sigset_t every, before;
	int code = 0;
	sigfillset(&every);
	pthread_sigmask(SIG_SETMASK, &every, &before);
	pthread_mutex_lock(&turns->mutex);
	for (size_t i = 0; i < turns->count; i++) {
		struct turn *turn = &turns->items[i];
		*turn = (struct turn){.all = turns, .number = i, .own = own[i]};
		if (!code)
			code = pthread_create(&turn->thread, NULL, take_part, turn);
		turn->runs = code == 0;
		turn->ended = code != 0;
	}
	pthread_mutex_unlock(&turns->mutex);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return code ? error_set(error, FATHOM_FAILED, NULL, "cannot start a thread: %s",
				strerror(code))
		    : 0;
}

int turns_run(size_t count, void (*work)(void *own, struct turn *turn), void *const *own,
	      struct fathom_error *error)
{
	struct turns turns = {.mutex = PTHREAD_MUTEX_INITIALIZER,
			      .passed = PTHREAD_COND_INITIALIZER,
			      .items = calloc(count, sizeof(*turns.items)),
			      .count = count,
			      .work = work};
	if (!turns.items)
		return error_no_memory(error);
	int status = start(&turns, own, error);
	for (size_t i = 0; i < count; i++)
		if (turns.items[i].runs)
			pthread_join(turns.items[i].thread, NULL);
	pthread_cond_destroy(&turns.passed);
	pthread_mutex_destroy(&turns.mutex);
	free(turns.items);
	return status;
}
