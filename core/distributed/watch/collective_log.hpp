// A log of the collectives and messages that this process has begun or waits for. It serves to detect and describe
// deadlocks between processes.
#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/abi/breadcrumb.hpp"
#include "core/base/value_scope.hpp"

namespace levin::core {

// The purpose of the host's collectives on this thread, for messages: "gradients". Collectives of plugins have none.
inline thread_local const char* collective_label = "";
struct CollectiveLabel : ValueScope<const char*> {
  explicit CollectiveLabel(const char* purpose) : ValueScope(collective_label, purpose) {}
};

// One collective in compact form.
struct CollectiveCall {
  const char* call = "";     // must live as long as the process
  const char* purpose = "";  // likewise
  const char* type = "";     // likewise; "" = no tensor
  std::array<int64_t, 4> sizes{};
  int64_t dimensions = 0;
  std::string text() const;  // "all_reduce of Float[10, 2] (gradients)"
};

// The collectives of one group, or the messages of one direction between two processes, numbered from 1.
struct CollectiveLine {
  std::string name;        // the same in all processes
  std::vector<int> ranks;  // global ranks that must begin each call of this line
  uint64_t begun = 0;
  std::vector<CollectiveCall> last;  // the last calls, at index number % size
};

class CollectiveLog {
 public:
  static constexpr size_t most_lines = 256;
  // Returns the line of this name, which lives as long as the log. nullptr = there are most_lines lines already, and
  // calls of this one are not recorded.
  CollectiveLine* line(const std::string& name, const std::vector<int>& ranks);
  uint64_t begin(CollectiveLine* line, const CollectiveCall& step);  // returns its number, from 1; 0 = no line

  // While it exists, this thread, the training thread, waits for the ranks of the line to begin the call with this
  // number. Records nothing without a log or a line.
  class Wait {
   public:
    Wait(CollectiveLog* collective_log, const CollectiveLine* line, uint64_t number, const char* call);
    ~Wait();
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;

   private:
    CollectiveLog* const collective_log_;
  };
  // Called repeatedly on the waiting thread. Once the wait has lasted 300 ms, records place(): where the run is, for
  // messages.
  void still_waits(const std::function<std::string()>& place);

  // Returns the report for the other processes if this process has waited for that long and has not reported this wait
  // yet. Any thread.
  std::optional<nlohmann::json> news(std::chrono::milliseconds waiting_since);
  nlohmann::json report();  // the report without a wait

 private:
  nlohmann::json lines_json() const;
  nlohmann::json waiting_json() const;

  std::mutex mutex_;
  std::list<CollectiveLine> lines_;
  std::unordered_map<std::string, CollectiveLine*> by_name_;
  bool full_ = false;
  const CollectiveLine* awaited_ = nullptr;  // nullptr = not waiting
  uint64_t number_ = 0;
  const char* call_ = "";
  Breadcrumb caller_;
  std::string place_;
  std::chrono::steady_clock::time_point since_{};
  bool warned_ = false;
};

// Detects processes that wait for each other forever. Returns a description of which rank waits where, or "" if there
// is no deadlock. Slow processes are not a deadlock. reports: one for each rank. null = the rank is not known to wait;
// "left" = the rank has finished. The reports may be from different moments, as long as each was true at its own.
std::string deadlock(const std::vector<nlohmann::json>& reports);

}  // namespace levin::core
