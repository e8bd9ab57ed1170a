// Point-to-point messages: tensors that one process sends to another. A header with shape and type precedes each
// tensor, so that the receiver can reject a mismatch. Messages of one sender, receiver and tag arrive in call order; a
// thread transfers them one after the other. For sources of this folder.
#pragma once
#include <list>
#include <memory>
#include <vector>

#include "core/distributed/process_group.hpp"
#include "core/distributed/store/c10d.hpp"

namespace levin::core {

class Messages {
 public:
  // ranks: the global rank of each group member. own: this process's rank in the group. The options must outlive this
  // object.
  Messages(c10::intrusive_ptr<C10dGroup> group, std::vector<int> ranks, int own, const ProcessGroupOptions& options);
  ~Messages();  // aborts messages that have not arrived
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  // wire: the tensor as it is transferred.
  std::unique_ptr<Work> send(const at::Tensor& tensor, const at::Tensor& wire, int to, int tag);
  std::unique_ptr<Work> receive(const at::Tensor& tensor, const at::Tensor& wire, int from, int tag);

 private:
  class Lane;
  Lane& lane(bool sends, int peer, int tag);
  struct Lines;
  Lines note(bool sends, int peer, int tag);

  c10::intrusive_ptr<C10dGroup> group_;
  const std::vector<int> ranks_;
  const int own_;
  const ProcessGroupOptions& options_;
  std::list<std::unique_ptr<Lane>> lanes_;
};

}  // namespace levin::core
