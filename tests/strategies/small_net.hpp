// A model with two parameters and a buffer, without a plugin file, and an optimizer for it.
#pragma once
#include <ATen/ops/allclose.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>

#include <memory>
#include <string>

#include "core/abi/tensor_handle.hpp"
#include "core/components/model.hpp"
#include "core/optim/optimizers/optimizer.hpp"

class SmallNet {
 public:
  explicit SmallNet(double value, int64_t outputs = 3)
      : weight(at::full({outputs, 2}, value).set_requires_grad(true)),
        bias(at::full({outputs}, value).set_requires_grad(true)),
        mean(at::full({2}, value)) {
    schema_.id = "small";
    table_.o.size = sizeof table_;
    table_.step = [](void*, const levin_step_in*, const levin_step_out*) -> levin_status { return LEVIN_OK; };
    table_.visit = [](void* self, const levin_visitor* v) -> levin_status {
      const auto& net = *static_cast<SmallNet*>(self);
      if (const levin_status s = v->tensor(v, "weight", levin::core::borrow(net.weight), LEVIN_PARAMETER)) return s;
      if (const levin_status s = v->tensor(v, "bias", levin::core::borrow(net.bias), LEVIN_PARAMETER)) return s;
      return v->tensor(v, "mean", levin::core::borrow(net.mean), LEVIN_BUFFER);
    };
  }
  SmallNet(const SmallNet&) = delete;
  SmallNet& operator=(const SmallNet&) = delete;

  levin::core::Model& model() {
    if (!model_) {
      model_ = std::make_unique<levin::core::Model>(
          levin::core::ComponentOrigin{"small", "libsmall.so", &schema_, false}, &table_.o, this);
      model_->visit();
    }
    return *model_;
  }
  std::unique_ptr<levin::core::Optimizer> optimizer(const std::string& name = "sgd") const {
    levin::core::ParamGroup group;
    group.name = "all";
    group.params = {weight, bias};
    group.names = {"weight", "bias"};
    return levin::core::make_optimizer(name, {{"lr", 0.5}}, {group});
  }

  at::Tensor weight, bias, mean;

 private:
  levin_model table_{};
  levin::core::ComponentSchema schema_;
  std::unique_ptr<levin::core::Model> model_;
};

// Returns true if all elements are close to the value; false for an undefined tensor.
inline bool is_filled(const at::Tensor& tensor, double value, double relative = 1e-5) {
  return tensor.defined() && at::allclose(tensor, at::full_like(tensor, value), relative);
}
