#include "core/services/snapshots.hpp"

#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"

namespace levin::core {
namespace {

void swap_values(const std::vector<NamedTensor>& model, std::vector<at::Tensor>& copy) {
  for (size_t i = 0; i < copy.size(); ++i) {
    at::Tensor live = model[i].tensor;
    const at::Tensor before = live.detach().clone();
    live.detach().copy_(copy[i]);
    copy[i] = before;
  }
}

void lerp_values(const std::vector<NamedTensor>& model, std::vector<at::Tensor>& copy, double weight) {
  for (size_t i = 0; i < copy.size(); ++i) {
    if (copy[i].is_floating_point())
      copy[i].lerp_(model[i].tensor.detach(), weight);
    else
      copy[i].copy_(model[i].tensor);
  }
}

}  // namespace

Snapshots::Copy& Snapshots::at(uint64_t id) {
  const auto found = copies_.find(id);
  if (found == copies_.end()) throw Error(ErrorKind::usage, "there is no snapshot " + std::to_string(id));
  return found->second;
}

uint64_t Snapshots::make() {
  Copy copy;
  for (const NamedTensor& t : model().parameters()) copy.parameters.push_back(t.tensor.detach().clone());
  for (const NamedTensor& t : model().buffers()) copy.buffers.push_back(t.tensor.detach().clone());
  copies_[next_] = std::move(copy);
  return next_++;
}

void Snapshots::swap(uint64_t id) {
  const at::NoGradGuard no_grad;
  Copy& copy = at(id);
  swap_values(model().parameters(), copy.parameters);
  swap_values(model().buffers(), copy.buffers);
}

void Snapshots::lerp(uint64_t id, double weight, uint32_t buffers) {
  const at::NoGradGuard no_grad;
  Copy& copy = at(id);
  lerp_values(model().parameters(), copy.parameters, weight);
  if (buffers == LEVIN_BUFFERS_AVERAGE) lerp_values(model().buffers(), copy.buffers, weight);
  if (buffers == LEVIN_BUFFERS_COPY) lerp_values(model().buffers(), copy.buffers, 1);
}

void Snapshots::visit(uint64_t id, const levin_visitor& visitor) const {
  const Copy& copy = const_cast<Snapshots*>(this)->at(id);
  for (size_t i = 0; i < copy.parameters.size(); ++i)
    visitor.tensor(&visitor, model().parameters()[i].name.c_str(), borrow(copy.parameters[i]), LEVIN_PARAMETER);
  for (size_t i = 0; i < copy.buffers.size(); ++i)
    visitor.tensor(&visitor, model().buffers()[i].name.c_str(), borrow(copy.buffers[i]), LEVIN_BUFFER);
}

void Snapshots::drop(uint64_t id) { copies_.erase(id); }

}  // namespace levin::core
