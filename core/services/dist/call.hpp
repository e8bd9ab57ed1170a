// One call of a collective by a plugin: its arguments, checked, before anything is sent. The transport ends the process
// where ranks send tensors of different sizes, so that is found before.
#pragma once
#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "core/services/dist_parts.hpp"

namespace levin::core {

class DistCall {
 public:
  // name: of the function, for people. given: nullptr stands for zeros. Throws Error{usage} as all methods do.
  DistCall(const char* name, DistParts& parts, const levin_collective* given);

  ProcessGroup& processes() const { return *group_->processes; }
  const std::shared_ptr<PluginGroup>& group() const { return group_; }
  size_t size() const { return group_->ranks.size(); }
  const levin_collective& given() const { return given_; }

  // A tensor of the plugin that goes over the transport.
  at::Tensor tensor(levin_tensor* handle) const;
  // One tensor for each rank of the group, each like this one.
  std::vector<at::Tensor> tensors(levin_tensor* const* handles, const at::Tensor& like) const;
  ReduceOp reduction(const at::Tensor& tensor) const;
  int root() const;  // the rank in the group
  bool is_root() const { return root() == group_->rank; }
  int other() const;  // the rank in the group with which messages are exchanged
  int tag() const;
  bool waits() const { return !given_.work; }
  void refuse_flags() const;

  // Throws if another rank of the group calls something else. what: the rest of the call as text.
  void compare(const at::Tensor& tensor, const std::string& what) const;
  // Waits for the work, or hands it to the plugin.
  void end(std::unique_ptr<Work> work) const;

 private:
  [[noreturn]] void refuse(const std::string& text) const;
  int member(uint32_t rank) const;

  const char* name_;
  DistParts& parts_;
  levin_collective given_{};
  std::shared_ptr<PluginGroup> group_;
};

}  // namespace levin::core
