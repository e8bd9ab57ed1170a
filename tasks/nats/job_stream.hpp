// The stream of a job in JetStream: tasks that wait, results that were not recorded yet, and blobs, which are the bytes
// that do not fit into a message: tasks, results, and the library. A message is removed when it is acknowledged.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tasks/nats/bus.hpp"
#include "tasks/nats/messages.hpp"

namespace levin::core::tasks {

// Subjects that every driver and worker of a server uses.
inline constexpr const char* subject_jobs = "levin.jobs";        // a driver says what its job needs, every second
inline constexpr const char* subject_hello = "levin.hello";      // a new worker asks drivers to say it now
inline constexpr const char* subject_workers = "levin.workers";  // WorkerInfo, every second, and StoreRefusal
inline constexpr const char* subject_wake = "levin.wake";        // there are tasks again
inline constexpr const char* subject_stop = "levin.stop";        // {"job"}: its tasks are abandoned
inline constexpr const char* subject_hold = "levin.hold";        // {"job"}: no more of its tasks begin

class JobStream {
 public:
  // queues: of tasks. Queue 0 has the tasks that need a CPU alone, and each other one the tasks with the same needs.
  // name: of the stream; "" = not known yet.
  JobStream(Bus& bus, std::string job, size_t queues = 1, std::string name = "");
  static std::string job_of(const std::string& subject);  // of a task's or a result's message

  // Finds the stream of the job, or makes one with a new name: an acknowledgement says the name of the stream and the
  // number of the message, and a late one must not hit a message of a later stream. Results that no driver has
  // acknowledged are handed out anew. Throws Error{run}, also if the server does not answer. `go_on` is called
  // meanwhile.
  void open(const std::function<bool()>& go_on);
  // Removes the stream and makes another one.
  void replace(const std::function<bool()>& go_on);
  void remove();
  const std::string& name() const { return name_; }
  void set_name(const std::string& name) { name_ = name; }  // a driver has replaced the stream

  std::string tasks(size_t queue = 0) const {  // subjects
    return base_ + ".task" + (queue > 0 ? "." + std::to_string(queue) : "");
  }
  std::string results() const { return base_ + ".result"; }
  std::string pull_tasks(size_t queue = 0) const {
    return "$JS.API.CONSUMER.MSG.NEXT." + name_ + "." + consumer_of(queue);
  }
  std::string pull_results() const { return "$JS.API.CONSUMER.MSG.NEXT." + name_ + ".result"; }

  size_t largest() const { return largest_; }  // bytes of a body in a message
  // The body for these bytes: in the message, or as a blob of this name. Throws Error{run} if the server refuses it or
  // does not answer within a minute. `go_on` is asked meanwhile; if it returns false, this throws too.
  Body put(const std::string& name, std::string_view bytes, const std::function<bool()>& go_on);
  Body put_blob(const std::string& name, std::string_view bytes, const std::function<bool()>& go_on);
  // Returns nullopt if the blob is not there, or not whole.
  std::optional<std::string> get(const Body& body);
  // Removes the blobs whose names begin with "PREFIX.".
  void remove_blobs(const std::string& prefix);

  struct Waiting {
    uint64_t index = 0, sequence = 0;
    bool begun = false;  // a worker has got it
  };
  // The tasks that wait or are being computed. This and counts() return nullopt if the server does not answer, and
  // throw Error{run} if it has no such stream.
  std::optional<std::vector<Waiting>> waiting();
  struct Counts {
    uint64_t waiting = 0, delivered = 0;  // delivered, but not acknowledged
    uint64_t last_delivered = 0;          // sequence number
    uint64_t acknowledged = 0;            // all messages up to this sequence number are
  };
  std::optional<Counts> counts(size_t queue);
  std::optional<Counts> counts();  // of all queues; without sequence numbers
  void remove_message(uint64_t sequence);

 private:
  bool put_chunks(const std::string& name, std::string_view bytes, uint32_t chunks, const std::function<bool()>& go_on);
  bool add_waiting(size_t queue, std::vector<Waiting>& to);
  static std::string consumer_of(size_t queue) { return "task" + (queue > 0 ? "_" + std::to_string(queue) : ""); }
  std::string blob(const std::string& name, uint32_t chunk) const;
  Bus& bus_;
  const std::string job_, base_;
  std::string name_;
  const size_t queues_;
  const size_t largest_, chunk_;  // bytes of a body in a message, and of a part of a blob
};

}  // namespace levin::core::tasks
