// Sends the results of a slot, several in one message where they come fast, and then acknowledges their tasks.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "tasks/nats/job_stream.hpp"
#include "tasks/nats/worker_parts.hpp"

namespace levin::core::tasks {

class ResultSender {
 public:
  // name: of the slot, for messages.
  ResultSender(WorkerParts& parts, std::string name);
  // id: of the result's task in `held`; empty if it has none.
  void add(const JobBoard::Job& job, JobStream& stream, const ResultRecord& record, const std::string& id);
  bool is_due() const;  // there are results that have waited long enough
  void flush(const JobBoard::Job& job, JobStream& stream);

 private:
  using Clock = std::chrono::steady_clock;
  WorkerParts& parts_;
  const std::string name_, answers_ = Bus::new_subject();
  const std::unique_ptr<Bus::Inbox> stored_;
  uint64_t flush_ = 0;
  std::string message_;            // of results that were not sent yet
  std::vector<std::string> sent_;  // their tasks in `held`
  Clock::time_point first_{};      // of them
};

}  // namespace levin::core::tasks
