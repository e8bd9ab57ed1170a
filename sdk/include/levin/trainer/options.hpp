// The options of levin::Trainer, and the exception that it throws.
#pragma once
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "levin/trainer/value.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

// A callback, logger or data module from a plugin file, as `host` takes it: its id, PLUGIN-ID:ID or FILE.so:ID.
struct Component {
  std::string id = {};
  std::map<std::string, Value> options = {};
  std::string name = {};  // of the instance; "" = the component's id
};

// An option that is not set has the default that docs/option-reference.md states. Members have the names and values of
// the host's options --trainer.NAME; batch_size is --data.batch_size. With C++20 they can be given by name,
// {.max_epochs = 3}; with C++17 make an object and assign its members.
struct TrainerOptions {
  Value max_epochs = {}, max_steps = {}, min_epochs = {}, min_steps = {};
  Value accelerator = {}, devices = {}, precision = {}, num_threads = {};
  Value batch_size = {}, accumulate_grad_batches = {}, gradient_clip_val = {}, gradient_clip_algorithm = {};
  Value limit_train_batches = {}, limit_val_batches = {}, limit_test_batches = {}, limit_predict_batches = {};
  Value val_check_interval = {}, check_val_every_n_epoch = {}, num_sanity_val_steps = {}, log_every_n_steps = {};
  Value fast_dev_run = {}, deterministic = {}, seed_everything = {}, non_finite = {};
  Value default_root_dir = {}, run_name = {};
  // Any other option of a run by its dotted name: {"data.num_workers", 2}, {"model.init_from", "net.pt"}.
  std::map<std::string, Value> more = {};
  std::vector<Component> callbacks = {}, loggers = {};  // from plugin files
  std::vector<std::string> plugins = {};                // further folders with plugin files
  bool signals = false;  // true: during a call, Ctrl-C and SIGTERM stop the run after the current batch
  // Receives each line for the user. level: LEVIN_LOG_*. Any thread may call it. Empty = warnings go to standard error.
  std::function<void(int level, const std::string& line)> log = {};
};

// The kinds of errors, with the exit codes of `host` (docs/errors.md).
enum class ErrorKind : int {
  run = 1,          // the model, the data, a callback or the loop failed
  usage = 2,        // a bad option
  plugin = 3,       // a plugin cannot be used
  data = 4,         // data is missing or broken
  checkpoint = 5,   // a checkpoint is missing, damaged or does not fit
  non_finite = 6,   // a loss, a gradient or a weight is NaN or infinite
  processes = 7,    // another process of the run is lost
  internal = 70,    // a bug in Levin
  interrupted = 75  // a signal stopped the run; only with TrainerOptions::signals
};

// The message is one line: what happened, where, and how to fix it.
class [[gnu::visibility("default")]] TrainerError : public std::runtime_error {
 public:
  TrainerError(ErrorKind kind, const std::string& message, const std::string& code)
      : std::runtime_error(message), kind_(kind), code_(code) {}
  ErrorKind kind() const { return kind_; }
  // The number of the error, such as "E0601": docs/error-codes.md and `host explain E0601` say what it means.
  const std::string& code() const { return code_; }

 private:
  ErrorKind kind_;
  std::string code_;
};

}  // namespace levin
#pragma GCC visibility pop
