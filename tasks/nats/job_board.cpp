#include "tasks/nats/job_board.hpp"

#include <algorithm>

namespace levin::core::tasks {

namespace {
constexpr std::chrono::seconds silent_driver{5};
}

void JobBoard::announced(JobInfo job) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (stopped_.count(job.session)) return;
    Known& known = known_[job.id];
    const bool same = known.job && known.job->session == job.session;
    const bool moved = !same || known.job->stream != job.stream;
    const bool returns = moved || Clock::now() - known.seen > silent_driver;
    known.seen = Clock::now();
    known.open = known.open || !same;
    if (moved) known.job = std::make_shared<const JobInfo>(std::move(job));
    if (!returns) return;
  }
  wake();
}

void JobBoard::close(const JobSession& job) {
  const auto found = known_.find(job.id);
  if (found != known_.end() && found->second.job->session == job.session) found->second.open = false;
}

void JobBoard::stopped(const JobSession& job) {
  const std::lock_guard<std::mutex> lock(mutex_);
  close(job);
  if (stopped_.size() > 100000) stopped_.clear();
  stopped_.insert(job.session);
}

void JobBoard::held(const JobSession& job) {
  const std::lock_guard<std::mutex> lock(mutex_);
  close(job);
}

void JobBoard::refuse(const JobInfo& job) { held({job.id, job.session}); }

std::vector<JobBoard::Job> JobBoard::open(size_t turn) const {
  std::vector<Job> out;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [id, known] : known_)
      if (known.open && Clock::now() - known.seen < silent_driver) out.push_back(known.job);
  }
  if (!out.empty()) std::rotate(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(turn % out.size()), out.end());
  std::stable_sort(out.begin(), out.end(), [](const Job& a, const Job& b) { return a->priority > b->priority; });
  return out;
}

bool JobBoard::is_stopped(const JobInfo& job) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return stopped_.count(job.session) > 0;
}

void JobBoard::wake() {
  ++news_;
  const std::lock_guard<std::mutex> lock(mutex_);
  changed_.notify_all();
}

void JobBoard::wait(uint64_t seen, std::chrono::milliseconds time) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait_for(lock, time, [&] { return news_ != seen; });
}

}  // namespace levin::core::tasks
