/* levin/tasks.h -- components that split a file into tasks, compute each task, and join the results. Plain C, with the
 * conventions of levin/abi.h. `host tasks` runs them: read in one process, handle in many, sum in one. */
#ifndef LEVIN_TASKS_H
#define LEVIN_TASKS_H
#include "levin/abi.h"

#define LEVIN_KIND_TASKS 6u

typedef struct levin_task {
  uint32_t size;
  uint32_t attempt; /* 1 = the first one. 0 in read */
  uint64_t index;   /* place in the order in which read added the tasks, from 0. Ignored in read */
  const void* data;
  uint64_t n_data;  /* bytes; 0 = none, and data may be NULL */
  const char* name; /* for people; NULL = none */
  double weight;    /* expected cost compared with other tasks: heavier ones are started first; 0 = 1 */
  /* What the task needs of a machine; in read alone. It runs where all of it is free. */
  uint32_t cpus;      /* 0 = 1 */
  uint32_t gpus;      /* CUDA_VISIBLE_DEVICES of the process names them */
  uint64_t memory;    /* MiB; 0 = not known */
  const char* labels; /* names with commas between them, such as "a100,fast"; NULL = none */
} levin_task;

typedef struct levin_task_sink { /* receives the tasks of read */
  uint32_t size, reserved;
  void* ctx;
  /* copies the task. On a negative status read returns it at once                              [main] */
  levin_status (*add)(const struct levin_task_sink*, const levin_task*);
} levin_task_sink;

typedef struct levin_bytes_sink { /* receives a result or an output, in any number of pieces */
  uint32_t size, reserved;
  void* ctx;
  /* copies the bytes. On a negative status the caller returns it at once                       [main] */
  levin_status (*write)(const struct levin_bytes_sink*, const void* data, uint64_t n_data);
} levin_bytes_sink;

typedef struct levin_result {
  uint32_t size, reserved;
  uint64_t index; /* of the task */
  const void* data;
  uint64_t n_data;
  const char* name; /* of the task; NULL = none */
} levin_result;

typedef struct levin_results { /* the results of all tasks, in the order of the tasks, each exactly once */
  uint32_t size, reserved;
  void* ctx;
  uint64_t count;
  /* sets out->size before the call. LEVIN_STOP at the end; the data is valid until the next call [main] */
  levin_status (*next)(const struct levin_results*, levin_result* out);
} levin_results;

/* The table of a component of kind LEVIN_KIND_TASKS. Each process creates an instance of its own, with the same
 * options. A task may be handled more than once, if a process is lost; one of the results is kept. All calls are made
 * on the main thread, one at a time. */
typedef struct levin_tasks {
  levin_object o;
  levin_status (*read)(void* self, const char* path, const levin_task_sink*); /* path: absolute */
  levin_status (*handle)(void* self, const levin_task*, const levin_bytes_sink* result);
  levin_status (*sum)(void* self, const levin_results*, const levin_bytes_sink* output);
} levin_tasks;

LEVIN_ASSERT(sizeof(levin_task) == 72 && sizeof(levin_task_sink) == 24 && sizeof(levin_bytes_sink) == 24);
LEVIN_ASSERT(sizeof(levin_result) == 40 && sizeof(levin_results) == 32 && sizeof(levin_tasks) == 64);
#endif
