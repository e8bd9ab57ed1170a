// Tensors that one process sends to another. Each comes behind a header that says its shape and type, so that the
// receiver can refuse what does not fit. Those of one sender, receiver and tag arrive in the order of their calls; a
// thread brings them one after the other. For sources of this folder.
#pragma once
#include <list>
#include <memory>
#include <vector>

#include "core/distributed/process_group.hpp"
#include "core/distributed/store/c10d.hpp"

namespace levin::core {

class Messages {
 public:
  // ranks: of the run, of each member of the group, of which this process has the place `own`. The options must outlive
  // this object.
  Messages(c10::intrusive_ptr<C10dGroup> group, std::vector<int> ranks, int own, const ProcessGroupOptions& options);
  ~Messages();  // gives up what has not arrived
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  // wire: the tensor as it is sent.
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
