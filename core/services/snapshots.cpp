#include "core/services/snapshots.hpp"

#include <ATen/core/grad_mode.h>

#include <algorithm>

#include "core/abi/tensor_handle.hpp"
#include "core/base/error.hpp"
#include "core/optim/optimizers/parallel_ranges.hpp"
#include "core/optim/optimizers/pointwise_kernels.hpp"

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

bool in_plain_memory(const at::Tensor& copy, const at::Tensor& live) {
  const auto type = copy.scalar_type();
  return (type == at::kFloat || type == at::kDouble) && copy.is_cpu() && copy.layout() == at::kStrided &&
         copy.is_non_overlapping_and_dense() && live.is_cpu() && live.layout() == at::kStrided &&
         live.scalar_type() == type && live.sizes() == copy.sizes() && live.strides() == copy.strides();
}

// Moves all tensors in plain memory in one pass, without an operator for each.
class LerpPass {
 public:
  explicit LerpPass(double weight) : weight_(weight) {}
  void add(const at::Tensor& copy, const at::Tensor& live) {
    pieces_.push_back({copy.data_ptr(), live.data_ptr(), copy.scalar_type() == at::kDouble, total_, copy.numel()});
    total_ += copy.numel();
  }
  void run() const {
    parallel_ranges(total_, [this](int64_t begin, int64_t end) {
      for (const Piece& p : pieces_) {
        const int64_t first = std::max(begin - p.offset, int64_t{0}), last = std::min(end - p.offset, p.elements);
        if (first < last) lerp_kernel(p.copy, p.live, p.f64, first, last, weight_);
      }
    });
  }

 private:
  struct Piece {
    void* copy;
    const void* live;
    bool f64;
    int64_t offset, elements;
  };
  double weight_;
  std::vector<Piece> pieces_;
  int64_t total_ = 0;
};

void lerp_values(const std::vector<NamedTensor>& model, const std::vector<at::Tensor>& copy, double weight) {
  LerpPass pass(weight);
  for (size_t i = 0; i < copy.size(); ++i) {
    const at::Tensor& live = model[i].tensor;
    if (in_plain_memory(copy[i], live))
      pass.add(copy[i], live);
    else if (copy[i].is_floating_point())
      copy[i].lerp_(live.detach(), weight);
    else
      copy[i].copy_(live);
  }
  pass.run();
}

}  // namespace

Snapshots::Copy& Snapshots::at(uint64_t id) {
  const auto found = copies_.find(id);
  if (found == copies_.end()) throw Error(ErrorCode::call_invalid, "there is no snapshot " + std::to_string(id));
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
