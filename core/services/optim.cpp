// "levin.optim/1": the optimizers and schedules of a run, and the steps of optimization.
#include <cmath>

#include "core/abi/failure.hpp"
#include "core/abi/tensor_handle.hpp"
#include "core/services/run.hpp"
#include "core/services/services.hpp"

namespace levin::core {
namespace {

OptimParts& optim_parts(levin_run* run) { return parts_of(run, &levin_run::optim); }
Optimizer& optimizer_of(levin_run* run, uint32_t index) { return optim_parts(run).optimizers.optimizer(index); }

const ParamGroup& group_of(levin_run* run, uint32_t index, uint32_t group) {
  const auto& groups = optimizer_of(run, index).groups();
  if (group < groups.size()) return groups[group];
  throw Error(ErrorCode::call_invalid, "optimizer " + std::to_string(index) + " has no group " + std::to_string(group));
}

void check_learning_rate(const std::string& option, double value) {
  if (option != "lr" || (std::isfinite(value) && value >= 0)) return;
  throw Error(ErrorCode::call_invalid, "a learning rate has to be a number from 0 up, not " + std::to_string(value));
}

void add_optimizers(levin_optim& t) {
  t.count = [](levin_run* run, uint32_t* optimizers, uint32_t* schedulers) {
    return serve_in_turn([&] {
      *optimizers = static_cast<uint32_t>(optim_parts(run).optimizers.optimizers().size());
      *schedulers = static_cast<uint32_t>(optim_parts(run).optimizers.schedules().size());
    });
  };
  t.describe = [](levin_run* run, uint32_t index, const char** name, uint32_t* groups) {
    return serve_in_turn([&] {
      *name = optimizer_of(run, index).name().c_str();
      *groups = static_cast<uint32_t>(optimizer_of(run, index).groups().size());
    });
  };
  t.group_name = [](levin_run* run, uint32_t index, uint32_t group, const char** name) {
    return serve_in_turn([&] { *name = group_of(run, index, group).name.c_str(); });
  };
  t.get = [](levin_run* run, uint32_t index, uint32_t group, const char* option, double* out) {
    return serve_in_turn([&] {
      group_of(run, index, group);
      *out = optimizer_of(run, index).get(group, option);
    });
  };
  t.set = [](levin_run* run, uint32_t index, uint32_t group, const char* option, double value) {
    return serve_in_turn([&] {
      group_of(run, index, group);
      check_learning_rate(option, value);
      optimizer_of(run, index).set(group, option, value);
    });
  };
  t.add_group = [](levin_run* run, uint32_t index, const levin_group_desc* group) {
    return serve_in_turn([&] { optim_parts(run).optimizers.add_group(index, *group, optim_parts(run).model); });
  };
}

void add_steps(levin_optim& t) {
  t.step = [](levin_run* run, uint32_t index, levin_status (*closure)(void*), void* ctx) {
    return serve([&] { optim_parts(run).optimization.manual_step(index, closure, ctx); });
  };
  t.zero_grad = [](levin_run* run, uint32_t index) {
    return serve([&] { optim_parts(run).optimization.zero_grad(index); });
  };
  t.toggle = [](levin_run* run, uint32_t index, int32_t on) {
    return serve([&] { optim_parts(run).optimizers.toggle(index, on != 0); });
  };
  t.backward = [](levin_run* run, levin_tensor* loss, int32_t retain_graph) {
    return serve([&] { optim_parts(run).optimization.manual_backward(retain(loss), retain_graph != 0); });
  };
  t.clip = [](levin_run* run, uint32_t index, double value, const char* algorithm) {
    return serve([&] { optim_parts(run).optimization.clip(index, value, algorithm ? algorithm : "norm"); });
  };
}

void add_schedules(levin_optim& t) {
  t.scheduler = [](levin_run* run, uint32_t index, uint32_t* optimizer, const char** label, const char** interval) {
    return serve([&] {
      const ScheduleConfig& s = optim_parts(run).optimizers.schedule(index);
      *optimizer = s.optimizer;
      *label = s.label.c_str();
      *interval = s.by_step ? "step" : "epoch";
    });
  };
  t.scheduler_step = [](levin_run* run, uint32_t index, double metric) {
    return serve([&] { optim_parts(run).optimizers.schedule(index).scheduler->advance(metric); });
  };
  t.pause_scheduler = [](levin_run* run, uint32_t index, int32_t paused) {
    return serve([&] { optim_parts(run).optimizers.schedule(index).paused = paused != 0; });
  };
}

}  // namespace

const levin_optim* optim_service() {
  static const levin_optim table = [] {
    levin_optim t{};
    t.size = sizeof t;
    add_optimizers(t);
    add_steps(t);
    add_schedules(t);
    return t;
  }();
  return &table;
}

}  // namespace levin::core
