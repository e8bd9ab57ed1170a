#include "core/distributed/process_group.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <thread>
#include <utility>

#include "core/abi/breadcrumb.hpp"
#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/distributed/messages.hpp"
#include "core/distributed/node/reduction_choice.hpp"
#include "core/distributed/pending_work.hpp"
#include "core/distributed/store_impl.hpp"
#include "core/distributed/transports/transport.hpp"
#include "core/distributed/watch/purpose.hpp"
#include "core/distributed/wire.hpp"

namespace levin::core {
namespace {

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

void copy_back(const at::Tensor& tensor, const at::Tensor& value) {
  if (!value.is_alias_of(tensor)) at::Tensor(tensor.detach()).copy_(value);
}

TrailStep step_of(const char* call, const at::Tensor& tensor) {
  TrailStep step;
  step.call = call;
  step.purpose = collective_purpose;
  step.type = c10::toString(tensor.scalar_type());
  step.dimensions = tensor.dim();
  for (size_t d = 0; d < step.sizes.size() && d < static_cast<size_t>(tensor.dim()); ++d)
    step.sizes[d] = tensor.size(static_cast<int64_t>(d));
  return step;
}

class NoWork : public Work {
 public:
  void wait() override {}
  bool done() override { return true; }
};

}  // namespace

struct ProcessGroup::Transport {
  struct Carrier {
    c10::intrusive_ptr<C10dGroup> group;
    Wire wire;
    bool polled = false;
  };
  ProcessGroupOptions options;
  Carrier gloo, chosen;  // chosen: NCCL or MPI, or nothing
  std::unique_ptr<Messages> messages;
  std::unique_ptr<SharedMemory> memory;  // nullptr: not used
  ReductionChoice choice;
  bool always_memory = false;
  TrailLine* line = nullptr;  // of options.trail

  Begun begin(const char* call, const at::Tensor& tensor) {
    return {call, line, line ? options.trail->begin(*line, step_of(call, tensor)) : 0};
  }

  const Carrier& carrier(const at::Tensor& tensor) const {
    const bool fits = chosen.group && !tensor.is_sparse();
    return fits && (chosen.wire.device == at::kCPU || tensor.device().type() == chosen.wire.device) ? chosen : gloo;
  }
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
  std::unique_ptr<Work> start(const char* call, const at::Tensor& tensor, const Carrier& by, const Start& start,
                              std::function<void()> finish) {
    options.while_waiting();
    const Begun begun = begin(call, tensor);
    try {
      return std::make_unique<PendingWork>(begun, start(*by.group), by.polled, options, std::move(finish));
    } catch (const Error&) {
      throw;
    } catch (const std::exception& e) {
      options.explain();
      collective_lost(call, brief(e));
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
    transport_->gloo.group.release();
    if (transport_->chosen.group) abort_collectives(*transport_->chosen.group.release(), 0);
  }
}

ProcessGroup::ProcessGroup(Store& store, const std::string& name, std::vector<int> ranks, int rank,
                           ProcessGroupOptions options)
    : rank_(rank), ranks_(std::move(ranks)) {
  if (ranks_.size() < 2) return;
  transport_ = std::make_unique<Transport>();
  transport_->options = std::move(options);
  if (Trail* const trail = transport_->options.trail)
    transport_->line = &trail->line("group '" + transport_->options.trail_name + "'", ranks_);
  auto gloo = c10d::ProcessGroupGloo::Options::create();
  gloo->timeout = transport_->options.timeout;
  gloo->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(transport_->options.address));
  const auto keys = c10::make_intrusive<c10d::PrefixStore>("group/" + name, store.impl().store);
  try {
    transport_->gloo.group = c10::make_intrusive<c10d::ProcessGroupGloo>(keys, rank_, size(), gloo);
    transport_->messages = std::make_unique<Messages>(transport_->gloo.group, ranks_, rank_, transport_->options);
  } catch (const std::exception& e) {
    transport_->options.explain();
    throw Error(ErrorKind::processes, "the processes of the run did not meet: " + brief(e));
  }
}

void ProcessGroup::use_transport(Store& store, const std::string& name, const std::string& transport) {
  if (!transport_) return;
  transport_->chosen = {};
  if (transport.empty()) return;
  TransportPlace place;
  place.store = c10::make_intrusive<c10d::PrefixStore>(transport + "/" + name, store.impl().store);
  place.ranks = ranks_;
  place.rank = rank_;
  place.timeout = transport_->options.timeout;
  transport_->options.while_waiting();
  try {
    Transport::Carrier& chosen = transport_->chosen;
    chosen.group = c10::intrusive_ptr<C10dGroup>::reclaim(load_transport(transport)(place));
    chosen.wire = transport == "nccl" ? nccl_wire : mpi_wire;
    chosen.polled = true;
  } catch (const std::exception& e) {
    throw Error(ErrorKind::usage, brief(e));
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

// There is nothing to transfer.
bool ProcessGroup::is_idle(const at::Tensor& tensor) const { return !transport_ || tensor.numel() == 0; }

std::unique_ptr<Work> ProcessGroup::all_reduce_async(const at::Tensor& tensor, ReduceOp op) {
  if (op == ReduceOp::mean && !tensor.is_floating_point())
    throw Error(ErrorKind::usage, "a mean over processes needs a floating-point tensor");
  if (is_idle(tensor)) return std::make_unique<NoWork>();
  const at::NoGradGuard no_grad;
  if (transport_->takes(tensor)) {
    transport_->options.while_waiting();
    const Begun begun = transport_->begin("all_reduce", tensor);
    const Trail::Wait shown(transport_->options.trail, begun.line, begun.number, begun.call);
    const BreadcrumbScope place(nullptr, "all_reduce");
    transport_->memory->all_reduce(tensor.detach(), node_reduction(op));
    return std::make_unique<NoWork>();
  }
  const auto& by = transport_->carrier(tensor);
  std::vector<at::Tensor> wire = {on_wire(tensor, by.wire)};
  c10d::AllreduceOptions options;
  options.reduceOp = wire_op(op);
  const auto finish = [tensor, sent = wire.front(), op, n = size()]() mutable {
    if (op == ReduceOp::mean) sent.div_(n);
    copy_back(tensor, sent);
  };
  return transport_->start(
      "all_reduce", tensor, by, [&](C10dGroup& group) { return group.allreduce(wire, options); }, finish);
}

std::unique_ptr<Work> ProcessGroup::broadcast_async(const at::Tensor& tensor, int root) {
  if (is_idle(tensor)) return std::make_unique<NoWork>();
  const at::NoGradGuard no_grad;
  const auto& by = transport_->carrier(tensor);
  std::vector<at::Tensor> wire = {on_wire(tensor, by.wire)};
  c10d::BroadcastOptions options;
  options.rootRank = root;
  return transport_->start(
      "broadcast", tensor, by, [&](C10dGroup& group) { return group.broadcast(wire, options); },
      [tensor, sent = wire.front()] { copy_back(tensor, sent); });
}

std::unique_ptr<Work> ProcessGroup::reduce_async(const at::Tensor& tensor, int root, ReduceOp op) {
  if (is_idle(tensor)) return std::make_unique<NoWork>();
  const at::NoGradGuard no_grad;
  const auto& by = transport_->carrier(tensor);
  std::vector<at::Tensor> wire = {on_wire(tensor, by.wire)};
  c10d::ReduceOptions options;
  options.reduceOp = wire_op(op);
  options.rootRank = root;
  const auto finish = [tensor, sent = wire.front(), op, n = size()]() mutable {
    if (op == ReduceOp::mean) sent.div_(n);
    copy_back(tensor, sent);
  };
  return transport_->start(
      "reduce", tensor, by, [&](C10dGroup& group) { return group.reduce(wire, options); }, finish);
}

std::unique_ptr<Work> ProcessGroup::all_gather_async(const at::Tensor& tensor, std::vector<at::Tensor>& out) {
  const at::NoGradGuard no_grad;
  out.clear();
  for (int r = 0; r < size(); ++r) out.push_back(at::empty(tensor.sizes(), tensor.options()));
  if (is_idle(tensor)) {
    out.at(static_cast<size_t>(rank_)).copy_(tensor.detach());
    return std::make_unique<NoWork>();
  }
  const auto& by = transport_->carrier(tensor);
  std::vector<at::Tensor> wire = {on_wire(tensor, by.wire)};
  std::vector<std::vector<at::Tensor>> all(1);
  for (const at::Tensor& to : out) all[0].push_back(on_wire(to, by.wire));
  const auto finish = [out, got = all[0]] {
    for (size_t r = 0; r < out.size(); ++r) copy_back(out[r], got[r]);
  };
  return transport_->start(
      "all_gather", tensor, by, [&](C10dGroup& group) { return group.allgather(all, wire); }, finish);
}

std::unique_ptr<Work> ProcessGroup::scatter_async(const at::Tensor& out, const std::vector<at::Tensor>& parts,
                                                  int root) {
  const at::NoGradGuard no_grad;
  if (is_idle(out)) {
    if (!transport_) copy_back(out, parts.at(0));
    return std::make_unique<NoWork>();
  }
  const auto& by = transport_->carrier(out);
  std::vector<at::Tensor> to = {on_wire(at::empty(out.sizes(), out.options()), by.wire)};
  std::vector<std::vector<at::Tensor>> from;
  if (rank_ == root) {
    from.emplace_back();
    for (const at::Tensor& part : parts) from[0].push_back(on_wire(part, to[0].scalar_type(), by.wire));
  }
  c10d::ScatterOptions options;
  options.rootRank = root;
  return transport_->start(
      "scatter", out, by, [&](C10dGroup& group) { return group.scatter(to, from, options); },
      [out, got = to.front()] { copy_back(out, got); });
}

// Gloo has it in newer versions only.
std::unique_ptr<Work> ProcessGroup::reduce_scatter_async(const at::Tensor& out, const std::vector<at::Tensor>& parts,
                                                         ReduceOp op) {
  if (op == ReduceOp::mean && !out.is_floating_point())
    throw Error(ErrorKind::usage, "a mean over processes needs a floating-point tensor");
  const at::NoGradGuard no_grad;
  if (is_idle(out)) {
    if (!transport_) copy_back(out, parts.at(0));
    return std::make_unique<NoWork>();
  }
  const auto& by = transport_->carrier(out);
  std::vector<at::Tensor> sent;
  for (const at::Tensor& part : parts) sent.push_back(on_wire(part, by.wire));
  std::vector<at::Tensor> wire = {at::stack(sent)};
  c10d::AllreduceOptions options;
  options.reduceOp = wire_op(op);
  const auto finish = [out, all = wire.front(), op, n = size(), r = rank_] {
    at::Tensor mine = all.select(0, r);
    if (op == ReduceOp::mean) mine.div_(n);
    copy_back(out, mine);
  };
  return transport_->start(
      "reduce_scatter", out, by, [&](C10dGroup& group) { return group.allreduce(wire, options); }, finish);
}

void ProcessGroup::all_reduce(const at::Tensor& tensor, ReduceOp op) { all_reduce_async(tensor, op)->wait(); }
void ProcessGroup::broadcast(const at::Tensor& tensor, int root) { broadcast_async(tensor, root)->wait(); }
void ProcessGroup::reduce(const at::Tensor& tensor, int root, ReduceOp op) { reduce_async(tensor, root, op)->wait(); }
void ProcessGroup::scatter(const at::Tensor& out, const std::vector<at::Tensor>& parts, int root) {
  scatter_async(out, parts, root)->wait();
}
void ProcessGroup::reduce_scatter(const at::Tensor& out, const std::vector<at::Tensor>& parts, ReduceOp op) {
  reduce_scatter_async(out, parts, op)->wait();
}

std::vector<at::Tensor> ProcessGroup::all_gather(const at::Tensor& tensor) {
  std::vector<at::Tensor> out;
  all_gather_async(tensor, out)->wait();
  return out;
}

std::vector<at::Tensor> ProcessGroup::gather(const at::Tensor& tensor, int root) {
  std::vector<at::Tensor> all = all_gather(tensor);  // Gloo's gather is no faster
  return rank_ == root ? all : std::vector<at::Tensor>();
}

std::unique_ptr<Work> ProcessGroup::send(const at::Tensor& tensor, int to, int tag) {
  if (!transport_) throw Error(ErrorKind::usage, "send: there is no other process");
  const at::NoGradGuard no_grad;
  return transport_->messages->send(tensor, on_wire(tensor), to, tag);
}

std::unique_ptr<Work> ProcessGroup::receive(const at::Tensor& tensor, int from, int tag) {
  if (!transport_) throw Error(ErrorKind::usage, "recv: there is no other process");
  const at::NoGradGuard no_grad;
  return transport_->messages->receive(tensor, on_wire(tensor), from, tag);
}

std::unique_ptr<Work> ProcessGroup::barrier_async() {
  return all_reduce_async(at::zeros({1}, at::kInt), ReduceOp::sum);
}
void ProcessGroup::barrier() { barrier_async()->wait(); }

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
