// What plugins may ask of a run: the C++ face of levin_run, and the services that lead to it.
#pragma once
#include <functional>
#include <string>

#include "core/components/plugin_host.hpp"
#include "sdk/include/levin/abi.h"

// Implemented by the Trainer. Functions throw levin::core::Error; "not found" is a return value.
struct levin_run {
  using MetricSink = std::function<void(const char* name, double value)>;
  using CheckpointSink = std::function<void(const char* path, uint32_t names, double score)>;  // LEVIN_CHECKPOINT_*
  virtual ~levin_run() = default;

  // levin.trainer/1
  virtual void log(const levin_log& arguments) = 0;
  virtual bool metric(uint32_t set, const std::string& name, double& out) = 0;
  virtual void metrics(uint32_t set, const MetricSink& each) = 0;
  virtual bool number(const std::string& name, double& out) = 0;
  virtual const char* text(const std::string& name) = 0;  // nullptr: no such text
  virtual void stop(const std::string& reason) = 0;       // any thread
  virtual void skip_epoch() = 0;
  virtual void log_now(int64_t step, const char* const* names, const double* values, uint32_t n) = 0;
  virtual void media(const levin_media& media) = 0;
  virtual void print(const std::string& text) = 0;
  virtual bool set_number(const std::string& name, double value) = 0;
  virtual void set_option(const std::string& name, const std::string& json) = 0;

  // levin.params/1 and levin.module_tree/1
  virtual void visit(const levin_visitor& visitor) = 0;
  virtual bool requires_grad(const std::string& glob, bool on) = 0;  // false: nothing matches
  virtual bool get_requires_grad(const std::string& name, bool& on) = 0;
  virtual uint64_t snapshot() = 0;
  virtual void swap(uint64_t id) = 0;
  virtual void snapshot_visit(uint64_t id, const levin_visitor& visitor) = 0;
  virtual void lerp(uint64_t id, double weight, uint32_t buffers) = 0;
  virtual void drop(uint64_t id) = 0;
  virtual bool assign(const std::string& name, levin_tensor* value) = 0;  // false: no such tensor
  virtual bool module_tree(void (*each)(void*, const char*, const char*, uint32_t, uint32_t), void* ctx) = 0;
  virtual bool module_sizes(void (*each)(void*, const char*, const char*, const char*), void* ctx) = 0;

  // levin.optim/1
  virtual uint32_t optimizer_count() = 0;
  virtual uint32_t scheduler_count() = 0;
  virtual const char* optimizer_name(uint32_t optimizer, uint32_t& groups) = 0;
  virtual const char* group_name(uint32_t optimizer, uint32_t group) = 0;
  virtual double optimizer_get(uint32_t optimizer, uint32_t group, const std::string& option) = 0;
  virtual void optimizer_set(uint32_t optimizer, uint32_t group, const std::string& option, double value) = 0;
  virtual void add_group(uint32_t optimizer, const levin_group_desc& group) = 0;
  virtual void optimizer_step(uint32_t optimizer, levin_status (*closure)(void*), void* ctx) = 0;
  virtual void zero_grad(uint32_t optimizer) = 0;
  virtual void toggle(uint32_t optimizer, bool on) = 0;
  virtual void backward(levin_tensor* loss, bool retain_graph) = 0;
  virtual void clip(uint32_t optimizer, double value, const std::string& algorithm) = 0;
  virtual void scheduler(uint32_t index, uint32_t& optimizer, const char*& label, const char*& interval) = 0;
  virtual void scheduler_step(uint32_t index, double metric) = 0;
  virtual void pause_scheduler(uint32_t index, bool paused) = 0;

  // levin.checkpoint/1
  virtual void save_checkpoint(const std::string& path, bool weights_only) = 0;
  virtual void remove_checkpoint(const std::string& path) = 0;
  virtual void load_weights(const std::string& path) = 0;
  virtual void announce_checkpoint(const std::string& which, const std::string& path, double score) = 0;
  virtual void list_checkpoints(const CheckpointSink& each) = 0;

  // levin.trial/1
  virtual void trial_begin() = 0;
  virtual bool trial_step(int64_t n, double& loss) = 0;  // false: out of memory
  virtual void set_batch_size(int64_t rows) = 0;
  virtual void trial_end() = 0;

  // levin.device/1
  virtual levin_device device() = 0;
};

namespace levin::core {

// Every service of this host, by id.
const ServiceTable& services();

}  // namespace levin::core
