#include "tasks/nats/result_sender.hpp"

#include <cstdio>
#include <thread>

#include "core/base/text.hpp"

namespace levin::core::tasks {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds longest_wait_to_send{20};
constexpr seconds longest_refusal{5};  // of results, until the driver hears of it

}  // namespace

ResultSender::ResultSender(WorkerParts& parts, std::string name)
    : parts_(parts), name_(std::move(name)), stored_(parts.bus.inbox(answers_ + ".*")) {}

void ResultSender::add(const JobBoard::Job& job, JobStream& stream, const ResultRecord& record, const std::string& id) {
  if (message_.size() + record.body.bytes.size() > stream.largest()) flush(job, stream);
  if (message_.empty()) first_ = Clock::now();
  append(message_, record);
  if (!id.empty()) sent_.push_back(id);
  if (is_due()) flush(job, stream);
}

bool ResultSender::is_due() const { return !message_.empty() && Clock::now() - first_ > longest_wait_to_send; }

// The server has the results before it forgets their tasks. If it goes on to refuse them, the driver ends the job.
void ResultSender::flush(const JobBoard::Job& job, JobStream& stream) {
  bool said = false, is_stored = false;
  const auto begun = Clock::now();
  for (int silent = 0; !message_.empty() && !parts_.abandons(*job);) {
    const std::string answer = answers_ + "." + std::to_string(++flush_);
    parts_.bus.publish(stream.results(), message_, answer);
    std::optional<BusMessage> stored = stored_->next(seconds(2));
    while (stored && stored->subject != answer && stored->status == 0) stored = stored_->next(seconds(2));
    if (!stored) continue;
    const std::string reason = refused_by_jetstream(*stored);
    is_stored = reason.empty();
    if (is_stored || (stored->status == 503 && ++silent > 50)) break;  // or the job has ended
    if (stored->status != 503 && Clock::now() - begun > longest_refusal)
      parts_.bus.publish(subject_workers, nlohmann::json(StoreRefusal{job->session, reason}).dump());
    if (!std::exchange(said, true))
      std::fprintf(stderr, "%s: a result is not stored: %s\n", name_.c_str(), printable(reason).c_str());
    std::this_thread::sleep_for(milliseconds(200));
  }
  message_.clear();
  for (const std::string& id : sent_) parts_.bus.publish(parts_.held.release(id), is_stored ? "+ACK" : "-NAK");
  sent_.clear();
}

}  // namespace levin::core::tasks
