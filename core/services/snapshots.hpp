// Copies of the model's parameters and buffers that callbacks keep, for example to average weights and swap them in.
#pragma once
#include <map>

#include "core/components/model_instance.hpp"

namespace levin::core {

class Snapshots {
 public:
  explicit Snapshots(const Model& model) : model_(model) {}
  uint64_t make();         // copies the model's tensors and returns the id of the copy
  void swap(uint64_t id);  // exchanges the values of the model and the copy
  void visit(uint64_t id, const levin_visitor& visitor) const;
  void lerp(uint64_t id, double weight, uint32_t buffers);  // snapshot += weight * (model - snapshot); LEVIN_BUFFERS_*
  void drop(uint64_t id);

 private:
  struct Copy {
    std::vector<at::Tensor> parameters, buffers;
  };
  Copy& at(uint64_t id);
  const Model& model() const { return instance_of(model_); }
  const Model& model_;
  std::map<uint64_t, Copy> copies_;
  uint64_t next_ = 1;
};

}  // namespace levin::core
