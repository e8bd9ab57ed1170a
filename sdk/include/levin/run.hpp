// levin::Run: the trainer's services for a component, to be called during a call of the component and on its thread. It
// is cheap to copy and valid until teardown of the run. Every call throws Error if the host refuses it or does not
// offer the service.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "levin/detail/owned_tensor.hpp"
#include "levin/detail/services.hpp"
#include "levin/error.hpp"
#include "levin/log_options.hpp"
#include "levin/media.hpp"
#include "levin/saved.hpp"

#pragma GCC visibility push(hidden)
namespace levin {

struct DeviceMemory {  // in bytes; used: by all programs on the device
  uint64_t used = 0, total = 0;
};

class RunData;

class Run {
 public:
  Run(const detail::Services* services, levin_run* raw) : services_(services), raw_(raw) {}

  // ---- metrics
  void log(const char* name, double value, const LogOptions& options = {}) const {
    levin_log arguments = detail::log_arguments(name, options);
    arguments.number = value;
    log(arguments);
  }
  void log(const std::string& name, double value, const LogOptions& options = {}) const {
    log(name.c_str(), value, options);
  }
  // The same with every argument. Their pointers are borrowed for the call, except a metric with state, which must
  // outlive it.
  void log(const levin_log& arguments) const { detail::check(trainer().log(raw_, &arguments), arguments.name); }
  // Returns the newest value, or nullopt if there is no metric of that name. set: LEVIN_METRIC_*.
  std::optional<double> metric(const std::string& name, uint32_t set = LEVIN_METRIC_CALLBACK) const {
    double value;
    if (trainer().metric(raw_, set, name.c_str(), &value) != LEVIN_OK) return std::nullopt;
    return value;
  }
  // Returns all metrics of the set, in the order in which they were first logged.
  std::vector<std::pair<std::string, double>> metrics(uint32_t set = LEVIN_METRIC_CALLBACK) const {
    std::vector<std::pair<std::string, double>> out;
    auto each = [](void* ctx, const char* name, double value) {
      static_cast<decltype(out)*>(ctx)->emplace_back(name, value);
    };
    detail::check(trainer().metrics(raw_, set, each, &out), "metrics");
    return out;
  }
  // Passes values to every logger at once, without the rules of log. step -1 = the step of metrics logged now.
  void log_now(int64_t step, const std::vector<std::pair<std::string, double>>& values) const {
    std::vector<const char*> names;
    std::vector<double> numbers;
    for (const auto& [name, value] : values) names.push_back(name.c_str()), numbers.push_back(value);
    detail::check(trainer().log_now(raw_, step, names.data(), numbers.data(), static_cast<uint32_t>(names.size())),
                  "log_now");
  }
  // Passes media to every logger; borrowed for the call. step -1 = the step of metrics logged now.
  void media(const levin_media& media) const { detail::check(trainer().media(raw_, &media), "media"); }
  void media(const Media& media) const { this->media(media.raw()); }
  // Passes a file or folder to the loggers, which keep it with the run. It must exist until the run has ended. name:
  // the name under which it is kept, "" = the file's name; type: "model", "dataset", ..., "" = a file.
  void artifact(const std::string& path, const std::string& name = "", const std::string& type = "") const {
    const levin_artifact artifact = {sizeof artifact, 0, path.c_str(), name.c_str(),
                                     type.empty() ? nullptr : type.c_str()};
    detail::check(trainer().artifact(raw_, &artifact), path.c_str());
  }
  // Passes further hyper-parameters to the loggers: a JSON object of dotted names, {"model.width": 64}.
  void hparams(const std::string& json) const { detail::check(trainer().hparams(raw_, json.c_str()), "hparams"); }

  // ---- where the run is
  int64_t current_epoch() const { return integer("current_epoch"); }                // from 0
  int64_t global_step() const { return integer("global_step"); }                    // optimizer steps done
  int64_t batches_that_stepped() const { return integer("batches_that_stepped"); }  // the step of logged metrics
  int64_t batch_idx() const { return integer("batch_idx"); }                        // in its epoch, from 0
  int64_t dataloader_idx() const { return integer("dataloader_idx"); }              // of the current loop, from 0
  int64_t num_dataloaders() const { return integer("num_dataloaders"); }
  int64_t split_idx() const { return integer("split_idx"); }  // of truncated back-propagation; -1 = not split
  int64_t num_splits() const { return integer("num_splits"); }
  bool is_last_batch() const { return is("is_last_batch"); }
  bool sanity_checking() const { return is("sanity_checking"); }
  bool should_update_logs() const { return is("should_update_logs"); }  // metrics of this step reach the loggers
  bool should_stop() const { return is("should_stop"); }
  bool resumed() const { return is("resumed"); }
  double time_train_seconds() const { return number("time_train_seconds"); }  // includes the time before a resume
  std::string stage() const { return text("stage"); }  // "fit", "validate", "test", "predict", "sanity_check"

  // ---- its lengths and options; -1 = unknown or without a limit
  int64_t max_epochs() const { return integer("max_epochs"); }
  int64_t max_steps() const { return integer("max_steps"); }
  double num_training_batches() const { return number("num_training_batches"); }  // infinite if the limit is 0
  int64_t num_val_batches() const { return integer("num_val_batches"); }
  double estimated_stepping_batches() const { return number("estimated_stepping_batches"); }  // infinite = no limit
  int64_t accumulate_grad_batches() const { return integer("accumulate_grad_batches"); }      // in this epoch
  int64_t batch_size() const { return integer("batch_size"); }
  int64_t train_rows() const { return integer("train_rows"); }
  int64_t truncated_bptt_steps() const { return integer("truncated_bptt_steps"); }
  double val_check_interval() const { return number("val_check_interval"); }            // NaN = a time
  double check_val_every_n_epoch() const { return number("check_val_every_n_epoch"); }  // 0 = never by epochs
  int64_t verbosity() const { return integer("verbosity"); }                            // -1 = --quiet
  bool fast_dev_run() const { return is("fast_dev_run"); }
  bool validates() const { return is("validates"); }
  bool automatic_optimization() const { return is("automatic_optimization"); }

  // ---- its files
  std::string run_dir() const { return text("run_dir"); }  // "" = the run keeps no files
  std::string run_id() const { return text("run_id"); }
  std::string run_uid() const { return text("run_uid"); }            // of a fit; stays the same when it is resumed
  std::string resumed_from() const { return text("resumed_from"); }  // the checkpoint; "" = none
  std::string config() const { return text("config"); }              // config.json, without secrets

  // ---- any number and text; levin_trainer.number and .text in levin/abi.h list the names. An unknown name throws
  // Error
  double number(const char* name) const {
    double value;
    detail::check(trainer().number(raw_, name, &value), name);
    return value;
  }
  int64_t integer(const char* name) const { return static_cast<int64_t>(number(name)); }
  bool is(const char* name) const { return number(name) != 0; }
  std::string text(const char* name) const {
    const char* value = nullptr;
    detail::check(trainer().text(raw_, name, &value), name);
    return value ? value : "";
  }
  // Changes an option ("model.lr", JSON text) in the run's config.json. Existing components are not notified.
  void set_option(const std::string& name, const std::string& json) const {
    detail::check(trainer().set_option(raw_, name.c_str(), json.c_str()), name.c_str());
  }
  // Changes a number of the trainer: "accumulate_grad_batches" or "max_epochs".
  void set(const char* name, double value) const { detail::check(trainer().set_number(raw_, name, value), name); }

  // ---- optimizers, their parameter groups and schedules, counted from 0
  uint32_t n_optimizers() const { return optimizer_counts().first; }
  uint32_t n_schedulers() const { return optimizer_counts().second; }
  uint32_t n_groups(uint32_t optimizer) const {
    uint32_t groups = 0;
    const char* name = nullptr;
    detail::check(optim().describe(raw_, optimizer, &name, &groups), "an optimizer has no description");
    return groups;
  }
  double lr(uint32_t optimizer, uint32_t group) const {
    double value = 0;
    detail::check(optim().get(raw_, optimizer, group, "lr", &value), "lr");
    return value;
  }
  void set_lr(uint32_t optimizer, uint32_t group, double value) const {
    detail::check(optim().set(raw_, optimizer, group, "lr", value), "lr");
  }
  // Returns when the trainer steps the schedule: "step" or "epoch".
  std::string scheduler_interval(uint32_t scheduler) const {
    uint32_t optimizer = 0;
    const char *label = nullptr, *interval = nullptr;
    detail::check(optim().scheduler(raw_, scheduler, &optimizer, &label, &interval), "a schedule has no description");
    return interval && *interval ? interval : "epoch";
  }
  bool has_schedule_by_step() const {
    for (uint32_t i = 0, n = n_schedulers(); i < n; ++i)
      if (scheduler_interval(i) == "step") return true;
    return false;
  }

  // ---- the model's parameters and buffers, and copies of them
  // Copies all parameters and buffers. Returns the snapshot's id, which is never 0. It exists until drop.
  uint64_t snapshot() const {
    uint64_t id = 0;
    detail::check(params().snapshot(raw_, &id), "snapshot");
    return id;
  }
  // Exchanges the values of the model and the snapshot.
  void swap(uint64_t snapshot) const { detail::check(params().swap(raw_, snapshot), "swap"); }
  // snapshot += weight * (model - snapshot). buffers: LEVIN_BUFFERS_*.
  void lerp(uint64_t snapshot, double weight, uint32_t buffers = LEVIN_BUFFERS_COPY) const {
    detail::check(params().lerp(raw_, snapshot, weight, buffers), "lerp");
  }
  void drop(uint64_t snapshot) const { detail::check(params().drop(raw_, snapshot), "drop"); }

  // ---- the model's network
  // Returns the outputs of the model's forward for these tensors, which may be on any device. It runs in evaluation
  // mode, without gradients, and keeps the state of the random generators. Throws Error (LEVIN_E_UNSUPPORTED) if the
  // model has no forward.
  TensorList forward(const std::vector<levin_tensor*>& inputs) const {
    std::vector<levin_tensor*> outputs(16);
    uint32_t n = 0;
    detail::check(modules().forward(raw_, inputs.data(), static_cast<uint32_t>(inputs.size()), outputs.data(),
                                    static_cast<uint32_t>(outputs.size()), &n),
                  "forward");
    outputs.resize(n);
    return TensorList(host(), std::move(outputs));
  }

  // ---- requests
  // Stops training after this batch; the reason is a text for the user.
  void stop(const std::string& reason) const { detail::check(trainer().stop(raw_, reason.c_str()), "stop"); }
  // Skips the rest of the epoch.
  void skip_epoch() const { detail::check(trainer().skip_epoch(raw_), "skip_epoch"); }
  // Prints a line or a table for the user, above the progress bar.
  void print(const std::string& text) const { detail::check(trainer().print(raw_, text.c_str()), "print"); }

  // ---- checkpoints
  // Saves a checkpoint. The file is durable when the call returns.
  void save_checkpoint(const std::string& path, bool weights_only = false) const {
    save_checkpoint(Saved{path}, weights_only ? LEVIN_SAVE_WEIGHTS_ONLY : 0u);
  }
  // The same, and passes `what` to the loggers. It does not announce the checkpoint. flags: LEVIN_SAVE_*.
  void save_checkpoint(const Saved& what, uint32_t flags = 0) const {
    const levin_saved saved = detail::as_c(what);
    detail::check(checkpoints().save(raw_, &saved, flags), what.path.c_str());
  }
  // Says, in setup or on_fit_start, in which folder this component saves. Before the first epoch the host checks that a
  // checkpoint fits there.
  void saves_in(const std::string& folder) const {
    detail::check(checkpoints().saves_in(raw_, folder.c_str()), folder.c_str());
  }
  void remove_checkpoint(const std::string& path) const {
    detail::check(checkpoints().remove(raw_, path.c_str()), path.c_str());
  }
  // Blocks until everything saved so far is durable.
  void wait_for_checkpoints() const { detail::check(checkpoints().wait(raw_), "a checkpoint was not written"); }
  // Loads the model's weights from a checkpoint, which must have every parameter with the same shape.
  void load_weights(const std::string& path) const {
    detail::check(checkpoints().load_weights(raw_, path.c_str()), path.c_str());
  }
  // Sets the file that --ckpt_path best or last means: `what` is best, last or both.
  void announce_checkpoint(const Saved& what) const {
    const levin_saved saved = detail::as_c(what);
    detail::check(checkpoints().announce(raw_, &saved), what.path.c_str());
  }
  // Returns the existing checkpoints of the run, oldest first.
  std::vector<Saved> list_checkpoints() const {
    std::vector<Saved> out;
    const auto each = [](void* ctx, const levin_saved* found) {
      static_cast<decltype(out)*>(ctx)->push_back(detail::saved_of(*found));
    };
    detail::check(checkpoints().list(raw_, each, &out), "the checkpoints cannot be listed");
    return out;
  }

  // ---- ranks; a single process is rank 0 of 1. Every rank must make the same collective calls in the same order.
  // levin/dist.hpp has the other collectives, process groups, and messages
  uint32_t rank() const { return dist().rank(raw_); }
  uint32_t world_size() const { return dist().world_size(raw_); }
  // Reduces the tensors of all ranks in place; reduce: LEVIN_REDUCE_*.
  void all_reduce(levin_tensor* tensor, uint32_t reduce = LEVIN_REDUCE_SUM) const {
    const levin_collective how = {sizeof how, 0, nullptr, reduce, 0, 0, 0, nullptr};
    detail::check(dist().all_reduce(raw_, &how, tensor), "all_reduce");
  }
  // Overwrites the tensor of every rank with the tensor of rank root.
  void broadcast(levin_tensor* tensor, uint32_t root = 0) const {
    const levin_collective how = {sizeof how, 0, nullptr, 0, root, 0, 0, nullptr};
    detail::check(dist().broadcast(raw_, &how, tensor), "broadcast");
  }
  void barrier() const { detail::check(dist().barrier(raw_, nullptr), "barrier"); }

  // ---- the device
  // Returns the memory of the run's device, or nullopt if it is unknown.
  std::optional<DeviceMemory> memory() const {
    DeviceMemory out;
    const levin_status status = devices().memory(raw_, &out.used, &out.total);
    if (status == LEVIN_E_UNSUPPORTED) return std::nullopt;
    detail::check(status, "the device's memory");
    return out;
  }

  // Blocks until the device has finished all its work, for correct time measurements.
  void synchronize() const { detail::check(devices().synchronize(raw_), "the device"); }

  // Returns the devices of this process, the run's device first: with trainer.strategy model_parallel the model places
  // its parts on them.
  std::vector<levin_device> all_devices() const {
    uint32_t n = 1;
    std::vector<levin_device> out(n);
    detail::check(devices().all(raw_, out.data(), n, &n), "the devices");
    out.resize(n);
    detail::check(devices().all(raw_, out.data(), n, &n), "the devices");
    return out;
  }

  // ---- the data: splits, fields, classes, and rows by index (levin/detail/run_data.hpp)
  RunData data() const;
  const levin_run_data& data_table() const { return services_->need(services_->data, "levin.run_data/1"); }

  const levin_params& params() const { return services_->need(services_->params, "levin.params/1"); }
  const levin_optim& optim() const { return services_->need(services_->optim, "levin.optim/1"); }
  const levin_module_tree& modules() const { return services_->need(services_->modules, "levin.module_tree/1"); }
  const levin_networks& networks() const { return services_->need(services_->networks, "levin.networks/1"); }
  const levin_trial& trial() const { return services_->need(services_->trial, "levin.trial/1"); }
  const levin_dist& dist() const { return services_->need(services_->dist, "levin.dist/1"); }
  const levin_devices& devices() const { return services_->need(services_->devices, "levin.devices/1"); }
  const levin_trainer& trainer() const { return services_->need(services_->trainer, "levin.trainer/1"); }
  const levin_host* host() const { return services_->host; }
  levin_run* raw() const { return raw_; }

 private:
  std::pair<uint32_t, uint32_t> optimizer_counts() const {
    std::pair<uint32_t, uint32_t> n{0, 0};
    detail::check(optim().count(raw_, &n.first, &n.second), "the optimizers cannot be counted");
    return n;
  }
  const levin_checkpoint& checkpoints() const { return services_->need(services_->checkpoint, "levin.checkpoint/1"); }
  const detail::Services* services_;
  levin_run* raw_;
};

}  // namespace levin
#pragma GCC visibility pop
