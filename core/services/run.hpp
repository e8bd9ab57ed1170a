// levin_run: what plugins may ask, answered by the parts of the run.
#pragma once
#include <memory>
#include <string>

#include "core/base/console/console.hpp"
#include "core/checkpoint/training_state.hpp"
#include "core/loops/evaluation_loop.hpp"
#include "core/loops/run_context.hpp"
#include "core/services/run_interface.hpp"
#include "core/services/snapshots.hpp"
#include "core/services/trial.hpp"
#include "core/run_folder/run_folder.hpp"

namespace levin::core {

struct RunTexts {
  std::string model, data, config, default_root_dir;
};

class RunState : public levin_run {
 public:
  RunState(RunPlan& plan, RunContext& context, Snapshots& snapshots, Console& console, LoggerList& loggers)
      : plan_(plan), c_(context), snapshots_(snapshots), console_(console), loggers_(loggers) {}
  // Parts that are made later than the run itself.
  void attach(TrainingState* state, RunFolder* folder, EvaluationLoop* validation, RunTexts texts);
  void protect(const std::string& checkpoint) { resumed_from_ = checkpoint; }  // never removed

  void log(const levin_log& arguments) override;
  bool metric(uint32_t set, const std::string& name, double& out) override;
  void metrics(uint32_t set, const MetricSink& each) override;
  bool number(const std::string& name, double& out) override;
  const char* text(const std::string& name) override;
  void stop(const std::string& reason) override { now().stop.ask(reason); }
  void skip_epoch() override { now().progress.skip_epoch = true; }
  void log_now(int64_t step, const char* const* names, const double* values, uint32_t n) override;
  void media(const levin_media& media) override;
  void print(const std::string& text) override { console_.print(text); }
  bool set_number(const std::string& name, double value) override;
  void set_option(const std::string& name, const std::string& json) override;

  void visit(const levin_visitor& visitor) override;
  bool requires_grad(const std::string& glob, bool on) override;
  bool get_requires_grad(const std::string& name, bool& on) override;
  uint64_t snapshot() override { return snapshots_.make(); }
  void swap(uint64_t id) override { snapshots_.swap(id); }
  void snapshot_visit(uint64_t id, const levin_visitor& visitor) override { snapshots_.visit(id, visitor); }
  void lerp(uint64_t id, double weight, uint32_t buffers) override { snapshots_.lerp(id, weight, buffers); }
  void drop(uint64_t id) override { snapshots_.drop(id); }
  bool assign(const std::string& name, levin_tensor* value) override;
  bool module_tree(void (*each)(void*, const char*, const char*, uint32_t, uint32_t), void* ctx) override;
  bool module_sizes(void (*each)(void*, const char*, const char*, const char*), void* ctx) override;

  uint32_t optimizer_count() override { return static_cast<uint32_t>(c_.optimizers.optimizers().size()); }
  uint32_t scheduler_count() override { return static_cast<uint32_t>(c_.optimizers.schedules().size()); }
  const char* optimizer_name(uint32_t optimizer, uint32_t& groups) override;
  const char* group_name(uint32_t optimizer, uint32_t group) override;
  double optimizer_get(uint32_t optimizer, uint32_t group, const std::string& option) override;
  void optimizer_set(uint32_t optimizer, uint32_t group, const std::string& option, double value) override;
  void add_group(uint32_t optimizer, const levin_group_desc& group) override;
  void optimizer_step(uint32_t optimizer, levin_status (*closure)(void*), void* ctx) override;
  void zero_grad(uint32_t optimizer) override { c_.optimization.zero_grad(optimizer); }
  void toggle(uint32_t optimizer, bool on) override { c_.optimizers.toggle(optimizer, on); }
  void backward(levin_tensor* loss, bool retain_graph) override;
  void clip(uint32_t optimizer, double value, const std::string& algorithm) override;
  void scheduler(uint32_t index, uint32_t& optimizer, const char*& label, const char*& interval) override;
  void scheduler_step(uint32_t index, double metric) override;
  void pause_scheduler(uint32_t index, bool paused) override { c_.optimizers.schedule(index).paused = paused; }

  void save_checkpoint(const std::string& path, bool weights_only) override;
  void remove_checkpoint(const std::string& path) override;
  void load_weights(const std::string& path) override;
  void announce_checkpoint(const std::string& which, const std::string& path, double score) override;
  void list_checkpoints(const CheckpointSink& each) override;

  void trial_begin() override;
  bool trial_step(int64_t n, double& loss) override { return trial().step(n, loss); }
  void set_batch_size(int64_t rows) override;
  void trial_end() override;

  levin_device device() override;

 private:
  std::string in_run_folder(const std::string& path) const;
  Trial& trial();
  // What the model says in a step of a trial is meant for the trial: nothing of it may reach the run.
  bool in_trial_step() const { return trial_ && trial_->stepping(); }
  RunContext& now() { return in_trial_step() ? trial_->context() : c_; }
  void refuse_within_epoch(const char* what) const;
  RunPlan& plan_;
  RunContext& c_;
  Snapshots& snapshots_;
  Console& console_;
  LoggerList& loggers_;
  TrainingState* state_ = nullptr;
  RunFolder* folder_ = nullptr;
  EvaluationLoop* validation_ = nullptr;
  RunTexts texts_;
  std::unique_ptr<Trial> trial_;  // while one runs
  std::string run_dir_, run_id_, resumed_from_;
};

}  // namespace levin::core
