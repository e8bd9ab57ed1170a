#include "core/strategies/dp/replicated_model.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <sstream>
#include <string>
#include <utility>

#include "core/abi/state_bag.hpp"
#include "core/base/error.hpp"
#include "core/base/value_scope.hpp"
#include "core/checkpoint/generators.hpp"

namespace levin::core {
namespace {

constexpr const char* refusal =
    "under trainer.strategy=dp only the first replica of the model has this service in its step";

std::unique_ptr<Model> make_replica(const MakeModel& make, size_t number) try {
  return std::make_unique<Model>(make());
} catch (const Error& e) {
  throw Error(e.code(), "trainer.strategy=dp: replica " + std::to_string(number) +
                            " of the model cannot be made beside the first one: " + e.what());
}

std::string line_of(const char* kind, const std::vector<NamedTensor>& tensors, size_t i) {
  if (i >= tensors.size()) return std::string("no further ") + kind;
  const NamedTensor& t = tensors[i];
  std::ostringstream line;
  line << "the " << kind << " '" << t.name << "' " << t.tensor.sizes() << " " << t.tensor.scalar_type();
  return line.str();
}

void check_kind(const char* kind, const std::vector<NamedTensor>& first, const std::vector<NamedTensor>& other,
                size_t replica) {
  for (size_t i = 0; i < first.size() || i < other.size(); ++i) {
    const std::string a = line_of(kind, first, i), b = line_of(kind, other, i);
    if (a == b) continue;
    throw Error(ErrorCode::option_unsupported,
                "trainer.strategy=dp: " + replica_name(replica) + " has " + b + ", where the first one has " + a +
                    ". The plugin has to make the same model each time from the same options");
  }
}

void copy_tensors(const std::vector<NamedTensor>& from, const std::vector<NamedTensor>& to) {
  for (size_t i = 0; i < from.size(); ++i) {
    at::Tensor target = to[i].tensor;
    target.copy_(from[i].tensor, /*non_blocking=*/true);
  }
}

void add_gradient(const at::Tensor& param, at::Tensor more) {
  at::Tensor& grad = param.mutable_grad();
  more = more.to(param.device(), /*non_blocking=*/true);
  if (!grad.defined())
    grad = std::move(more);
  else if (grad.is_sparse() || more.is_sparse())
    grad = grad + more;
  else
    grad.add_(more);
}

void copy_to_replica(const Model& first, Model& replica) {
  if (first.is_training() != replica.is_training()) replica.mode(first.is_training());
  for (size_t i = 0; i < first.parameters().size(); ++i) {
    at::Tensor target = replica.parameters()[i].tensor;
    const bool trained = first.parameters()[i].tensor.requires_grad();
    if (target.requires_grad() != trained) target.set_requires_grad(trained);
  }
  const at::NoGradGuard no_grad;
  copy_tensors(first.parameters(), replica.parameters());
  copy_tensors(first.buffers(), replica.buffers());
}

}  // namespace

ReplicatedModel::ReplicatedModel(const MakeModel& make, const std::vector<at::Device>& devices) : Model(make()) {
  const GeneratorScope generators(devices.front());
  instances_.push_back({*this, devices.front(), turn_});
  for (size_t i = 1; i < devices.size(); ++i) {
    replicas_.push_back(make_replica(make, i));
    instances_.push_back({*replicas_.back(), devices[i], turn_, nullptr, refusal});
  }
}

levin_status ReplicatedModel::on(const levin_event& event) const {
  const levin_status status = Model::on(event);
  if (event.hook != LEVIN_HOOK_SETUP && event.hook != LEVIN_HOOK_CONFIGURE_MODEL && event.hook != LEVIN_HOOK_TEARDOWN)
    return status;
  for (size_t i = 1; i < instances_.size(); ++i) {
    const ValueScope<const ModelInstance*> here(model_instance, &instances_[i]);
    instances_[i].model.on(event);
  }
  return status;
}

void ReplicatedModel::place_replicas(at::ScalarType dtype) {
  for (size_t i = 1; i < instances_.size(); ++i) {
    Model& replica = instances_[i].model;
    replica.move(instances_[i].device, dtype);
    check_kind("parameter", parameters(), replica.parameters(), i);
    check_kind("buffer", buffers(), replica.buffers(), i);
  }
}

void ReplicatedModel::copy_to_replicas(size_t n) {
  StateBag state;
  if (has_state()) save(state.writer());
  const levin_reader reader = state.reader(schema().version.c_str());
  for (size_t i = 1; i < n; ++i) {
    copy_to_replica(*this, instances_[i].model);
    if (has_state()) instances_[i].model.load(reader);
  }
}

// A gradient is moved, so that a parameter with two names adds it only once.
void ReplicatedModel::add_gradients() {
  const at::NoGradGuard no_grad;
  for (const auto& replica : replicas_)
    for (size_t i = 0; i < parameters().size(); ++i) {
      at::Tensor& grad = replica->parameters()[i].tensor.mutable_grad();
      if (grad.defined()) add_gradient(parameters()[i].tensor, std::exchange(grad, at::Tensor()));
    }
}

}  // namespace levin::core
