#include "core/distributed/process_group.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/error.hpp"
#include "core/distributed/group_transport.hpp"
#include "core/distributed/transports/wire.hpp"
#include "core/distributed/watch/collective_log.hpp"

namespace levin::core {
namespace {

// A sum of bools is their logical or, which is a maximum.
c10d::ReduceOp::RedOpType wire_op(const at::Tensor& tensor, ReduceOp op, const Wire& wire) {
  if (op == ReduceOp::mean && wire.averages) return c10d::ReduceOp::AVG;
  if (op == ReduceOp::max || (op == ReduceOp::sum && tensor.scalar_type() == at::kBool)) return c10d::ReduceOp::MAX;
  if (op == ReduceOp::min) return c10d::ReduceOp::MIN;
  return c10d::ReduceOp::SUM;
}

// Means of half types are summed in float, because the sum may overflow.
at::ScalarType reduced_type(const at::Tensor& tensor, ReduceOp op, const Wire& wire) {
  const at::ScalarType type = c10::toRealValueType(tensor.scalar_type());
  const bool coarse = !wire.averages && (type == at::kHalf || type == at::kBFloat16);
  return op == ReduceOp::mean && coarse ? at::kFloat : wire_type(type, wire);
}

void check_reduction(const at::Tensor& tensor, ReduceOp op) {
  if (op == ReduceOp::mean && !tensor.is_floating_point() && !tensor.is_complex())
    throw Error(ErrorCode::call_invalid, "a mean over processes needs a floating-point tensor");
  if ((op == ReduceOp::max || op == ReduceOp::min) && tensor.is_complex())
    throw Error(ErrorCode::call_invalid, "complex numbers have neither a largest nor a smallest one over processes");
}

// Handles overlapping memory: both may be views of one tensor.
void copy_part(const at::Tensor& part, const at::Tensor& out) {
  at::Tensor(out.detach()).copy_(part.is_alias_of(out) ? part.detach().clone() : part.detach());
}

}  // namespace

// Returns true if there is nothing to transfer.
bool ProcessGroup::is_idle(const at::Tensor& tensor) const { return !transports_ || tensor.numel() == 0; }

bool ProcessGroup::waits_at_once(const at::Tensor& tensor) const {
  return !is_idle(tensor) && transports_->carrier(tensor, /*all_reduces=*/true).blocks;
}

std::unique_ptr<Work> ProcessGroup::all_reduce_async(const at::Tensor& tensor, ReduceOp op) {
  check_reduction(tensor, op);
  if (is_idle(tensor)) return std::make_unique<NoWork>();
  const at::NoGradGuard no_grad;
  const auto& by = transports_->carrier(tensor, /*all_reduces=*/true);
  std::vector<at::Tensor> wire = {on_wire(tensor, reduced_type(tensor, op, by.wire), by.wire)};
  c10d::AllreduceOptions options;
  options.reduceOp = wire_op(tensor, op, by.wire);
  const auto finish = [tensor, sent = wire.front(), divides = op == ReduceOp::mean && !by.wire.averages,
                       n = size()]() mutable {
    if (divides) sent.div_(n);
    off_wire(sent, tensor);
  };
  return transports_->start(
      "all_reduce", tensor, by, [&](C10dGroup& group) { return group.allreduce(wire, options); }, finish);
}

std::unique_ptr<Work> ProcessGroup::broadcast_async(const at::Tensor& tensor, int root) {
  if (is_idle(tensor)) return std::make_unique<NoWork>();
  const at::NoGradGuard no_grad;
  const auto& by = transports_->carrier(tensor);
  std::vector<at::Tensor> wire = {on_wire(tensor, by.wire)};
  c10d::BroadcastOptions options;
  options.rootRank = root;
  return transports_->start(
      "broadcast", tensor, by, [&](C10dGroup& group) { return group.broadcast(wire, options); },
      [tensor, sent = wire.front()] { off_wire(sent, tensor); });
}

std::unique_ptr<Work> ProcessGroup::reduce_async(const at::Tensor& tensor, int root, ReduceOp op) {
  check_reduction(tensor, op);
  if (is_idle(tensor)) return std::make_unique<NoWork>();
  const at::NoGradGuard no_grad;
  const auto& by = transports_->carrier(tensor);
  std::vector<at::Tensor> wire = {on_wire(tensor, reduced_type(tensor, op, by.wire), by.wire)};
  c10d::ReduceOptions options;
  options.reduceOp = wire_op(tensor, op, by.wire);
  options.rootRank = root;
  const auto finish = [tensor, sent = wire.front(), op, n = size()]() mutable {
    if (op == ReduceOp::mean) sent.div_(n);
    off_wire(sent, tensor);
  };
  return transports_->start(
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
  const auto& by = transports_->carrier(tensor);
  std::vector<at::Tensor> wire = {on_wire(tensor, by.wire)};
  std::vector<std::vector<at::Tensor>> all(1);
  for (const at::Tensor& to : out) all[0].push_back(on_wire(to, by.wire));
  const auto finish = [out, got = all[0]] {
    for (size_t r = 0; r < out.size(); ++r) off_wire(got[r], out[r]);
  };
  return transports_->start(
      "all_gather", tensor, by, [&](C10dGroup& group) { return group.allgather(all, wire); }, finish);
}

std::unique_ptr<Work> ProcessGroup::scatter_async(const at::Tensor& out, const std::vector<at::Tensor>& parts,
                                                  int root) {
  const at::NoGradGuard no_grad;
  if (is_idle(out)) {
    if (!transports_) copy_part(parts.at(0), out);
    return std::make_unique<NoWork>();
  }
  const auto& by = transports_->carrier(out);
  std::vector<at::Tensor> to = {on_wire(at::empty(out.sizes(), out.options()), by.wire)};
  std::vector<std::vector<at::Tensor>> from;
  if (rank_ == root) {
    from.emplace_back();
    for (const at::Tensor& part : parts) from[0].push_back(on_wire(part, to[0].scalar_type(), by.wire));
  }
  c10d::ScatterOptions options;
  options.rootRank = root;
  return transports_->start(
      "scatter", out, by, [&](C10dGroup& group) { return group.scatter(to, from, options); },
      [out, got = to.front()] { off_wire(got, out); });
}

// Implemented by all-reduce: only newer versions of Gloo have reduce-scatter.
std::unique_ptr<Work> ProcessGroup::reduce_scatter_async(const at::Tensor& out, const std::vector<at::Tensor>& parts,
                                                         ReduceOp op) {
  check_reduction(out, op);
  const at::NoGradGuard no_grad;
  if (is_idle(out)) {
    if (!transports_) copy_part(parts.at(0), out);
    return std::make_unique<NoWork>();
  }
  const auto& by = transports_->carrier(out);
  std::vector<at::Tensor> sent;
  for (const at::Tensor& part : parts) sent.push_back(on_wire(part, reduced_type(out, op, by.wire), by.wire));
  std::vector<at::Tensor> wire = {at::stack(sent)};
  c10d::AllreduceOptions options;
  options.reduceOp = wire_op(out, op, by.wire);
  const auto finish = [out, all = wire.front(), op, n = size(), r = rank_] {
    at::Tensor mine = all.select(0, r);
    if (op == ReduceOp::mean) mine.div_(n);
    off_wire(mine, out);
  };
  return transports_->start(
      "reduce_scatter", out, by, [&](C10dGroup& group) { return group.allreduce(wire, options); }, finish);
}

void ProcessGroup::all_reduce(const at::Tensor& tensor, ReduceOp op) { all_reduce_async(tensor, op)->wait(); }
void ProcessGroup::broadcast(const at::Tensor& tensor, int root) { broadcast_async(tensor, root)->wait(); }
void ProcessGroup::reduce_scatter(const at::Tensor& out, const std::vector<at::Tensor>& parts, ReduceOp op) {
  reduce_scatter_async(out, parts, op)->wait();
}

std::vector<at::Tensor> ProcessGroup::all_gather(const at::Tensor& tensor) {
  std::vector<at::Tensor> out;
  all_gather_async(tensor, out)->wait();
  return out;
}

std::unique_ptr<Work> ProcessGroup::send(const at::Tensor& tensor, int to, int tag) {
  if (!transports_) throw Error(ErrorCode::call_invalid, "send: there is no other process");
  const at::NoGradGuard no_grad;
  return transports_->messages->send(tensor, on_wire(tensor), to, tag);
}

std::unique_ptr<Work> ProcessGroup::receive(const at::Tensor& tensor, int from, int tag) {
  if (!transports_) throw Error(ErrorCode::call_invalid, "recv: there is no other process");
  const at::NoGradGuard no_grad;
  return transports_->messages->receive(tensor, on_wire(tensor), from, tag);
}

std::unique_ptr<Work> ProcessGroup::barrier_async() {
  return all_reduce_async(at::zeros({1}, at::kInt), ReduceOp::sum);
}
void ProcessGroup::barrier() { barrier_async()->wait(); }

int64_t ProcessGroup::largest(int64_t mine, const char* purpose) {
  const CollectiveLabel label(purpose);
  const at::Tensor value = at::full({1}, mine, at::TensorOptions(at::kLong));
  all_reduce(value, ReduceOp::max);
  return *value.data_ptr<int64_t>();
}

// The first block contains the number of bytes and the first bytes, so that short texts take a single collective.
std::vector<std::string> ProcessGroup::all_gather_bytes(const std::string& bytes) {
  if (!transports_) return {bytes};
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
