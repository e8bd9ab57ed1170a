// The parts that a loop needs, created in the test: a toy model and counting rows, without plugins and folders.
#pragma once
#include <ATen/ops/ones.h>

#include <array>

#include "core/loops/evaluation_loop.hpp"
#include "core/loops/loop_context.hpp"
#include "core/loops/optimization/optimization.hpp"
#include "core/services/run.hpp"
#include "core/strategies/strategies.hpp"
#include "tests/loops/toy_net.hpp"

// Row i of every split is {i, i}; one loader per split.
class CountingRows {
 public:
  std::array<int64_t, LEVIN_SPLITS> rows{};  // -1 = the split does not exist

  CountingRows() {
    schema_.id = "rows";
    table_.o.size = sizeof table_;
    table_.describe = [](void* self, uint32_t split, uint32_t, levin_split* out) -> levin_status {
      const auto& r = *static_cast<CountingRows*>(self);
      if (r.rows[split] < 0) return LEVIN_E_UNSUPPORTED;
      static const levin_field fields[] = {{"x", {LEVIN_FLOAT, 32, 1}, 1, {2}, LEVIN_ROLE_INPUT, 0, 0, nullptr}};
      out->rows = r.rows[split];
      out->n_fields = 1;
      out->field_size = sizeof(levin_field);
      out->fields = fields;
      return LEVIN_OK;
    };
    table_.fill = [](void*, const levin_fill* in, const levin_view* out) -> levin_status {
      auto* x = static_cast<float*>(out[0].data);
      for (int64_t i = 0; i < in->n; ++i) x[2 * i] = x[2 * i + 1] = static_cast<float>(in->indices[i]);
      return LEVIN_OK;
    };
  }
  levin::core::DataModule module() {
    return levin::core::DataModule({"rows", "librows.so", &schema_, false}, &table_.o, this);
  }

 private:
  levin_data table_{};
  levin::core::ComponentSchema schema_;
};

// Batches of two rows. The plan and the rows may be changed until the first loop is created.
class LoopScene {
 public:
  explicit LoopScene(ToyNet& toy, int64_t train_rows = 6, int64_t val_rows = -1)
      : net(toy), rows(rows_of(train_rows, val_rows)), hooks(model, &data, {}) {
    plan.duration.max_epochs = -1;
    plan.duration.max_steps = -1;
    plan.logging.log_every_n_steps = 1;
    hooks.set_run(&run);
    configure();
  }
  // Calls the model's configure_optimizers again.
  void configure() {
    const levin::core::StepTotal unknown(0);
    optimizers.configure(model, &run, unknown, unknown);
    strategy->place(model, at::kFloat);
    strategy->begin(model);
    strategy->begin_optimizers(optimizers.optimizers());
  }
  double lr(uint32_t optimizer = 0) { return optimizers.optimizer(optimizer).get(0, "lr"); }
  double w() const { return net.weight.item().toDouble(); }

  ToyNet& net;
  CountingRows rows;
  levin::core::RunPlan plan;
  levin::core::DataModule data = rows.module();
  levin::core::Model model = net.model();
  levin::core::RunProgress progress;
  levin_run run;  // without services: loops only pass it on
  levin::core::Dispatcher hooks;
  std::vector<std::string> warnings;
  levin::core::LoggerList loggers{{}, [](const std::string&) {}};
  levin::core::LoggerConnector log{loggers, {1}};
  levin::core::LoaderSet loaders{data, loader_options(), plan, 0};
  levin::core::Processes processes;
  std::unique_ptr<levin::core::Strategy> strategy = levin::core::make_strategy(plan, {at::kCPU}, processes);
  std::unique_ptr<levin::core::Precision> precision =
      levin::core::make_precision(levin::core::PrecisionType::true_32, at::kCPU);
  levin::core::OptimizerSet optimizers{nullptr};
  levin::core::Accumulation accumulation;
  levin::core::ProcessGroup nobody_else;
  levin::core::RunAgreement agreement{nobody_else, progress.stop};
  levin::core::LoopContext context{
      plan,         model,     loaders, hooks,
      *precision,   *strategy, log,     progress,
      accumulation, agreement, nullptr, [this](const std::string& line) { warnings.push_back(line); }};
  std::unique_ptr<levin::core::Optimization> optimization = levin::core::make_optimization(
      {plan, model, hooks, optimizers, *precision, *strategy, log, progress, context.warn});

 private:
  static CountingRows rows_of(int64_t train, int64_t val) {
    CountingRows rows;
    rows.rows = {train, val, -1, -1};
    return rows;
  }
  static levin::core::LoaderDefaults loader_options() {
    levin::core::LoaderDefaults options;
    options.batch_size = options.eval_batch_size = 2;
    options.shuffle = options.drop_last = false;
    options.pin_memory = false;
    options.num_workers = 0;
    return options;
  }
};

// The argument of a training step on a batch of ones.
struct OnesBatch {
  explicit OnesBatch(LoopScene& scene) {
    batch.tensors = {at::ones({2, 2})};
    batch.publish({"x"});
    raw = batch.raw();
    in.size = sizeof in;
    in.stage = LEVIN_STAGE_FIT;
    in.run = &scene.run;
    in.batch = raw;
    in.batches = &raw;
    in.n_batches = 1;
  }
  OnesBatch(const OnesBatch&) = delete;
  OnesBatch& operator=(const OnesBatch&) = delete;
  levin::core::Batch batch;
  const levin_batch* raw = nullptr;
  levin_step_in in{};
};
