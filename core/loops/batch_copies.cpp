#include "core/loops/batch_copies.hpp"

#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <utility>

#include "core/abi/torch_compat.hpp"

namespace levin::core {
namespace {

constexpr size_t most_ahead = 8;  // batches

c10::impl::VirtualGuardImpl guard_of(at::Device device) { return c10::impl::VirtualGuardImpl(device.type()); }

}  // namespace

BatchCopies::BatchCopies(at::Device device)
    : device_(device), stream_(guard_of(device).getStreamFromGlobalPool(device)) {}

void BatchCopies::release_sources() {
  while (!running_.empty() && running_.front().done.query()) running_.pop_front();
}

void BatchCopies::limit_lead(const c10::Stream& compute) {
  steps_.emplace_back(device_.type());
  steps_.back().record(compute);
  if (steps_.size() <= most_ahead) return;
  wait_for(steps_.front());
  steps_.pop_front();
}

void BatchCopies::run(std::vector<at::Tensor>& tensors, const std::function<at::Tensor(const at::Tensor&)>& copy) {
  release_sources();
  const c10::Stream compute = guard_of(device_).getStream(device_);
  limit_lead(compute);
  Copy now{c10::Event(device_.type()), {}};
  {
    const c10::StreamGuard on_copy_stream(stream_);
    for (at::Tensor& t : tensors) {
      if (!t.device().is_cpu()) continue;
      if (t.is_pinned()) now.sources.push_back(t);
      t = copy(t);
    }
    now.done.record(stream_);
  }
  now.done.block(compute);
  for (const at::Tensor& t : tensors)
    if (t.device() == device_) t.record_stream(compute);
  running_.push_back(std::move(now));
}

void BatchCopies::finish() {
  for (Copy& copy : running_) wait_for(copy.done);
  running_.clear();
  steps_.clear();
}

}  // namespace levin::core
