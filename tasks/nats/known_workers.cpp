#include "tasks/nats/known_workers.hpp"

namespace levin::core::tasks {
namespace {

constexpr std::chrono::seconds silent_worker{5};

}  // namespace

bool KnownWorkers::update(const WorkerInfo& worker) {
  Worker& known = workers_[worker.name];
  const bool had_none = known.slots == 0;
  known.slots = worker.slots;
  known.capacity = {{worker.slots, worker.cpus > 0 ? worker.cpus : worker.slots, worker.gpus, worker.memory},
                    worker.labels};
  known.seen = Clock::now();
  if (worker.running > 0) busy_ = known.seen;
  return had_none;
}

void KnownWorkers::accepts(const std::string& name) {
  const auto worker = workers_.find(name);
  if (worker != workers_.end()) worker->second.refusal.clear();
}

void KnownWorkers::drop_silent() {
  for (auto& [name, worker] : workers_)
    if (Clock::now() - worker.seen > silent_worker) worker.slots = 0;
}

uint64_t KnownWorkers::slots() const {
  uint64_t out = 0;
  for (const auto& [name, worker] : workers_)
    if (worker.refusal.empty()) out += worker.slots;
  return out;
}

std::string KnownWorkers::a_refusal() const {
  for (const auto& [name, worker] : workers_)
    if (!worker.refusal.empty()) return worker.refusal;
  return "";
}

std::string KnownWorkers::unmet(const Needs& needs) const {
  std::string out;
  for (const auto& [name, worker] : workers_) {
    if (worker.slots == 0 || !worker.refusal.empty()) continue;
    const std::string lacks = lacking(worker.capacity, needs);
    if (lacks.empty()) return "";
    if (out.empty()) out = "no worker has what it needs; " + name + " lacks " + lacks;
  }
  return out;
}

}  // namespace levin::core::tasks
