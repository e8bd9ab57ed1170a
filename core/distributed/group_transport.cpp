#include "core/distributed/group_transport.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "core/abi/breadcrumb.hpp"
#include "core/abi/failure.hpp"
#include "core/base/error.hpp"
#include "core/distributed/store/c10d.hpp"
#include "core/distributed/watch/collective_log.hpp"

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

ProcessGroup::Transports::Transports(ProcessGroupOptions given) : options(std::move(given)), limit_(options.timeout) {}

// LibTorch's destructors would wait for collectives that never end if other processes are gone or do not make them. In
// that case the transport is leaked.
ProcessGroup::Transports::~Transports() {
  try {
    options.while_waiting();
    if (is_done()) return;
  } catch (const std::exception&) {  // a process is lost, or a collective has failed
  }
  gloo.group.release();
  for (auto& [name, transport] : loaded)
    if (!transport.blocks) abort_collectives(*transport.group.release(), 0);
}

Begun ProcessGroup::Transports::begin(const char* call, const at::Tensor& tensor) {
  return {call, line, line ? options.collective_log->begin(line, step_of(call, tensor)) : 0};
}

const Transport& ProcessGroup::Transports::carrier(const at::Tensor& tensor, bool all_reduces) const {
  for (const auto& [name, transport] : loaded)
    if ((all_reduces || !transport.only_all_reduces) && transport.carries(tensor)) return transport;
  return gloo;
}

void ProcessGroup::Transports::load(const std::string& name, TransportPlace place) {
  place.timeout = options.timeout;
  place.while_waiting = [this] {
    options.while_waiting();
    if (limit_.is_over()) no_answer("all_reduce", options.timeout);
  };
  options.while_waiting();
  limit_.begin();
  try {
    Transport made;
    load_transport(name)(place, made);
    loaded.emplace_back(name, std::move(made));
  } catch (const Error& e) {
    if (e.kind() == ErrorKind::processes) throw;
    throw Error(ErrorCode::transport_not_available, brief(e));
  } catch (const std::exception& e) {
    throw Error(ErrorCode::transport_not_available, brief(e));
  }
}

std::unique_ptr<Work> ProcessGroup::Transports::start(const char* call, const at::Tensor& tensor, const Transport& by,
                                                      const Begins& begins, std::function<void()> finish) {
  options.while_waiting();
  const Begun begun = begin(call, tensor);
  if (by.blocks) {
    const CollectiveLog::Wait shown(options.collective_log, begun.line, begun.number, begun.call);
    const BreadcrumbScope place(nullptr, begun.call);
    limit_.begin();
    begins(*by.group);
    finish();
    return std::make_unique<NoWork>();
  }
  try {
    auto work = begins(*by.group);
    forget_done();
    open_.push_back(work);
    return std::make_unique<PendingWork>(begun, std::move(work), /*polled=*/&by != &gloo, options, std::move(finish));
  } catch (const Error&) {
    throw;
  } catch (const std::exception& e) {
    options.explain();
    collective_lost(call, brief(e));
  }
}

void ProcessGroup::Transports::forget_done() {
  open_.erase(std::remove_if(open_.begin(), open_.end(), [](const auto& work) { return work->isCompleted(); }),
              open_.end());
}

// Returns true if all started collectives have ended, or do so within a second.
bool ProcessGroup::Transports::is_done() {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  for (forget_done(); !open_.empty() && std::chrono::steady_clock::now() < end; forget_done()) {
    options.while_waiting();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return open_.empty();
}

TransportPlace ProcessGroup::place_for(Store& store, const std::string& keys) const {
  TransportPlace place;
  place.store = c10::make_intrusive<c10d::PrefixStore>(keys, store.impl().store);
  place.ranks = ranks_;
  place.rank = rank_;
  return place;
}

ProcessGroup::ProcessGroup() = default;
ProcessGroup::~ProcessGroup() = default;

ProcessGroup::ProcessGroup(Store& store, const std::string& name, std::vector<int> ranks, int rank,
                           ProcessGroupOptions options)
    : rank_(rank), ranks_(std::move(ranks)) {
  if (ranks_.size() < 2) return;
  transports_ = std::make_unique<Transports>(std::move(options));
  if (CollectiveLog* const collective_log = transports_->options.collective_log)
    transports_->line = collective_log->line("group '" + transports_->options.collective_log_name + "'", ranks_);
  const auto keys = c10::make_intrusive<c10d::PrefixStore>("group/" + name, store.impl().store);
  try {
    transports_->gloo.group = meet_by_gloo(keys, rank_, size(), transports_->options);
    transports_->messages = std::make_unique<Messages>(transports_->gloo.group, ranks_, rank_, transports_->options);
  } catch (const std::exception& e) {
    transports_->options.explain();
    throw Error(ErrorCode::rendezvous_unreachable, "the rendezvous failed: " + brief(e));
  }
}

std::string ProcessGroup::obstacle_to(const std::string& name) {
  try {
    load_transport(name);
    return "";
  } catch (const std::exception& e) {
    return e.what();
  }
}

void ProcessGroup::use_transport(Store& store, const std::string& name, const std::string& transport) {
  if (transports_) transports_->load(transport, place_for(store, transport + "/" + name));
}

void ProcessGroup::drop_transport(const std::string& transport) {
  if (!transports_) return;
  auto& loaded = transports_->loaded;
  loaded.erase(std::remove_if(loaded.begin(), loaded.end(), [&](const auto& one) { return one.first == transport; }),
               loaded.end());
}

std::string ProcessGroup::use_shared_memory(Store& store, const std::string& name, bool always) {
  if (!transports_) return "";
  TransportPlace place = place_for(store, "memory/" + name);
  if (!always) place.other = [this](const at::Tensor& t) { all_reduce(t, ReduceOp::sum); };
  try {
    transports_->load("shared_memory", std::move(place));
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::usage) throw;
    return std::string("shared memory is not used: ") + e.what();
  }
  return transports_->loaded.back().second.text;
}

}  // namespace levin::core
