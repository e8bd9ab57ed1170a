#include "core/strategies/dp/dp.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <c10/core/DeviceGuard.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/base/value_scope.hpp"
#include "core/logging/logger_connector.hpp"
#include "core/precision/precision.hpp"
#include "core/strategies/dp/joined_logs.hpp"
#include "core/strategies/dp/replica_threads.hpp"

namespace levin::core {
namespace {

void refuse_sync_batchnorm(const RunPlan& plan) {
  if (plan.processes.sync_batchnorm)
    throw Error(ErrorCode::option_unsupported,
                "trainer.sync_batchnorm is for several processes, and trainer.strategy=dp is one: each replica takes "
                "the statistics of its own rows; use ddp");
}

at::Device chosen_output(const RunPlan& plan, const std::vector<at::Device>& devices) {
  if (!plan.machine.output_device) return devices.front();
  std::string valid;
  for (size_t i = 0; i < devices.size(); ++i) {
    const int64_t number = devices[i].is_cuda() ? devices[i].index() : static_cast<int64_t>(i);
    if (number == *plan.machine.output_device) return devices[i];
    valid += (valid.empty() ? "" : ", ") + std::to_string(number);
  }
  throw Error(ErrorCode::option_value_invalid, "trainer.output_device=" + std::to_string(*plan.machine.output_device) +
                                                   " is none of the run's devices; valid: " + valid);
}

}  // namespace

struct DpStrategy::Outcome {
  std::vector<StepOutputs> outputs;
  std::vector<StepRecord> records;
};

DpStrategy::DpStrategy(const RunPlan& plan, std::vector<at::Device> devices, Processes& processes)
    : devices_(std::move(devices)),
      group_(processes.group()),
      output_device_(chosen_output(plan, devices_)),
      threads_(devices_.size() - 1) {
  refuse_sync_batchnorm(plan);
  if (devices_.size() > 1) install_thread_generators();
}

// Seeds the replicas' generators: replicas draw different random numbers, but the same ones in each run with this seed.
std::unique_ptr<Model> DpStrategy::make_model(const MakeModel& make) {
  auto model = std::make_unique<ReplicatedModel>(make, devices_);
  model_ = model.get();
  const uint64_t seed = at::detail::getDefaultCPUGenerator().current_seed();
  for (size_t i = 1; i < devices_.size(); ++i) {
    generators_.push_back(at::detail::createCPUGenerator(seed + i));
    if (!devices_[i].is_cuda()) continue;
    at::Generator of_device = at::globalContext().defaultGenerator(devices_[i]);
    const std::lock_guard<std::mutex> lock(of_device.mutex());
    of_device.set_current_seed(seed + i);
  }
  return model;
}

std::map<std::string, at::Generator> DpStrategy::further_generators() const {
  std::map<std::string, at::Generator> out;
  for (size_t i = 1; i <= generators_.size(); ++i) {
    const std::string name = "replica_" + std::to_string(i);
    out.emplace(name + ".cpu", generators_[i - 1]);
    if (devices_[i].is_cuda()) out.emplace(name + ".cuda", at::globalContext().defaultGenerator(devices_[i]));
  }
  return out;
}

void DpStrategy::place(Model& model, at::ScalarType dtype) {
  Strategy::place(model, dtype);
  model_->place_replicas(dtype);
}

void DpStrategy::begin(const Model& model) {
  if (model.manual_optimization() && devices_.size() > 1)
    throw Error(
        ErrorCode::option_unsupported,
        "trainer.strategy=dp: the model steps its optimizers itself (automatic_optimization = false), which its "
        "replicas cannot do with gradients of a part of the batch; use ddp");
}

void DpStrategy::step(const ModelStep& step) {
  const BatchParts parts(step.in, devices_);
  const int64_t split = step.in.step_1x ? step.in.step_1x->split_idx : -1;
  if (split != split_) hiddens_ = std::exchange(made_hiddens_, {});
  split_ = split;
  if (parts.size() == 1) {
    made_hiddens_.clear();
    return Strategy::step(step);
  }
  model_->copy_to_replicas(parts.size());
  Outcome outcome{std::vector<StepOutputs>(parts.size()), std::vector<StepRecord>(parts.size())};
  run_parts(step, parts, outcome);
  log(step, parts, outcome);
  keep_hiddens(outcome);
  std::vector<at::Tensor> hiddens = std::move(outcome.outputs.front().hiddens);
  step.out = gather_outputs(outcome.outputs, parts.rows(), output_device_);
  step.out.hiddens = std::move(hiddens);
  step.precision.forward([&] { step.model.end_step(step.in, step.out); });
}

void DpStrategy::run_parts(const ModelStep& step, const BatchParts& parts, Outcome& outcome) {
  hidden_handles_.assign(parts.size(), {});
  const std::vector<std::exception_ptr> thrown =
      threads_.run(parts.size(), [&](size_t i) { run_part(i, step, parts, outcome); });
  for (size_t i = 0; i < parts.size(); ++i) model_->instance(i).log = nullptr;
  for (size_t i = 0; i < parts.size(); ++i)
    if (thrown[i]) rethrow(i, thrown[i]);
}

// Runs on the replica's thread.
void DpStrategy::run_part(size_t replica, const ModelStep& step, const BatchParts& parts, Outcome& outcome) {
  ModelInstance& instance = model_->instance(replica);
  StepRecord& record = outcome.records[replica];
  instance.log = [&record](LogOrigin origin, const levin_log& log) { record.add(origin, log); };
  const ValueScope<const ModelInstance*> here(model_instance, &instance);
  levin_step_in in = parts.arguments(replica);
  levin_step_1x in_1x = make_step_1x();
  if (in.step_1x) {
    in_1x = *in.step_1x;
    in.step_1x = &in_1x;
    give_hiddens(replica, in_1x);
  }
  const c10::OptionalDeviceGuard device(devices_[replica].is_cuda() ? c10::optional<at::Device>(devices_[replica])
                                                                    : c10::nullopt);
  std::optional<ThreadGeneratorScope> generator;
  if (replica > 0) generator.emplace(generators_[replica - 1]);
  const auto compute = [&] { instance.model.step_alone(in, outcome.outputs[replica]); };
  step.precision.is_full_precision() ? compute() : step.precision.forward(compute);
}

void DpStrategy::give_hiddens(size_t replica, levin_step_1x& in) {
  if (in.n_hiddens == 0) return;
  if (replica >= hiddens_.size())
    throw Error(ErrorCode::option_unsupported,
                "trainer.strategy=dp: the splits of a batch have to have as many rows each");
  for (const at::Tensor& h : hiddens_[replica]) hidden_handles_[replica].push_back(borrow(h));
  in.hiddens = hidden_handles_[replica].data();
  in.n_hiddens = hidden_handles_[replica].size();
}

void DpStrategy::keep_hiddens(Outcome& outcome) {
  if (split_ < 0) return;
  made_hiddens_.clear();
  for (const StepOutputs& out : outcome.outputs) made_hiddens_.push_back(out.hiddens);
}

// Errors in a logged value are reported as if its call of log() had failed.
void DpStrategy::log(const ModelStep& step, const BatchParts& parts, Outcome& outcome) {
  std::vector<StepRecord*> records;
  for (StepRecord& record : outcome.records) records.push_back(&record);
  try {
    join_logs(records, parts.rows(),
              [&step](LogOrigin origin, const levin_log& log, const std::optional<double>& value) {
                step.log.log(origin, log, {}, value);
              });
  } catch (const Error& e) {
    throw Error(ErrorCode::model_failed,
                step.model.plugin() + ": " + step.model.instance() + "." + step_name(step.in.stage) + ": " + e.what());
  }
}

void DpStrategy::rethrow(size_t replica, const std::exception_ptr& thrown) const {
  const std::string where =
      "in " + replica_name(replica) + " (trainer.strategy=dp, " + std::to_string(devices_.size()) + " replicas): ";
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& e) {
    throw Error(e.code(), where + e.what());
  } catch (const std::exception& e) {
    throw Error(ErrorCode::operation_failed, where + brief(e));
  }
}

void DpStrategy::after_backward() { model_->add_gradients(); }

}  // namespace levin::core
