#include "core/strategies/dp/replica_tensors.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>

#include <sstream>
#include <utility>
#include <vector>

#include "core/abi/state_bag.hpp"
#include "core/base/error.hpp"

namespace levin::core {
namespace {

std::string line_of(const char* kind, const std::vector<NamedTensor>& tensors, size_t i) {
  if (i >= tensors.size()) return std::string("no further ") + kind;
  const NamedTensor& t = tensors[i];
  std::ostringstream line;
  line << "the " << kind << " '" << t.name << "' " << t.tensor.sizes() << " " << t.tensor.scalar_type();
  return line.str();
}

void check_kind(const char* kind, const std::vector<NamedTensor>& first, const std::vector<NamedTensor>& other,
                const std::string& who) {
  for (size_t i = 0; i < first.size() || i < other.size(); ++i) {
    const std::string a = line_of(kind, first, i), b = line_of(kind, other, i);
    if (a == b) continue;
    throw Error(ErrorKind::usage, who + " has " + b + ", where the first one has " + a +
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

void check_replica(const Model& first, const Model& replica, const std::string& who) {
  check_kind("parameter", first.parameters(), replica.parameters(), who);
  check_kind("buffer", first.buffers(), replica.buffers(), who);
}

void copy_to_replicas(const std::vector<Model*>& models, size_t n) {
  Model& first = *models.front();
  StateBag state;
  if (first.has_state()) first.save(state.writer());
  const levin_reader reader = state.reader(first.schema().version.c_str());
  for (size_t i = 1; i < n; ++i) {
    copy_to_replica(first, *models[i]);
    if (first.has_state()) models[i]->load(reader);
  }
}

// A gradient is moved, so that a parameter with two names adds it only once.
void add_gradients(const Model& first, const Model& replica) {
  const at::NoGradGuard no_grad;
  for (size_t i = 0; i < first.parameters().size(); ++i) {
    at::Tensor& grad = replica.parameters()[i].tensor.mutable_grad();
    if (grad.defined()) add_gradient(first.parameters()[i].tensor, std::exchange(grad, at::Tensor()));
  }
}

}  // namespace levin::core
