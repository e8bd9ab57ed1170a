// All-reduces among the processes of one machine through shared memory, as a LibTorch back end for CPU tensors.
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>

#include "core/distributed/transports/transport.hpp"
#include "transports/node/reduction_choice.hpp"

namespace levin::core {
namespace {

NodeReduction reduction_of(const c10d::ReduceOp& op) {
  if (op == c10d::ReduceOp::AVG) return NodeReduction::mean;
  if (op == c10d::ReduceOp::MAX) return NodeReduction::max;
  return op == c10d::ReduceOp::MIN ? NodeReduction::min : NodeReduction::sum;
}

class DoneWork : public c10d::Work {
 public:
  bool isCompleted() override { return true; }
  bool isSuccess() const override { return true; }
  void synchronize() override {}
  bool wait(std::chrono::milliseconds) override { return true; }
};

class SharedMemoryGroup : public C10dGroup {
 public:
  SharedMemoryGroup(int rank, int size, std::shared_ptr<SharedMemory> memory)
      : C10dGroup(rank, size), memory_(std::move(memory)) {}
  const std::string getBackendName() const override { return "shared memory"; }
  c10::intrusive_ptr<c10d::Work> allreduce(std::vector<at::Tensor>& tensors,
                                           const c10d::AllreduceOptions& options) override {
    memory_->all_reduce(tensors.at(0), reduction_of(options.reduceOp));
    return done_;
  }

 private:
  const std::shared_ptr<SharedMemory> memory_;
  const c10::intrusive_ptr<c10d::Work> done_ = c10::make_intrusive<DoneWork>();
};

SharedMemoryOptions memory_options(const TransportPlace& place) {
  SharedMemoryOptions options;
  options.exchange.rank = place.rank;
  options.exchange.size = static_cast<int>(place.ranks.size());
  options.exchange.publish = [&place](const std::string& key, const std::string& value) {
    place.store->set(key, std::vector<uint8_t>(value.begin(), value.end()));
  };
  options.exchange.fetch = [&place](const std::string& key) {
    for (; !place.store->check({key}); std::this_thread::sleep_for(std::chrono::milliseconds(2))) place.while_waiting();
    const std::vector<uint8_t> bytes = place.store->get(key);
    return std::string(bytes.begin(), bytes.end());
  };
  options.while_waiting = place.while_waiting;
  return options;
}

bool can_carry(const at::Tensor& tensor) {
  if (!tensor.device().is_cpu() || tensor.is_sparse() || !tensor.is_contiguous()) return false;
  switch (tensor.scalar_type()) {
    case at::kFloat:
    case at::kDouble:
    case at::kHalf:
    case at::kBFloat16:
    case at::kInt:
    case at::kLong:
    case at::kByte:
      return true;
    default:
      return false;
  }
}

}  // namespace
}  // namespace levin::core

extern "C" void levin_make_transport(const levin::core::TransportPlace& place, levin::core::Transport& out) {
  using namespace levin::core;
  const auto memory = std::make_shared<SharedMemory>(memory_options(place));
  if (!memory->usable()) throw std::runtime_error(memory->reason());
  out.group = c10::make_intrusive<SharedMemoryGroup>(place.rank, static_cast<int>(place.ranks.size()), memory);
  out.wire = {at::kCPU, /*adds_halves=*/true, /*adds_bfloat16=*/true, /*averages=*/true};
  out.only_all_reduces = out.blocks = true;
  out.carries = &can_carry;
  out.text = "shared memory, at all sizes";
  if (!place.other) return;
  const ReductionChoice choice = measure_reductions(*memory, place.other);
  out.carries = [choice](const at::Tensor& tensor) {
    return can_carry(tensor) && choice.shared(static_cast<int64_t>(tensor.nbytes()));
  };
  out.text = choice.text();
}
