// One call of a collective by a plugin. Its arguments are checked before anything is sent, because the transport ends
// the process if ranks send tensors of different sizes.
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "core/services/dist_parts.hpp"

namespace levin::core {

class DistCall {
 public:
  // name: of the function, for messages. given: nullptr = all zero. All methods throw Error{usage}.
  DistCall(const char* name, DistParts& parts, const levin_collective* given);

  ProcessGroup& processes() const { return *group_->processes; }
  const std::shared_ptr<PluginGroup>& group() const { return group_; }
  size_t size() const { return group_->ranks.size(); }
  const levin_collective& given() const { return given_; }

  // Returns a tensor of the plugin after checking that the transport can send it.
  at::Tensor tensor(levin_tensor* handle) const;
  // Returns one tensor per rank of the group, after checking that each has the form of `like`.
  std::vector<at::Tensor> tensors(levin_tensor* const* handles, const at::Tensor& like) const;
  ReduceOp reduction(const at::Tensor& tensor) const;
  int root() const;  // rank in the group
  bool is_root() const { return root() == group_->rank; }
  int other() const;  // rank in the group of the peer of a send or receive
  int tag() const;
  bool waits() const { return !given_.work; }
  void refuse_flags() const;

  // Throws if another rank of the group makes a different call. what: the rest of the call as text.
  void compare(const at::Tensor& tensor, const std::string& what) const;
  // Waits for the work, or passes it to the plugin.
  void end(std::unique_ptr<Work> work) const;

 private:
  [[noreturn]] void refuse(const std::string& text) const;
  int member(uint32_t rank) const;

  const char* name_;
  DistParts& parts_;
  levin_collective given_{};
  std::shared_ptr<PluginGroup> group_;
};

// Returns the tensors of all ranks of the group. The backward pass, which all ranks must run, sums the ranks' gradients
// of each tensor and returns the sum to the tensor's rank.
std::vector<at::Tensor> all_gather_with_grads(const at::Tensor& tensor, const std::shared_ptr<PluginGroup>& group);

}  // namespace levin::core
