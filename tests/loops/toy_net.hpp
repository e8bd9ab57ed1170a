// A model defined in the test: one weight w, loss = w * mean(x). Records its calls.
#pragma once
#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/abi/tensor_handle.hpp"
#include "core/components/model.hpp"

class ToyNet {
 public:
  // flags: LEVIN_F_* of the model. hooks: the hooks that it declares.
  explicit ToyNet(uint64_t flags = 0, const std::vector<uint32_t>& hooks = {}) {
    schema.id = "toy";
    schema.flags = flags;
    for (const uint32_t hook : hooks) schema.hooks[hook / 64] |= LEVIN_BIT(hook);
    table.o.size = sizeof table;
    table.visit = [](void* self, const levin_visitor* v) -> levin_status {
      return v->tensor(v, "w", levin::core::borrow(of(self).weight), LEVIN_PARAMETER);
    };
    table.step = [](void* self, const levin_step_in* in, const levin_step_out* out) {
      return of(self).step(*in, *out);
    };
    table.on = [](void* self, const levin_event* event) { return of(self).on(*event); };
    table.configure_optimizers = [](void* self, const levin_optim_plan* plan) { return of(self).configure(*plan); };
  }
  ToyNet(const ToyNet&) = delete;
  ToyNet& operator=(const ToyNet&) = delete;
  static ToyNet& of(void* self) { return *static_cast<ToyNet*>(self); }

  at::Tensor weight = at::full({1}, 1.0).set_requires_grad(true);
  std::vector<std::string> calls;                            // hooks, steps and overrides, in order
  std::map<uint32_t, levin_status> answers;                  // return values of hooks; the default is LEVIN_OK
  std::vector<levin_step_in> steps;                          // arguments of each step
  std::vector<levin_step_1x> steps_1x;                       // of Lightning 1.x, of each training_step
  std::vector<std::weak_ptr<torch::autograd::Node>> graphs;  // one per loss
  int64_t optimizers = 1;                                    // number of optimizers, each with learning rate 0.1 over w
  std::string optimizer = "sgd";
  std::vector<int64_t> frequencies;          // of the optimizers; empty = none
  std::string scheduler, interval = "step";  // empty scheduler = none
  bool reoptimizers_of_batch_loss = true;
  bool infinite_loss = false;
  std::function<void(const levin_step_in&)> in_step;  // called within each step
  std::function<void(const levin_event&)> in_hook;    // called within each hook
  levin_model table{};
  levin::core::ComponentSchema schema;

  levin::core::Created created() { return {{"net", "libnet.so", &schema, false}, &table.o, this}; }
  levin::core::Model model() { return levin::core::Model(created()); }

 private:
  levin_status step(const levin_step_in& in, const levin_step_out& out) {
    calls.push_back(levin::core::step_name(in.stage));
    steps.push_back(in);
    if (in.step_1x) steps_1x.push_back(*in.step_1x);
    if (in_step) in_step(in);
    if (!reoptimizers_of_batch_loss) return LEVIN_OK;
    at::Tensor loss = (weight * levin::core::retain(in.batch->tensors[0]).mean()).sum();
    if (infinite_loss) loss = loss / 0;
    graphs.push_back(loss.grad_fn());
    return out.put(&out, "loss", levin::core::borrow(loss));
  }
  levin_status on(const levin_event& event) {
    calls.push_back(levin::core::hook_name(event.hook));
    if (in_hook) in_hook(event);
    const auto answer = answers.find(event.hook);
    return answer == answers.end() ? LEVIN_OK : answer->second;
  }
  levin_status configure(const levin_optim_plan& plan) {
    for (int64_t i = 0; i < optimizers; ++i) {
      levin_optimizer_desc o{};
      o.size = sizeof o;
      o.name = optimizer.c_str();
      o.options_json = "{\"lr\": 0.1}";
      o.frequency = frequencies.empty() ? 0 : frequencies[static_cast<size_t>(i)];
      uint32_t index = 0;
      if (const levin_status status = plan.add_optimizer(&plan, &o, &index)) return status;
    }
    if (scheduler.empty()) return LEVIN_OK;
    levin_scheduler_desc s{};
    s.size = sizeof s;
    s.name = scheduler.c_str();
    s.options_json = "{\"gamma\": 0.5}";
    s.interval = interval.c_str();
    s.strict = 1;
    uint32_t index = 0;
    return plan.add_scheduler(&plan, &s, &index);
  }
};
