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
struct TrailStep {
  const char* call = "";     // of those that live as long as the process
  const char* purpose = "";  // as call
  const char* type = "";     // as call; "": there is no tensor
  std::array<int64_t, 4> sizes{};
  int64_t dimensions = 0;
  std::string text() const;  // "all_reduce of Float[10, 2] (gradients)"
};

// All of one group, or the messages of one direction between two processes. Each has its number, from 1.
struct TrailLine {
  std::string name;        // the same in all processes
  std::vector<int> ranks;  // of the run, that have to begin what others wait for here
  uint64_t begun = 0;
  std::vector<TrailStep> last;  // by number, as many as are kept
};

class Trail {
 public:
  static constexpr size_t most_lines = 256;
  // Lives as long as the trail. nullptr: there are so many already, and what this one would have is not noted.
  TrailLine* line(const std::string& name, const std::vector<int>& ranks);
  uint64_t begin(TrailLine* line, const TrailStep& step);  // returns its number, from 1; 0: there is no line

  // While it lives, this thread, which trains, waits until the ranks of the line have begun the one of this number.
  // Without a trail or a line nothing is kept.
  class Wait {
   public:
    Wait(Trail* trail, const TrailLine* line, uint64_t number, const char* call);
    ~Wait();
    Wait(const Wait&) = delete;
    Wait& operator=(const Wait&) = delete;

   private:
    Trail* const trail_;
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
  std::list<TrailLine> lines_;
  std::unordered_map<std::string, TrailLine*> by_name_;
  bool full_ = false;
  const TrailLine* awaited_ = nullptr;  // nullptr: it does not wait
  uint64_t number_ = 0;
  const char* call_ = "";
  Breadcrumb caller_;
  std::string place_;
  std::chrono::steady_clock::time_point since_{};
  bool told_ = false;
};

}  // namespace levin::core
