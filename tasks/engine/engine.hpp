// Where tasks are computed. An engine gets tasks, and says how each attempt has ended. It knows nothing of retries, of
// the ledger and of what a task computes.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "tasks/common/resources.hpp"

namespace levin::core::tasks {

// One attempt at a task.
struct QueuedTask {
  uint64_t index = 0;
  uint32_t attempt = 1;
  std::string bytes;  // packed_task()
  Needs needs = {};
  bool copy = false;  // the task runs already, and the first result counts
};

enum class Ended {
  result,
  failed,
  lost,      // the process that computed it is gone
  returned,  // it has not begun, or its trace is lost: this is no attempt
  note,      // about a worker, and not about a task: a line for the user
};

struct TaskEvent {
  Ended how{};
  uint64_t index = 0;
  uint32_t attempt = 0;
  std::string worker;
  double seconds = 0;
  std::string bytes;  // the result, or why there is none
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual size_t room() const = 0;  // how many more tasks it takes now
  virtual size_t idle() const = 0;  // workers that have no task, as far as it knows
  // Returns true if it takes a task with these needs now, beside what others need that were not taken.
  virtual bool takes(const Needs& needs, const Amounts& kept) const = 0;
  // Returns why no worker can run such tasks, or "" if one can, or if there is no worker yet.
  virtual std::string unmet(const Needs& needs) const = 0;
  virtual bool grows() const { return false; }  // true if other workers may come
  // Every submitted attempt ends with an event, unless it was cancelled or another one had a result.
  virtual void submit(QueuedTask task) = 0;
  virtual void cancel(uint64_t) {}     // attempts at this task, which is done
  virtual size_t running() const = 0;  // tasks that are being computed, as far as it knows
  // Waits until something has ended, `wake` is readable, or the time is over. Throws Error{plugin} if no process can
  // use the library.
  virtual std::vector<TaskEvent> wait(std::chrono::milliseconds time, int wake) = 0;
  virtual void recorded() {}  // all that wait() has returned is on the disk
  virtual void hold() {}      // tasks that have not begun are returned
  virtual void stop() = 0;    // running tasks are abandoned
};

}  // namespace levin::core::tasks
