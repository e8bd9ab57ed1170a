// A levin_run for one step outside a fit: it takes what is logged and knows a few numbers.
#pragma once
#include <map>
#include <string>

#include "core/base/error.hpp"
#include "core/components/model.hpp"
#include "core/components/tensor_handle.hpp"
#include "core/services/run_interface.hpp"

namespace levin::core {

class InventedRun : public levin_run {
 public:
  explicit InventedRun(const Model& model) : model_(model) {}
  const std::map<std::string, double>& logged() const { return logged_; }

  void log(const levin_log& l) override { logged_[l.name] = l.tensor ? retain(l.tensor).item().toDouble() : l.number; }
  bool metric(uint32_t, const std::string& name, double& out) override {
    const auto found = logged_.find(name);
    if (found != logged_.end()) out = found->second;
    return found != logged_.end();
  }
  void metrics(uint32_t, const MetricSink& each) override {
    for (const auto& [name, value] : logged_) each(name.c_str(), value);
  }
  bool number(const std::string& name, double& out) override {
    static const std::map<std::string, double> numbers = {
        {"current_epoch", 0}, {"global_step", 0},          {"max_epochs", 1},
        {"max_steps", -1},    {"num_training_batches", 8}, {"estimated_stepping_batches", 8}};
    const auto found = numbers.find(name);
    if (found != numbers.end()) out = found->second;
    return found != numbers.end();
  }
  const char* text(const std::string& name) override { return name == "stage" ? "fit" : ""; }
  void stop(const std::string&) override {}
  void skip_epoch() override {}
  void log_now(int64_t, const char* const*, const double*, uint32_t) override {}
  void media(const levin_media&) override {}
  void print(const std::string&) override {}
  bool set_number(const std::string&, double) override { return false; }
  void set_option(const std::string&, const std::string&) override {}

  void visit(const levin_visitor& v) override {
    for (const NamedTensor& t : model_.parameters()) v.tensor(&v, t.name.c_str(), borrow(t.tensor), LEVIN_PARAMETER);
  }
  bool requires_grad(const std::string&, bool) override { refuse(); }
  bool get_requires_grad(const std::string&, bool&) override { refuse(); }
  uint64_t snapshot() override { refuse(); }
  void swap(uint64_t) override { refuse(); }
  void snapshot_visit(uint64_t, const levin_visitor&) override { refuse(); }
  void lerp(uint64_t, double, uint32_t) override { refuse(); }
  void drop(uint64_t) override { refuse(); }
  bool assign(const std::string&, levin_tensor*) override { refuse(); }
  bool module_tree(void (*)(void*, const char*, const char*, uint32_t, uint32_t), void*) override { return false; }
  bool module_sizes(void (*)(void*, const char*, const char*, const char*), void*) override { return false; }

  uint32_t optimizer_count() override { return 0; }
  uint32_t scheduler_count() override { return 0; }
  const char* optimizer_name(uint32_t, uint32_t&) override { refuse(); }
  const char* group_name(uint32_t, uint32_t) override { refuse(); }
  double optimizer_get(uint32_t, uint32_t, const std::string&) override { refuse(); }
  void optimizer_set(uint32_t, uint32_t, const std::string&, double) override { refuse(); }
  void add_group(uint32_t, const levin_group_desc&) override { refuse(); }
  void optimizer_step(uint32_t, levin_status (*)(void*), void*) override { refuse(); }
  void zero_grad(uint32_t) override { refuse(); }
  void toggle(uint32_t, bool) override { refuse(); }
  void backward(levin_tensor*, bool) override { refuse(); }
  void clip(uint32_t, double, const std::string&) override { refuse(); }
  void scheduler(uint32_t, uint32_t&, const char*&, const char*&) override { refuse(); }
  void scheduler_step(uint32_t, double) override { refuse(); }
  void pause_scheduler(uint32_t, bool) override { refuse(); }

  void save_checkpoint(const std::string&, bool) override { refuse(); }
  void remove_checkpoint(const std::string&) override { refuse(); }
  void load_weights(const std::string&) override { refuse(); }
  void announce_checkpoint(const std::string&, const std::string&, double) override { refuse(); }
  void list_checkpoints(const CheckpointSink&) override {}
  void trial_begin() override { refuse(); }
  bool trial_step(int64_t, double&) override { refuse(); }
  void set_batch_size(int64_t) override { refuse(); }
  void trial_end() override { refuse(); }
  levin_device device() override { return {LEVIN_CPU, 0}; }

 private:
  [[noreturn]] static void refuse() { throw Error(ErrorKind::usage, "there is no fit, only one step of a check"); }
  const Model& model_;
  std::map<std::string, double> logged_;
};

}  // namespace levin::core
