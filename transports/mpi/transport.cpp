// MPI's collectives as a LibTorch back end, for contiguous CPU tensors of the types below. All collectives are
// non-blocking and progress when polled.
#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>

#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "core/distributed/transports/transport.hpp"
#include "transports/mpi/mpi_world.hpp"

namespace levin::core {
namespace {

using Tensors = std::vector<at::Tensor>;

struct TypeRow {
  at::ScalarType of_torch;
  MPI_Datatype of_mpi;
};

MPI_Datatype type_of(const at::Tensor& tensor) {
  const TypeRow rows[] = {{at::kFloat, MPI_FLOAT},  {at::kDouble, MPI_DOUBLE}, {at::kInt, MPI_INT32_T},
                          {at::kLong, MPI_INT64_T}, {at::kByte, MPI_UINT8_T},  {at::kChar, MPI_INT8_T}};
  for (const TypeRow& row : rows)
    if (row.of_torch == tensor.scalar_type()) return row.of_mpi;
  throw std::runtime_error(std::string("MPI does not carry tensors of the type ") +
                           c10::toString(tensor.scalar_type()));
}

MPI_Op op_of(const c10d::ReduceOp& op) {
  if (op == c10d::ReduceOp::MAX) return MPI_MAX;
  if (op == c10d::ReduceOp::MIN) return MPI_MIN;
  return MPI_SUM;
}

// Throws std::runtime_error if the count does not fit into MPI's int.
int count_of(const at::Tensor& tensor) {
  if (tensor.numel() > INT32_MAX)
    throw std::runtime_error("MPI carries up to 2147483647 values of a tensor, and this one has " +
                             std::to_string(tensor.numel()));
  return static_cast<int>(tensor.numel());
}

// A running collective. It keeps the tensors that it reads and writes until it is done.
class MpiWork : public c10d::Work {
 public:
  MpiWork(Tensors kept, std::function<void()> finish) : kept_(std::move(kept)), finish_(std::move(finish)) {}

  MPI_Request* request() { return &request_; }
  bool isCompleted() override {
    const std::lock_guard<std::mutex> mine(mutex_);
    if (done_) return true;
    int done = 0;
    {
      const std::lock_guard<std::mutex> lock(mpi_calls());
      check_mpi(MPI_Test(&request_, &done, MPI_STATUS_IGNORE), "MPI_Test");
    }
    if (!done) return false;
    finish_();
    return done_ = true;
  }
  bool isSuccess() const override { return true; }
  void synchronize() override {}
  bool wait(std::chrono::milliseconds) override {
    while (!isCompleted()) std::this_thread::yield();
    return true;
  }

 private:
  const Tensors kept_;
  const std::function<void()> finish_;
  MPI_Request request_ = MPI_REQUEST_NULL;
  bool done_ = false;
};

class MpiGroup : public C10dGroup {
 public:
  explicit MpiGroup(const TransportPlace& place)
      : C10dGroup(place.rank, static_cast<int>(place.ranks.size())),
        communicator_(std::make_unique<MpiCommunicator>(place.ranks, place.rank)) {}
  // Waits up to 5 s for running collectives, because their memory may be freed only after they are done. If some never
  // finish, they are leaked and end with the process.
  ~MpiGroup() override {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    for (drop_done(); !under_way_.empty() && std::chrono::steady_clock::now() < end; drop_done())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    for (auto& work : under_way_) work.release();
    if (!under_way_.empty()) communicator_.release();
  }
  const std::string getBackendName() const override { return "mpi"; }

  c10::intrusive_ptr<c10d::Work> allreduce(Tensors& tensors, const c10d::AllreduceOptions& options) override {
    const at::Tensor& t = tensors.at(0);
    return start("MPI_Iallreduce", {t}, [&](MPI_Request* request) {
      return MPI_Iallreduce(MPI_IN_PLACE, t.data_ptr(), count_of(t), type_of(t), op_of(options.reduceOp),
                            communicator_->get(), request);
    });
  }
  c10::intrusive_ptr<c10d::Work> broadcast(Tensors& tensors, const c10d::BroadcastOptions& options) override {
    const at::Tensor& t = tensors.at(0);
    return start("MPI_Ibcast", {t}, [&](MPI_Request* request) {
      return MPI_Ibcast(t.data_ptr(), count_of(t), type_of(t), static_cast<int>(options.rootRank), communicator_->get(),
                        request);
    });
  }
  c10::intrusive_ptr<c10d::Work> reduce(Tensors& tensors, const c10d::ReduceOptions& options) override {
    const at::Tensor& t = tensors.at(0);
    const void* from = rank_ == options.rootRank ? MPI_IN_PLACE : t.data_ptr();
    return start("MPI_Ireduce", {t}, [&](MPI_Request* request) {
      return MPI_Ireduce(from, t.data_ptr(), count_of(t), type_of(t), op_of(options.reduceOp),
                         static_cast<int>(options.rootRank), communicator_->get(), request);
    });
  }
  c10::intrusive_ptr<c10d::Work> allgather(std::vector<Tensors>& outputs, Tensors& inputs,
                                           const c10d::AllgatherOptions&) override {
    const at::Tensor& t = inputs.at(0);
    const at::Tensor all = at::empty({size_, t.numel()}, t.options());
    const auto finish = [all, out = outputs.at(0)] {
      for (size_t r = 0; r < out.size(); ++r)
        at::Tensor(out[r]).copy_(all.select(0, static_cast<int64_t>(r)).view(out[r].sizes()));
    };
    const auto ask = [&](MPI_Request* request) {
      return MPI_Iallgather(t.data_ptr(), count_of(t), type_of(t), all.data_ptr(), count_of(t), type_of(t),
                            communicator_->get(), request);
    };
    return start("MPI_Iallgather", {t, all}, ask, finish);
  }
  c10::intrusive_ptr<c10d::Work> scatter(Tensors& outputs, std::vector<Tensors>& inputs,
                                         const c10d::ScatterOptions& options) override {
    const at::Tensor& t = outputs.at(0);
    const bool is_root = rank_ == options.rootRank;
    const at::Tensor all = is_root ? at::stack(inputs.at(0)) : t;
    return start("MPI_Iscatter", {t, all}, [&](MPI_Request* request) {
      return MPI_Iscatter(all.data_ptr(), count_of(t), type_of(t), t.data_ptr(), count_of(t), type_of(t),
                          static_cast<int>(options.rootRank), communicator_->get(), request);
    });
  }

 private:
  template <class Ask>
  c10::intrusive_ptr<c10d::Work> start(
      const char* call, Tensors kept, const Ask& ask, std::function<void()> finish = [] {}) {
    auto work = c10::make_intrusive<MpiWork>(std::move(kept), std::move(finish));
    drop_done();
    {
      const std::lock_guard<std::mutex> lock(mpi_calls());
      check_mpi(ask(work->request()), call);
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    under_way_.push_back(work);
    return work;
  }
  void drop_done() {
    const std::lock_guard<std::mutex> lock(mutex_);
    under_way_.remove_if([](const c10::intrusive_ptr<MpiWork>& work) { return work->isCompleted(); });
  }

  std::unique_ptr<MpiCommunicator> communicator_;
  std::mutex mutex_;
  std::list<c10::intrusive_ptr<MpiWork>> under_way_;
};

}  // namespace
}  // namespace levin::core

extern "C" void levin_make_transport(const levin::core::TransportPlace& place, levin::core::Transport& out) {
  out.group = c10::make_intrusive<levin::core::MpiGroup>(place);
  out.wire.adds_halves = false;
  out.carries = [](const at::Tensor& tensor) { return !tensor.is_sparse(); };
  out.text = "mpi";
}
