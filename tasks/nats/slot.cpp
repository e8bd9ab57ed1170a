#include "tasks/nats/slot.hpp"

#include <poll.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "core/base/error.hpp"
#include "core/base/text.hpp"

namespace levin::core::tasks {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr double seconds_of_tasks = 0.02;  // that a slot takes at once
constexpr size_t most_at_once = 64;
constexpr seconds idle_limit{10};  // of a process of another job
constexpr size_t most_processes = 8;
constexpr milliseconds keep_every{200};
constexpr milliseconds turn_time{250};  // of a job, because another one may need another process

// How often the server has handed out the message: "$JS.ACK.STREAM.CONSUMER.N...", or with two more words before
// STREAM.
uint32_t deliveries(const std::string& reply) {
  const std::vector<std::string> words = split(reply, '.');
  const size_t at = words.size() >= 11 ? 6 : 4;
  return words.size() > at ? static_cast<uint32_t>(std::max(1, std::atoi(words[at].c_str()))) : 1;
}

void wait_for(const WorkerProcess& process) {
  milliseconds time(100);
  if (const auto limit = process.deadline())
    time = std::clamp(std::chrono::ceil<milliseconds>(*limit - WorkerProcess::Clock::now()), milliseconds(0), time);
  pollfd fd{process.fd(), static_cast<short>(process.has_output() ? POLLIN | POLLOUT : POLLIN), 0};
  ::poll(&fd, 1, static_cast<int>(time.count()));
}

}  // namespace

Slot::Slot(WorkerParts& parts, size_t number)
    : parts_(parts),
      number_(number),
      name_(parts.name + "/" + std::to_string(number)),
      pulled_(parts.bus.inbox(pulls_ + ".*")),
      turn_(number),
      results_(parts, name_) {}

void Slot::run() {
  while (parts_.stops == 0) {
    const uint64_t news = parts_.board.news();
    bool found = false;
    for (const JobBoard::Job& job : jobs_in_turn()) {
      found = take_tasks(job);
      if (found) break;
    }
    end_idle_processes();
    if (!found) parts_.board.wait(news, milliseconds(250));
  }
  while (!works_.empty()) end(works_.begin());
}

// Computes tasks of the job's first queue that has some for which there is room. The tasks that need most come first.
// Returns false if there is none.
bool Slot::take_tasks(const JobBoard::Job& job) {
  for (size_t queue = job->needs.size() + 1; queue-- > 0;) {
    Work* work = work_for(job, queue);
    if (!work) return false;
    if (!take_share(*work)) continue;
    std::deque<Pulled> tasks = pull(*work);
    const bool found = !tasks.empty();
    if (found) {
      if (std::exchange(current_, job->session) != job->session) turn_ends_ = Clock::now() + turn_time;
      const bool is_new = work->seconds <= 0;
      compute_all(*work, std::move(tasks));
      if (is_new) turn_ends_ = Clock::now() + turn_time;  // the process has started meanwhile
    }
    if (!found || work->share->gpus.empty()) give_back_share(*work);
    if (found) return true;
  }
  return false;
}

// The job of the last tasks comes first until its turn ends, unless another one has a higher priority.
std::vector<JobBoard::Job> Slot::jobs_in_turn() {
  const bool goes_on = Clock::now() < turn_ends_;
  if (!goes_on) {
    ++turn_;
    current_.clear();
  }
  std::vector<JobBoard::Job> out = parts_.board.open(turn_);
  const auto same = std::find_if(out.begin(), out.end(), [&](const auto& job) { return job->session == current_; });
  if (same != out.end() && (*same)->priority == out.front()->priority) std::rotate(out.begin(), same, same + 1);
  return out;
}

// Jobs
// ------------------------------------------------------------------------------------------------------------------

Slot::Work* Slot::work_for(const JobBoard::Job& job, size_t queue) {
  std::unique_ptr<Work>& work = works_[job->session + "." + std::to_string(queue)];
  if (!work) {
    work = std::make_unique<Work>(Work{job,
                                       JobStream(parts_.bus, job->id, job->needs.size() + 1, job->stream),
                                       {},
                                       nullptr,
                                       0,
                                       Clock::now(),
                                       queue,
                                       needs_of(queue > 0 ? job->needs[queue - 1] : ""),
                                       {},
                                       {}});
    try {
      if (!prepare(*work)) {
        works_.erase(work->name());
        return nullptr;
      }
    } catch (const std::exception& e) {
      refuse(*work, e.what());
    }
  }
  work->job = job;
  work->stream.set_name(job->stream);
  work->used = Clock::now();
  return work->process ? work.get() : nullptr;
}

bool Slot::prepare(Work& work) {
  const JobInfo& job = *work.job;
  WorkerPlan& plan = work.plan;
  plan.program = parts_.program;
  plan.folder = parts_.folder;
  plan.workers = parts_.slots;
  plan.time_limit = job.time_limit;
  plan.max_size = job.max_size;
  const auto fetch = [&] {
    ++parts_.fetches;
    std::optional<std::string> out = work.stream.get({job.library_chunks, job.library_size, "library"});
    --parts_.fetches;
    return out;
  };
  const std::optional<std::string> library = parts_.libraries.find({job.sha256, job.file_name, job.signature}, fetch);
  if (!library) return false;
  plan.setup = nlohmann::json{{"file", *library},
                              {"component", job.component},
                              {"options", job.options},
                              {"trust", parts_.trust},
                              {"folder", parts_.folder.string()},
                              {"max_size", plan.max_size},
                              {"memory", job.memory},
                              {"user", parts_.user}}
                   .dump();
  work.process = std::make_unique<WorkerProcess>(plan, number_);
  return true;
}

void Slot::refuse(Work& work, const std::string& reason) {
  work.process.reset();
  parts_.board.refuse(*work.job);
  std::fprintf(stderr, "%s: %s\n", name_.c_str(), printable(reason).c_str());
  ResultRecord record;
  record.how = Ended::note;
  record.worker = parts_.name;
  record.body = {0, reason.size(), reason};
  results_.add(work.job, work.stream, record, "");
  results_.flush(work.job, work.stream);
}

void Slot::end_idle_processes() {
  const auto now = Clock::now();
  while (!works_.empty()) {
    const auto oldest = std::min_element(works_.begin(), works_.end(),
                                         [](const auto& a, const auto& b) { return a.second->used < b.second->used; });
    if (works_.size() <= most_processes && now - oldest->second->used < idle_limit) return;
    end(oldest);
  }
}

void Slot::end(Works::iterator work) {
  give_back_share(*work->second);
  works_.erase(work);
}

// Room for tasks
// --------------------------------------------------------------------------------------------------------

bool Slot::take_share(Work& work) {
  for (auto& [name, other] : works_)
    if (other.get() != &work) give_back_share(*other);
  if (work.share) return true;
  if (!lacking(parts_.resources.machine().capacity, work.needs).empty()) return false;
  const auto preferred = work.process ? work.process->share().gpus : std::vector<std::string>();
  work.share = parts_.resources.take(work.name(), work.needs, preferred);
  if (!work.share) keep_room(work);
  return work.share.has_value();
}

// A process with GPUs ends with its share, because it may have memory of them; so the share is kept while there are
// tasks for it.
void Slot::give_back_share(Work& work) {
  if (!work.share) return;
  if (!work.share->gpus.empty() && work.process) work.process->stop();
  if (parts_.resources.give_back(*work.share)) parts_.board.wake();
  work.share.reset();
}

// Tasks that need less would leave no room for the others for ever.
void Slot::keep_room(Work& work) {
  if (work.queue == 0 || Clock::now() - work.looked < keep_every) return;
  work.looked = Clock::now();
  try {
    const auto counts = work.stream.counts(work.queue);
    if (counts && counts->waiting > 0) parts_.resources.keep(work.name(), work.needs);
  } catch (const Error&) {  // the job has ended
  }
}

// Tasks
// -----------------------------------------------------------------------------------------------------------------

// Takes one task, or as many as take little time together.
std::deque<Slot::Pulled> Slot::pull(Work& work) {
  std::deque<Pulled> out;
  size_t count = 1;
  if (work.seconds > 0)
    count = static_cast<size_t>(std::clamp(seconds_of_tasks / work.seconds, 1.0, static_cast<double>(most_at_once)));
  const std::string subject = pulls_ + "." + std::to_string(++pull_);
  parts_.bus.publish(work.stream.pull_tasks(work.queue), nlohmann::json{{"batch", count}, {"no_wait", true}}.dump(),
                     subject);
  for (size_t messages = 0; messages < count; ++messages) {
    const std::optional<BusMessage> message = pulled_->next(seconds(2));
    if (!message) break;
    if (message->status == 0)
      accept(work, *message, out);
    else if (message->subject == subject)
      break;  // no more tasks
  }
  return out;
}

void Slot::accept(Work& work, const BusMessage& message, std::deque<Pulled>& to) {
  auto task = unpacked_message(message.bytes);
  if (!task)
    return parts_.bus.publish(message.reply, "+TERM");  // of another version: the driver notices that it is gone
  if (JobStream::job_of(message.subject) != work.job->id) return parts_.bus.publish(message.reply, "-NAK");
  const std::string id = work.job->id + "." + std::to_string(task->index) + (task->copy ? ".copy" : "");
  if (!parts_.held.take(id, message.reply)) return;
  const uint32_t attempt = task->attempt + deliveries(message.reply) - 1;
  to.push_back({std::move(*task), attempt, id, message.reply});
}

void Slot::compute_all(Work& work, std::deque<Pulled> tasks) {
  for (; !tasks.empty(); tasks.pop_front()) {
    const Pulled& now = tasks.front();
    if (parts_.stops > 0 || abandoned(work) || !work.process) {
      parts_.bus.publish(parts_.held.release(now.id), "-NAK");
      continue;
    }
    std::optional<ResultRecord> record;
    try {
      record = compute(work, now);
    } catch (const std::exception& e) {  // for example, the server cannot store the result
      const std::string reason = e.what();
      if (!abandoned(work))
        record = ResultRecord{now.task.index, now.attempt, Ended::failed, 0, name_, {0, reason.size(), reason}};
    }
    if (record)
      results_.add(work.job, work.stream, *record, now.id);
    else
      parts_.bus.publish(parts_.held.release(now.id), "-NAK");
  }
  results_.flush(work.job, work.stream);
  work.used = Clock::now();
}

// Returns nullopt if the job is abandoned meanwhile.
std::optional<ResultRecord> Slot::compute(Work& work, const Pulled& pulled) {
  ResultRecord out;
  out.index = pulled.task.index;
  out.attempt = pulled.attempt;
  out.worker = name_;
  const auto end_as = [&](Ended how, std::string reason) {
    out.how = how;
    out.body = {0, reason.size(), std::move(reason)};
    return out;
  };
  if (pulled.attempt > work.job->attempts) {
    out.attempt = pulled.attempt - 1;
    return end_as(Ended::lost, "the workers that computed it were lost");
  }
  std::optional<std::string> bytes = work.stream.get(pulled.task.body);
  if (!bytes) return end_as(Ended::returned, "");
  std::optional<CallEnd> end = call(work, {Message::handle, pulled.attempt, out.index, std::move(*bytes)});
  if (!end) return std::nullopt;
  out.seconds = end->seconds;
  work.seconds = work.seconds > 0 ? 0.8 * work.seconds + 0.2 * end->seconds : end->seconds;
  if (end->how == CallEnd::How::refused) {
    refuse(work, end->reason);
    return end_as(Ended::returned, "");
  }
  if (end->how != CallEnd::How::result)
    return end_as(end->how == CallEnd::How::failed ? Ended::failed : Ended::lost, end->reason);
  out.how = Ended::result;
  const std::string blob =
      std::to_string(out.index) + ".result." + Bus::new_subject().substr(7) + std::to_string(++blob_);
  out.body = work.stream.put(blob, end->frame.bytes, [&] { return !abandoned(work); });
  return out;
}

std::optional<CallEnd> Slot::call(Work& work, Frame frame) {
  work.process->give(std::move(frame), *work.share);
  for (;;) {
    wait_for(*work.process);
    if (auto end = work.process->look()) return end;
    if (results_.is_due()) results_.flush(work.job, work.stream);  // of the tasks before this one
    if (!abandoned(work)) continue;
    work.process->stop();
    return std::nullopt;
  }
}

}  // namespace levin::core::tasks
