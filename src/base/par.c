/* A pool of threads for one loop, made and joined by it.
 *
 * Threads take the next item from a counter. The first panic stops the handing out; of several the one with the least item
 * is raised again, so that the report does not depend on scheduling more than it must.
 */
#include "base/par.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/panic.h"

enum { STACK_BYTES = 64 << 20 };

typedef struct Loop {
  ParWork *work;
  void *context;
  uint32_t count;
  atomic_uint next;
  atomic_bool stop;
  pthread_mutex_t lock;  // guards the two below
  Panic first;
  uint32_t first_item;
} Loop;

typedef struct Worker {
  Loop *loop;
  pthread_t thread;
  uint32_t index;
} Worker;

static void loop_record(Loop *loop, uint32_t item, const Panic *panic) {
  pthread_mutex_lock(&loop->lock);
  if (!loop->first.what || item < loop->first_item) {
    loop->first = *panic;
    loop->first_item = item;
  }
  pthread_mutex_unlock(&loop->lock);
  atomic_store(&loop->stop, true);
}

static bool loop_take(Loop *loop, uint32_t *item) {
  if (atomic_load(&loop->stop)) return false;
  // Compared before adding, so that the counter cannot run past the end and wrap.
  unsigned next = atomic_load(&loop->next);
  do {
    if (next >= loop->count) return false;
  } while (!atomic_compare_exchange_weak(&loop->next, &next, next + 1));
  *item = next;
  return true;
}

static void run_item(Loop *loop, uint32_t item, uint32_t worker) {
  Panic panic;
  if (panic_enter(&panic)) {
    loop_record(loop, item, &panic);
    return;
  }
  loop->work(loop->context, item, worker);
  panic_leave(&panic);
}

static void *worker_main(void *argument) {
  Worker *self = argument;
  uint32_t item;
  while (loop_take(self->loop, &item)) run_item(self->loop, item, self->index);
  return NULL;
}

/* Starts up to `jobs` threads; fewer if the system has no more to give. */
static uint32_t start_workers(Loop *loop, Worker *workers, uint32_t jobs) {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes)) return 0;
  uint32_t started = 0;
  if (pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0) {
    for (; started < jobs; started++) {
      workers[started] = (Worker){.loop = loop, .index = started};
      if (pthread_create(&workers[started].thread, &attributes, worker_main, &workers[started])) break;
    }
  }
  pthread_attr_destroy(&attributes);
  return started;
}

static void run_threads(Loop *loop, uint32_t jobs) {
  Worker *workers = calloc(jobs, sizeof *workers);
  if (!workers) panic_raise(__FILE__, __LINE__, "out of memory");
  pthread_mutex_init(&loop->lock, NULL);
  uint32_t started = start_workers(loop, workers, jobs);
  if (!started) worker_main(&(Worker){.loop = loop});
  for (uint32_t i = 0; i < started; i++) pthread_join(workers[i].thread, NULL);
  pthread_mutex_destroy(&loop->lock);
  free(workers);
  if (loop->first.what) panic_raise(loop->first.file, loop->first.line, loop->first.what);
}

void par_for(uint32_t count, uint32_t jobs, ParWork *work, void *context) {
  if (jobs > count) jobs = count;
  if (jobs <= 1) {
    for (uint32_t i = 0; i < count; i++) work(context, i, 0);
    return;
  }
  run_threads(&(Loop){.work = work, .context = context, .count = count}, jobs);
}

uint32_t par_default_jobs(void) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return (uint32_t)CPU_COUNT(&allowed);
  // More processors than the set holds: the number that are switched on is the next best answer.
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (uint32_t)online : 1;
}

void par_once(ParOnce *once, void (*work)(void)) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  if (!once->done) work();
  once->done = true;
  pthread_mutex_unlock(&lock);
}
