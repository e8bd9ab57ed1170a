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
    with(path("dirpath", "null", "folder of the files; null: checkpoints in the run's folder"), LEVIN_OPT_NULLABLE),
    with(text("filename", "null", "name of a file, with {metric:format}; null: {epoch}-{step}"), LEVIN_OPT_NULLABLE),
    with(text("monitor", "null", "metric that says which checkpoint is best; null: the newest is"), LEVIN_OPT_NULLABLE),
    with(flag("strict", "null", strict_help), LEVIN_OPT_NULLABLE),
    flag("verbose", "false", "say what is saved and why not"),
    with(choice(
             "save_last", "null",
             "also keep last.ckpt: of each one that is saved a file (true) or a link to it (link), or a file whenever "
             "one is due, among the best or not (always)",
             last_choices),
         LEVIN_OPT_NULLABLE),
    integer("save_top_k", "1", "how many of the best to keep; -1: all, 0: none", -1, 1e15),
    flag("save_on_exception", "false", "save when the run fails"),
    choice(
        "async_save", "\"wait\"",
        "write files beside training: a save that is due before the last one is on the disk waits for it (wait), or is "
        "left out (skip); off: training waits for each file",
        async_choices),
    flag("save_weights_only", "false", "leave out what only a resumed run needs"),
    choice("mode", "\"min\"", "whether less or more of the monitor is better", modes),
    flag("auto_insert_metric_name", "true", "write {val_loss} as val_loss=0.12"),
    with(integer("every_n_train_steps", "null", "save after so many optimizer steps", 0, 1e15), LEVIN_OPT_NULLABLE),
    with(json("train_time_interval", "null", "save after so much time, DD:HH:MM:SS"), LEVIN_OPT_NULLABLE),
    with(integer("every_n_epochs", "null", "save after so many epochs; 1 where nothing else is given", 0, 1e15),
         LEVIN_OPT_NULLABLE),
    with(flag("save_on_train_epoch_end", "null",
              "save after the training epoch, not after validation; null: it depends"),
         LEVIN_OPT_NULLABLE),
    flag("enable_version_counter", "true", "a name that exists gets -v1, -v2; false: it is overwritten"),
};

enum class Async { wait, skip, off };
enum class Last { none, with_saved, link, always };

struct Settings {
  std::string dirpath, filename;  // "" if not given
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
