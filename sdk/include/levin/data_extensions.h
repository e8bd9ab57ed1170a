/* levin/data_extensions.h -- optional extensions of a data module, returned by levin_object.extension. Plain C, with
 * the conventions of levin/abi.h. */
#ifndef LEVIN_DATA_EXTENSIONS_H
#define LEVIN_DATA_EXTENSIONS_H
#include "levin/abi.h"

#define LEVIN_ROW_NAMES "levin.row_names/1"
/* Names of rows, such as their file names, for predictions.csv. */
typedef struct levin_row_names {
  uint32_t size, reserved;
  /* *name is valid until the next call on this thread                                                        [train] */
  levin_status (*name)(void* self, uint32_t split, uint32_t loader, int64_t index, const char** name);
} levin_row_names;

#define LEVIN_ROW_LENGTHS "levin.row_lengths/1"
/* Lengths of rows that differ in shape, such as the number of tokens. The host makes batches of rows of similar length
 * from them (data.bucket_by_length). */
typedef struct levin_row_lengths {
  uint32_t size, reserved;
  /* writes the length of each of the n rows of a loader, in any unit, 0 or more                              [train] */
  levin_status (*lengths)(void* self, uint32_t split, uint32_t loader, int64_t n, int64_t* out);
} levin_row_lengths;

#define LEVIN_BYTE_FIELDS "levin.byte_fields/1"
/* Fields of float32 whose numbers stand for bytes, such as those of pixels. Where batches are copied to a GPU, the host
 * gives `fill` of levin_data views of uint8 for these fields: it moves the bytes, a quarter of the numbers, and the GPU
 * makes the numbers. */
typedef struct levin_byte_scale { /* number = byte * scale[c] + shift[c]; c = index in the field's first dimension */
  uint32_t size, channels;
  const float *scale, *shift;
} levin_byte_scale;
typedef struct levin_byte_fields {
  uint32_t size, reserved;
  /* the scale of a field, valid until the next call; LEVIN_E_UNSUPPORTED = the field has none                 [main] */
  levin_status (*scale)(void* self, uint32_t field, levin_byte_scale* out);
} levin_byte_fields;

#define LEVIN_RUN_DIR "levin.run_dir/1"
/* For files that the data module keeps with the run. Not called if the run keeps no files (fast_dev_run). */
typedef struct levin_run_dir {
  uint32_t size, reserved;
  /* called in every process before prepare and setup. path is absolute and valid for the call; the folder exists.
   * Processes that write the same file must each write a temporary file and rename it [main] */
  levin_status (*run_dir)(void* self, const char* path);
} levin_run_dir;

/* Return any pointer but NULL. If validation, test or prediction uses a checkpoint, the saved state is then also loaded
 * before the first setup, so that it can define the rows. */
#define LEVIN_STATE_BEFORE_SETUP "levin.state_before_setup/1"
#endif
