/* levin/data_extensions.h -- what a data module may offer beyond its table, by levin_object.extension. Plain C, as
 * levin/abi.h, whose conventions hold here too. */
#ifndef LEVIN_DATA_EXTENSIONS_H
#define LEVIN_DATA_EXTENSIONS_H
#include "levin/abi.h"

#define LEVIN_ROW_NAMES "levin.row_names/1"
/* What people know rows by, such as the names of their files. predictions.csv shows them. */
typedef struct levin_row_names {
  uint32_t size, reserved;
  /* *name lives until the next call on this thread                                                           [train] */
  levin_status (*name)(void* self, uint32_t split, uint32_t loader, int64_t index, const char** name);
} levin_row_names;

#define LEVIN_RUN_DIR "levin.run_dir/1"
/* For files that the data module keeps with the run. Not called where the run keeps none (fast_dev_run). */
typedef struct levin_run_dir {
  uint32_t size, reserved;
  /* before prepare and setup, in every process: path is absolute and lives for the call, and the folder is there.
   * Processes that write the same file each write another one and rename it [main] */
  levin_status (*run_dir)(void* self, const char* path);
} levin_run_dir;

/* The answer is any pointer but NULL. Where validation, test or prediction takes a checkpoint, the saved state is
 * loaded before the first setup too, so that it can say what the rows are. */
#define LEVIN_STATE_BEFORE_SETUP "levin.state_before_setup/1"
#endif
