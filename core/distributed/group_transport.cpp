#include "core/distributed/group_transport.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "core/abi/breadcrumb.hpp"
#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/distributed/store/store_impl.hpp"
#include "core/distributed/transports/transport.hpp"
#include "core/distributed/watch/collective_label.hpp"
#include "core/distributed/watched_call.hpp"

namespace levin::core {
namespace {

CollectiveCall step_of(const char* call, const at::Tensor& tensor) {
  CollectiveCall step;
  step.call = call;
  step.purpose = collective_label;
  step.type = c10::toString(tensor.scalar_type());
  step.dimensions = tensor.dim();
  for (size_t d = 0; d < step.sizes.size() && d < static_cast<size_t>(tensor.dim()); ++d)
    step.sizes[d] = tensor.size(static_cast<int64_t>(d));
  return step;
}

// Gloo's own timeout would go on while the process is stopped, so it is disabled.
constexpr std::chrono::hours no_limit{24 * 3650};

c10::intrusive_ptr<C10dGroup> meet_by_gloo(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                                           const ProcessGroupOptions& options) {
  auto gloo = c10d::ProcessGroupGloo::Options::create();
  gloo->timeout = no_limit;
  gloo->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(options.address));
  const BreadcrumbScope place(nullptr, "new_group");
  TimeLimit limit(options.timeout);
  const auto made = std::make_shared<c10::intrusive_ptr<C10dGroup>>();
  watched_call([=] { *made = c10::make_intrusive<c10d::ProcessGroupGloo>(store, rank, size, gloo); },
               [&] {
                 options.while_waiting();
                 if (limit.is_over()) no_answer("new_group", options.timeout);
               });
  return *made;
}

}  // namespace

ProcessGroup::Transport::Transport(ProcessGroupOptions given)
    : options(std::move(given)), memory_limit(options.timeout) {}

// LibTorch's destructors would wait for collectives that never end if other processes are gone or do not make them. In
// that case the transport is leaked.
ProcessGroup::Transport::~Transport() {
  try {
    options.while_waiting();
    if (is_done()) return;
  } catch (const std::exception&) {  // a process is lost, or a collective has failed
  }
  gloo.group.release();
  if (chosen.group) abort_collectives(*chosen.group.release(), 0);
}

Begun ProcessGroup::Transport::begin(const char* call, const at::Tensor& tensor) {
  return {call, line, line ? options.collective_log->begin(line, step_of(call, tensor)) : 0};
}

const ProcessGroup::Transport::Carrier& ProcessGroup::Transport::carrier(const at::Tensor& tensor) const {
  const bool fits = chosen.group && !tensor.is_sparse();
  return fits && (chosen.wire.device == at::kCPU || tensor.device().type() == chosen.wire.device) ? chosen : gloo;
}

bool ProcessGroup::Transport::shares(const at::Tensor& tensor) const {
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

std::unique_ptr<Work> ProcessGroup::Transport::start(const char* call, const at::Tensor& tensor, const Carrier& by,
                                                     const Begins& begins, std::function<void()> finish) {
  options.while_waiting();
  const Begun begun = begin(call, tensor);
  try {
    auto work = begins(*by.group);
    forget_done();
    open_.push_back(work);
    return std::make_unique<PendingWork>(begun, std::move(work), by.polled, options, std::move(finish));
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    options.explain();
    collective_lost(call, brief(e));
  }
}

void ProcessGroup::Transport::reduce_in_memory(const at::Tensor& tensor, NodeReduction reduction) {
  options.while_waiting();
  const Begun begun = begin("all_reduce", tensor);
  const CollectiveLog::Wait shown(options.collective_log, begun.line, begun.number, begun.call);
  const BreadcrumbScope place(nullptr, begun.call);
  memory_limit.begin();
  memory->all_reduce(tensor, reduction);
}

void ProcessGroup::Transport::forget_done() {
  open_.erase(std::remove_if(open_.begin(), open_.end(), [](const auto& work) { return work->isCompleted(); }),
              open_.end());
}

// Returns true if all started collectives have ended, or do so within a second.
bool ProcessGroup::Transport::is_done() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  for (forget_done(); !open_.empty() && std::chrono::steady_clock::now() < end; forget_done()) {
    options.while_waiting();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return open_.empty();
}

ProcessGroup::ProcessGroup() = default;
ProcessGroup::~ProcessGroup() = default;

ProcessGroup::ProcessGroup(Store& store, const std::string& name, std::vector<int> ranks, int rank,
                           ProcessGroupOptions options)
    : rank_(rank), ranks_(std::move(ranks)) {
  if (ranks_.size() < 2) return;
  transport_ = std::make_unique<Transport>(std::move(options));
  if (CollectiveLog* const collective_log = transport_->options.collective_log)
    transport_->line = collective_log->line("group '" + transport_->options.collective_log_name + "'", ranks_);
  const auto keys = c10::make_intrusive<c10d::PrefixStore>("group/" + name, store.impl().store);
  try {
    transport_->gloo.group = meet_by_gloo(keys, rank_, size(), transport_->options);
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
  transport_->memory_limit.begin();
  options.while_waiting = [transport = transport_.get()] {
    transport->options.while_waiting();
    if (transport->memory_limit.is_over()) no_answer("all_reduce", transport->options.timeout);
  };
  auto memory = std::make_unique<SharedMemory>(std::move(options));
  if (!memory->usable()) return "shared memory is not used: " + memory->reason();
  transport_->always_memory = always;
  if (!always)
    transport_->choice = measure_reductions(*memory, [this](at::Tensor& t) { all_reduce(t, ReduceOp::sum); });
  transport_->memory = std::move(memory);
  return always ? "shared memory, at all sizes" : transport_->choice.text();
}

}  // namespace levin::core
