// Which collectives and messages this process has begun, and for which it waits, so that processes that wait for each
// other can be found and named.
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

namespace levin::core {

// One collective, in a few bytes.
struct CollectiveCall {
  const char* call = "";     // of those that live as long as the process
  const char* purpose = "";  // as call
  const char* type = "";     // as call; "": there is no tensor
  std::array<int64_t, 4> sizes{};
  int64_t dimensions = 0;
  std::string text() const;  // "all_reduce of Float[10, 2] (gradients)"
};

// All of one group, or the messages of one direction between two processes. Each has its number, from 1.
struct CollectiveLine {
  std::string name;        // the same in all processes
  std::vector<int> ranks;  // of the run, that have to begin what others wait for here
  uint64_t begun = 0;
  std::vector<CollectiveCall> last;  // by number, as many as are kept
};

class CollectiveLog {
 public:
  static constexpr size_t most_lines = 256;
  // Lives as long as the collective_log. nullptr: there are so many already, and what this one would have is not noted.
  CollectiveLine* line(const std::string& name, const std::vector<int>& ranks);
  uint64_t begin(CollectiveLine* line, const CollectiveCall& step);  // returns its number, from 1; 0: there is no line

  // While it lives, this thread, which trains, waits until the ranks of the line have begun the one of this number.
  // Without a collective_log or a line nothing is kept.
  class Wait {
   public:
    Wait(CollectiveLog* collective_log, const CollectiveLine* line, uint64_t number, const char* call);
    ~Wait();
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;

   private:
    CollectiveLog* const collective_log_;
  };
  // On the thread that waits, after a while: where it is, for people.
  void still_waits(const std::function<std::string()>& place);

  // What others have to know of this process if it has waited for so long and has not said it yet. Any thread.
  std::optional<nlohmann::json> news(std::chrono::milliseconds waiting_since);
  nlohmann::json report();  // the same of a process that does not wait

 private:
  nlohmann::json lines_json() const;
  nlohmann::json waiting_json() const;

  std::mutex mutex_;
  std::list<CollectiveLine> lines_;
  std::unordered_map<std::string, CollectiveLine*> by_name_;
  bool full_ = false;
  const CollectiveLine* awaited_ = nullptr;  // nullptr: it does not wait
  uint64_t number_ = 0;
  const char* call_ = "";
  Breadcrumb caller_;
  std::string place_;
  std::chrono::steady_clock::time_point since_{};
  bool warned_ = false;
};

}  // namespace levin::core
