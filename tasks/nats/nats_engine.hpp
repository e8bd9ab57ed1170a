// Tasks over a NATS server: workers of any machine take them from the job's stream in JetStream.
#pragma once
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "tasks/engine/engine.hpp"
#include "tasks/nats/job_info.hpp"
#include "tasks/nats/job_stream.hpp"
#include "tasks/nats/known_workers.hpp"

namespace levin::core::tasks {

class NatsEngine : public Engine {
 public:
  // library: the file to put into the stream for workers that lack it; "" = they have it.
  // store: the folder of the server, if it is of this job alone, or "". Then no other workers can come, so the job
  // fails if they cannot use the library, or if the server does not answer for a minute. go_on: called while the server
  // does not answer, and while a large task is sent, at least every 5 s.
  NatsEngine(const BusAddress& address, JobInfo job, const std::string& library, std::string store,
             std::function<bool()> go_on);
  ~NatsEngine() override;
  size_t room() const override;
  size_t idle() const override;
  bool takes(const Needs& needs, const Amounts& kept) const override;
  std::string unmet(const Needs& needs) const override;
  bool grows() const override { return true; }
  void submit(QueuedTask task) override;
  size_t running() const override;
  std::vector<TaskEvent> wait(std::chrono::milliseconds time, int wake) override;
  void recorded() override;
  void hold() override;
  void stop() override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Arrivals;  // what the threads of the connection have brought
  struct Submitted {
    uint32_t attempt = 0;
    uint64_t bytes = 0;
    bool has_blob = false;
    Clock::time_point when;
    size_t queue = 0;
    int messages = 1;
  };
  void put_library();
  void announce();
  void pull_if_due();
  void take_answers(std::vector<TaskEvent>& events);
  void take_records(const BusMessage& message, std::vector<TaskEvent>& events);
  void take_record(ResultRecord record, std::vector<TaskEvent>& events);
  void look_at_workers(std::vector<TaskEvent>& events);
  // Returns tasks that the server has lost, or never hands out.
  void look_for_lost_tasks(std::vector<TaskEvent>& events);
  void replace_stream(std::vector<TaskEvent>& events);
  // Throws Error{run} if a server of this job alone has been silent for long.
  void look_at_silence() const;
  // Returns what to do if the server cannot store more, as "; ...".
  std::string advice_on_store() const;
  // Returns true if workers are there and have said for some seconds that they have nothing to compute.
  bool workers_are_idle() const;
  void give_back(uint64_t index, std::vector<TaskEvent>& events);
  void forget(uint64_t index);
  size_t queue_of(const Needs& needs) const;

  Bus bus_;
  JobInfo job_;
  JobStream stream_;
  const std::string library_;
  const std::string store_;
  const std::function<bool()> go_on_;
  std::shared_ptr<Arrivals> arrivals_;
  std::vector<std::unique_ptr<Bus::Listener>> listeners_;
  const std::string answers_ = Bus::new_subject(), pulls_ = Bus::new_subject();

  std::unordered_set<uint64_t> adopted_;  // in the stream since an earlier driver of the job
  std::unordered_map<uint64_t, Submitted> submitted_;
  uint64_t bytes_ = 0;          // of them
  std::vector<size_t> queued_;  // how many of them are in each queue
  uint64_t copies_ = 0;         // their further messages
  std::vector<TaskEvent> given_back_;
  std::vector<std::string> unacknowledged_;  // subjects of messages that were not recorded yet
  std::vector<uint64_t> blobs_of_;           // tasks that end with them
  std::unordered_set<uint64_t> suspects_;    // tasks without a trace at the last look
  KnownWorkers workers_;
  bool wake_ = false, said_no_worker_ = false;

  uint64_t pull_ = 0;      // number of the last request for results
  int64_t requested_ = 0;  // messages that it may still bring
  Clock::time_point pull_ends_{}, announced_{}, looked_{}, last_result_ = Clock::now(), begun_ = Clock::now();
  Clock::time_point sent_again_{}, replaced_{};
  std::optional<Clock::time_point> silent_since_;  // the server
  Clock::duration patience_{};                     // from one replacement of the stream to the next
  Clock::time_point counted_since_ = Clock::now();
  uint64_t counted_ = 0;  // results since then
  double rate_ = 0;       // a second
};

}  // namespace levin::core::tasks
