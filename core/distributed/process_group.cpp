#include "core/distributed/process_group.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "core/abi/breadcrumb.hpp"
#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/distributed/reduction_choice.hpp"
#include "core/distributed/store_impl.hpp"

namespace levin::core {
namespace {

constexpr std::chrono::milliseconds look_up_every{500};

[[noreturn]] void lost(const char* call, const std::string& why) {
  throw Error(ErrorKind::processes, std::string(call) + " over the processes of the run failed: " + why +
                                        "; another process is gone, or the processes do not do the same");
}

// Gloo adds up neither bfloat16 nor bool in every version.
at::ScalarType wire_type(at::ScalarType type) {
  switch (type) {
    case at::kBFloat16:
      return at::kFloat;
    case at::kBool:
      return at::kByte;
    case at::kShort:
      return at::kInt;
    default:
      return type;
  }
}

c10d::ReduceOp::RedOpType wire_op(ReduceOp op) {
  if (op == ReduceOp::max) return c10d::ReduceOp::MAX;
  if (op == ReduceOp::min) return c10d::ReduceOp::MIN;
  return c10d::ReduceOp::SUM;
}

NodeReduction node_reduction(ReduceOp op) {
  switch (op) {
    case ReduceOp::mean:
      return NodeReduction::mean;
    case ReduceOp::max:
      return NodeReduction::max;
    case ReduceOp::min:
      return NodeReduction::min;
    default:
      return NodeReduction::sum;
  }
}

// The tensor itself where Gloo can take it, or else a copy on the CPU.
at::Tensor on_wire(const at::Tensor& tensor, at::ScalarType type) {
  const at::Tensor plain = tensor.detach();
  if (plain.is_sparse()) return plain.cpu().coalesce();
  return plain.to(at::kCPU, type).contiguous();
}

class PendingWork : public Work {
 public:
  // finish: what is left when the transport is done.
  PendingWork(const char* call, c10::intrusive_ptr<c10d::Work> work, const ProcessGroupOptions& options,
              std::function<void()> finish)
      : call_(call), work_(std::move(work)), options_(options), finish_(std::move(finish)) {}

  void wait() override {
    if (!work_) return;
    const BreadcrumbScope place(nullptr, call_);  // where others see that this process waits
    const auto end = std::chrono::steady_clock::now() + options_.timeout;
    while (!wait_once()) {
      options_.while_waiting();
      if (std::chrono::steady_clock::now() > end)
        lost(call_, "no answer within " + std::to_string(options_.timeout.count() / 1000) + " seconds");
    }
    work_.reset();
    const at::NoGradGuard no_grad;
    finish_();
  }
  bool done() override { return !work_ || work_->isCompleted(); }

 private:
  bool wait_once() {
    try {
      work_->wait(look_up_every);
      return true;
    } catch (const std::exception& e) {
      // Of its own time limit the transport says the same as of ours.
      if (!work_->isCompleted() && std::strstr(e.what(), "timed out") != nullptr) return false;
      options_.explain();
      lost(call_, brief(e));
    }
  }

  const char* call_;
  c10::intrusive_ptr<c10d::Work> work_;
  const ProcessGroupOptions& options_;
  std::function<void()> finish_;
};

class NoWork : public Work {
 public:
  void wait() override {}
  bool done() override { return true; }
};

}  // namespace

struct ProcessGroup::Transport {
  ProcessGroupOptions options;
  c10::intrusive_ptr<C10dGroup> group;
  std::unique_ptr<SharedMemory> memory;  // nullptr: not used
  ReductionChoice choice;
  bool always_memory = false;

  bool takes(const at::Tensor& tensor) const {
    if (!memory || !tensor.device().is_cpu() || tensor.is_sparse() || !tensor.is_contiguous()) return false;
    switch (tensor.scalar_type()) {
      case at::kFloat:
      case at::kDouble:
      case at::kHalf:
      case at::kBFloat16:
      case at::kInt:
      case at::kLong:
      case at::kByte:
        return always_memory || choice.shared(static_cast<int64_t>(tensor.nbytes()));
      default:
        return false;
    }
  }

  // start: gives the transport its work. finish: what is left after it.
  template <class Start>
  std::unique_ptr<Work> start(
      const char* call, const Start& start, std::function<void()> finish = [] {}) {
    options.while_waiting();
    try {
      return std::make_unique<PendingWork>(call, start(), options, std::move(finish));
    } catch (const Error&) {
      throw;
    } catch (const std::exception& e) {
      options.explain();
      lost(call, brief(e));
    }
  }
};

ProcessGroup::ProcessGroup() = default;

// The transport's destructor would wait for collectives that never end: then it is left where it is, as the process
// ends soon.
ProcessGroup::~ProcessGroup() {
  if (!transport_) return;
  try {
    transport_->options.while_waiting();
  } catch (const Error&) {
    transport_->group.release();
  }
}

ProcessGroup::ProcessGroup(Store& store, const std::string& name, std::vector<int> ranks, int rank,
                           ProcessGroupOptions options)
    : rank_(rank), ranks_(std::move(ranks)) {
  if (ranks_.size() < 2) return;
  transport_ = std::make_unique<Transport>();
  transport_->options = std::move(options);
  auto gloo = c10d::ProcessGroupGloo::Options::create();
  gloo->timeout = transport_->options.timeout;
  gloo->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(transport_->options.address));
  const auto keys = c10::make_intrusive<c10d::PrefixStore>("group/" + name, store.impl().store);
  try {
    transport_->group = c10::make_intrusive<c10d::ProcessGroupGloo>(keys, rank_, size(), gloo);
  } catch (const std::exception& e) {
    transport_->options.explain();
    throw Error(ErrorKind::processes, "the processes of the run did not meet: " + brief(e));
  }
}

std::string ProcessGroup::use_shared_memory(Store& store, const std::string& name, bool always) {
  if (!transport_) return "";
  SharedMemoryOptions options;
  options.exchange.rank = rank_;
  options.exchange.size = size();
  options.exchange.publish = [&](const std::string& key, const std::string& value) {
    store.set("memory/" + name + "/" + key, value);
  };
  options.exchange.fetch = [&](const std::string& key) {
    return store.get("memory/" + name + "/" + key, transport_->options.timeout, transport_->options.while_waiting);
  };
  options.while_waiting = transport_->options.while_waiting;
  auto memory = std::make_unique<SharedMemory>(std::move(options));
  if (!memory->usable()) return "shared memory is not used: " + memory->reason();
  transport_->always_memory = always;
  if (!always)
    transport_->choice = measure_reductions(*memory, [this](at::Tensor& t) { all_reduce(t, ReduceOp::sum); });
  transport_->memory = std::move(memory);
  return always ? "shared memory, at all sizes" : transport_->choice.text();
}

std::unique_ptr<Work> ProcessGroup::all_reduce_async(const at::Tensor& tensor, ReduceOp op) {
  if (op == ReduceOp::mean && !tensor.is_floating_point())
    throw Error(ErrorKind::usage, "a mean over processes needs a floating-point tensor");
  if (!transport_) return std::make_unique<NoWork>();
  const at::NoGradGuard no_grad;
  if (transport_->takes(tensor)) {
    const BreadcrumbScope place(nullptr, "all_reduce");
    transport_->options.while_waiting();
    transport_->memory->all_reduce(tensor.detach(), node_reduction(op));
    return std::make_unique<NoWork>();
  }
  std::vector<at::Tensor> wire = {on_wire(tensor, wire_type(tensor.scalar_type()))};
  c10d::AllreduceOptions options;
  options.reduceOp = wire_op(op);
  const auto finish = [tensor, sent = wire.front(), op, n = size()]() mutable {
    if (op == ReduceOp::mean) sent.div_(n);
    if (!sent.is_alias_of(tensor)) at::Tensor(tensor.detach()).copy_(sent);
  };
  return transport_->start(
      "all_reduce", [&] { return transport_->group->allreduce(wire, options); }, finish);
}

void ProcessGroup::all_reduce(const at::Tensor& tensor, ReduceOp op) { all_reduce_async(tensor, op)->wait(); }

void ProcessGroup::broadcast(const at::Tensor& tensor, int root) {
  if (!transport_) return;
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> wire = {on_wire(tensor, wire_type(tensor.scalar_type()))};
  c10d::BroadcastOptions options;
  options.rootRank = root;
  transport_->start("broadcast", [&] { return transport_->group->broadcast(wire, options); })->wait();
  if (!wire.front().is_alias_of(tensor)) at::Tensor(tensor.detach()).copy_(wire.front());
}

void ProcessGroup::reduce(const at::Tensor& tensor, int root, ReduceOp op) {
  if (!transport_) return;
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> wire = {on_wire(tensor, wire_type(tensor.scalar_type()))};
  c10d::ReduceOptions options;
  options.reduceOp = wire_op(op);
  options.rootRank = root;
  transport_->start("reduce", [&] { return transport_->group->reduce(wire, options); })->wait();
  if (op == ReduceOp::mean) wire.front().div_(size());
  if (!wire.front().is_alias_of(tensor)) at::Tensor(tensor.detach()).copy_(wire.front());
}

std::vector<at::Tensor> ProcessGroup::all_gather(const at::Tensor& tensor) {
  if (!transport_) return {tensor.detach().clone()};
  const at::NoGradGuard no_grad;
  std::vector<at::Tensor> wire = {on_wire(tensor, wire_type(tensor.scalar_type()))};
  std::vector<std::vector<at::Tensor>> all(1);
  for (int r = 0; r < size(); ++r) all[0].push_back(at::empty_like(wire.front()));
  transport_->start("all_gather", [&] { return transport_->group->allgather(all, wire); })->wait();
  for (at::Tensor& t : all[0]) t = t.to(tensor.options());
  return all[0];
}

std::vector<at::Tensor> ProcessGroup::gather(const at::Tensor& tensor, int root) {
  std::vector<at::Tensor> all = all_gather(tensor);  // Gloo's gather is no faster
  return rank_ == root ? all : std::vector<at::Tensor>();
}

void ProcessGroup::scatter(const at::Tensor& out, const std::vector<at::Tensor>& parts, int root) {
  const at::NoGradGuard no_grad;
  if (!transport_) {
    at::Tensor(out.detach()).copy_(parts.at(0));
    return;
  }
  std::vector<at::Tensor> to = {at::empty(out.sizes(), at::TensorOptions(wire_type(out.scalar_type())))};
  std::vector<std::vector<at::Tensor>> from;
  if (rank_ == root) {
    from.emplace_back();
    for (const at::Tensor& part : parts) from[0].push_back(on_wire(part, to[0].scalar_type()));
  }
  c10d::ScatterOptions options;
  options.rootRank = root;
  transport_->start("scatter", [&] { return transport_->group->scatter(to, from, options); })->wait();
  at::Tensor(out.detach()).copy_(to.front());
}

// Gloo has it in newer versions only.
void ProcessGroup::reduce_scatter(const at::Tensor& out, const std::vector<at::Tensor>& parts, ReduceOp op) {
  const at::NoGradGuard no_grad;
  for (int r = 0; r < size(); ++r) {
    const at::Tensor part = parts.at(static_cast<size_t>(r)).detach().clone();
    reduce(part, r, op);
    if (r == rank_) at::Tensor(out.detach()).copy_(part);
  }
}

std::unique_ptr<Work> ProcessGroup::send(const at::Tensor& tensor, int to, int tag) {
  if (!transport_) throw Error(ErrorKind::usage, "send: there is no other process");
  const at::NoGradGuard no_grad;
  auto wire = std::make_shared<std::vector<at::Tensor>>(1, on_wire(tensor, wire_type(tensor.scalar_type())));
  return transport_->start(
      "send", [&] { return transport_->group->send(*wire, to, tag); }, [wire] {});
}

std::unique_ptr<Work> ProcessGroup::receive(const at::Tensor& tensor, int from, int tag) {
  if (!transport_) throw Error(ErrorKind::usage, "recv: there is no other process");
  auto wire = std::make_shared<std::vector<at::Tensor>>(
      1, at::empty(tensor.sizes(), at::TensorOptions(wire_type(tensor.scalar_type()))));
  return transport_->start(
      "recv", [&] { return transport_->group->recv(*wire, from, tag); },
      [wire, tensor] { at::Tensor(tensor.detach()).copy_(wire->front()); });
}

void ProcessGroup::barrier() { all_reduce(at::zeros({1}, at::kInt), ReduceOp::sum); }

// A block has the number of bytes and the first ones, so that small ones take one collective.
std::vector<std::string> ProcessGroup::all_gather_bytes(const std::string& bytes) {
  if (!transport_) return {bytes};
  constexpr size_t block = 2048, head = sizeof(int64_t);
  const auto mine = static_cast<int64_t>(bytes.size());
  const size_t first = std::min(bytes.size(), block - head);
  const at::Tensor begin = at::zeros({static_cast<int64_t>(block)}, at::kByte);
  std::memcpy(begin.data_ptr(), &mine, head);
  std::memcpy(static_cast<char*>(begin.data_ptr()) + head, bytes.data(), first);
  std::vector<size_t> sizes;
  std::vector<std::string> out;
  for (const at::Tensor& theirs : all_gather(begin)) {
    const auto* data = static_cast<const char*>(theirs.data_ptr());
    int64_t size = 0;
    std::memcpy(&size, data, head);
    sizes.push_back(static_cast<size_t>(size));
    out.emplace_back(data + head, std::min(sizes.back(), block - head));
  }
  const size_t most = *std::max_element(sizes.begin(), sizes.end());
  if (most <= block - head) return out;
  const at::Tensor rest = at::zeros({static_cast<int64_t>(most - (block - head))}, at::kByte);
  std::memcpy(rest.data_ptr(), bytes.data() + first, bytes.size() - first);
  const std::vector<at::Tensor> all = all_gather(rest);
  for (size_t r = 0; r < all.size(); ++r)
    out[r].append(static_cast<const char*>(all[r].data_ptr()), sizes[r] - out[r].size());
  return out;
}

}  // namespace levin::core
