// The hooks by name: a component has a hook when its class declares a member of that name.
#pragma once
#include "levin/abi.h"

// X(member, LEVIN_HOOK_ suffix): those of callbacks, which models and data modules may have too
#define LEVIN_FOR_EACH_CALLBACK_HOOK(X)                \
  X(setup, SETUP)                                      \
  X(teardown, TEARDOWN)                                \
  X(on_fit_start, FIT_START)                           \
  X(on_fit_end, FIT_END)                               \
  X(on_sanity_check_start, SANITY_CHECK_START)         \
  X(on_sanity_check_end, SANITY_CHECK_END)             \
  X(on_train_start, TRAIN_START)                       \
  X(on_train_end, TRAIN_END)                           \
  X(on_train_epoch_start, TRAIN_EPOCH_START)           \
  X(on_train_epoch_end, TRAIN_EPOCH_END)               \
  X(on_train_batch_start, TRAIN_BATCH_START)           \
  X(on_train_batch_end, TRAIN_BATCH_END)               \
  X(on_validation_start, VALIDATION_START)             \
  X(on_validation_end, VALIDATION_END)                 \
  X(on_validation_epoch_start, VALIDATION_EPOCH_START) \
  X(on_validation_epoch_end, VALIDATION_EPOCH_END)     \
  X(on_validation_batch_start, VALIDATION_BATCH_START) \
  X(on_validation_batch_end, VALIDATION_BATCH_END)     \
  X(on_test_start, TEST_START)                         \
  X(on_test_end, TEST_END)                             \
  X(on_test_epoch_start, TEST_EPOCH_START)             \
  X(on_test_epoch_end, TEST_EPOCH_END)                 \
  X(on_test_batch_start, TEST_BATCH_START)             \
  X(on_test_batch_end, TEST_BATCH_END)                 \
  X(on_predict_start, PREDICT_START)                   \
  X(on_predict_end, PREDICT_END)                       \
  X(on_predict_epoch_start, PREDICT_EPOCH_START)       \
  X(on_predict_epoch_end, PREDICT_EPOCH_END)           \
  X(on_predict_batch_start, PREDICT_BATCH_START)       \
  X(on_predict_batch_end, PREDICT_BATCH_END)           \
  X(on_exception, EXCEPTION)                           \
  X(on_save_checkpoint, SAVE_CHECKPOINT)               \
  X(on_load_checkpoint, LOAD_CHECKPOINT)               \
  X(on_before_backward, BEFORE_BACKWARD)               \
  X(on_after_backward, AFTER_BACKWARD)                 \
  X(on_before_optimizer_step, BEFORE_OPTIMIZER_STEP)   \
  X(on_before_zero_grad, BEFORE_ZERO_GRAD)             \
  X(on_checkpoint_durable, CHECKPOINT_DURABLE)

// all: those of models alone behind them
#define LEVIN_FOR_EACH_HOOK(X)                                 \
  LEVIN_FOR_EACH_CALLBACK_HOOK(X)                              \
  X(configure_model, CONFIGURE_MODEL)                          \
  X(on_validation_model_zero_grad, VALIDATION_MODEL_ZERO_GRAD) \
  X(on_validation_model_eval, VALIDATION_MODEL_EVAL)           \
  X(on_validation_model_train, VALIDATION_MODEL_TRAIN)         \
  X(on_test_model_eval, TEST_MODEL_EVAL)                       \
  X(on_test_model_train, TEST_MODEL_TRAIN)                     \
  X(on_predict_model_eval, PREDICT_MODEL_EVAL)                 \
  X(on_predict_model_train, PREDICT_MODEL_TRAIN)               \
  X(on_epoch_start, EPOCH_START)                               \
  X(on_epoch_end, EPOCH_END)                                   \
  X(on_pretrain_routine_start, PRETRAIN_ROUTINE_START)         \
  X(on_pretrain_routine_end, PRETRAIN_ROUTINE_END)             \
  X(on_batch_start, BATCH_START)                               \
  X(on_batch_end, BATCH_END)                                   \
  X(train_dataloader, TRAIN_DATALOADER)                        \
  X(val_dataloader, VAL_DATALOADER)                            \
  X(test_dataloader, TEST_DATALOADER)                          \
  X(predict_dataloader, PREDICT_DATALOADER)
