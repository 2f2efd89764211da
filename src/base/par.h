/* Parallel loops: the only use of threads. */
#ifndef TFCHECK_BASE_PAR_H
#define TFCHECK_BASE_PAR_H

#include <stdbool.h>
#include <stdint.h>

/* Runs work(context, item, worker) for every item 0..count-1 on up to `jobs` threads (1: on this one). Items are handed out
 * in order, results must be written to places owned by the item. A panic in a worker is caught there and raised again in
 * the caller after all workers have stopped. Worker threads have an explicit 64 MiB stack, so bounded recursion is safe.
 */
typedef void ParWork(void *context, uint32_t item, uint32_t worker);
void par_for(uint32_t count, uint32_t jobs, ParWork *work, void *context);

/* Runs `work` once in the life of the process, whichever thread comes first; the others wait. `once` starts zeroed. */
typedef struct ParOnce {
  bool done;
} ParOnce;
void par_once(ParOnce *once, void (*work)(void));

/* Processors this process may run on; at least 1. */
uint32_t par_default_jobs(void);

#endif
