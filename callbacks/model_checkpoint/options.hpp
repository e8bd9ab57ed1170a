// The options of model_checkpoint.
#pragma once
#include <string>

#include "levin/monitor.hpp"
#include "levin/options.hpp"
#include "trigger.hpp"

namespace levin::model_checkpoint {

constexpr const char* modes[] = {"min", "max", nullptr};
constexpr const char* last_choices[] = {"true", "false", "link", "always", nullptr};

constexpr const char* async_choices[] = {"wait", "skip", "off", nullptr};

constexpr levin_option schema[] = {
    with(path("dirpath", "null", "folder of the checkpoints; null = checkpoints in the run folder"),
         LEVIN_OPT_NULLABLE),
    with(text("filename", "null", "file name with {metric:format}; null = {epoch}-{step}"), LEVIN_OPT_NULLABLE),
    with(text("monitor", "null", "metric that decides which checkpoint is best; null = keep the newest"),
         LEVIN_OPT_NULLABLE),
    with(flag("strict", "null", strict_help), LEVIN_OPT_NULLABLE),
    flag("verbose", "false", "print what is saved, and why a save is skipped"),
    with(choice("save_last", "null",
                "also keep last.ckpt: a copy of each saved checkpoint (true), a link to it (link), or a save at every "
                "due time (always)",
                last_choices),
         LEVIN_OPT_NULLABLE),
    integer("save_top_k", "1", "number of best checkpoints to keep; -1 = all, 0 = none", -1, 1e15),
    flag("save_on_exception", "false", "save a checkpoint when the run fails"),
    choice("async_save", "\"wait\"",
           "write files in the background; if the previous file is not written yet, wait for it or skip the save; off "
           "= training waits for each file",
           async_choices),
    flag("save_weights_only", "false", "save weights only, without the state that a resume needs"),
    choice("mode", "\"min\"", "min = lower monitor is better, max = higher monitor is better", modes),
    flag("auto_insert_metric_name", "true", "write {val_loss} in filename as val_loss=0.12"),
    with(integer("every_n_train_steps", "null", "save every N optimizer steps", 0, 1e15), LEVIN_OPT_NULLABLE),
    with(json("train_time_interval", "null", "save after so much time, DD:HH:MM:SS"), LEVIN_OPT_NULLABLE),
    with(integer("every_n_epochs", "null", "save every N epochs; 1 if no other trigger is set", 0, 1e15),
         LEVIN_OPT_NULLABLE),
    with(flag("save_on_train_epoch_end", "null",
              "save at the end of the training epoch instead of after validation; null = unless several validations "
              "run in an epoch"),
         LEVIN_OPT_NULLABLE),
    flag("enable_version_counter", "true", "append -v1, -v2 to a name that exists; false = overwrite the file"),
};

enum class Async { wait, skip, off };
enum class Last { none, with_saved, link, always };

struct Settings {
  std::string dirpath, filename;  // "" = not given
  Last last = Last::none;
  Async async = Async::wait;
  int64_t save_top_k = 1;
  bool verbose = false, save_on_exception = false, weights_only = false, maximize = false, auto_insert = true,
       versions = true;
  TriggerOptions trigger;
};

// Throws Error for options that contradict each other.
Settings settings_of(const Args& args);

}  // namespace levin::model_checkpoint
