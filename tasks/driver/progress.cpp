#include "tasks/driver/progress.hpp"

#include <cstdio>

#include "core/base/text.hpp"

namespace levin::core::tasks {
namespace {

std::string short_time(double seconds) {
  char text[64];
  const auto s = static_cast<long long>(seconds + 0.5);
  if (s < 3600)
    std::snprintf(text, sizeof text, "%02lld:%02lld", s / 60, s % 60);
  else
    std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
  return text;
}

}  // namespace

Progress::Progress(TaskCounts begun, bool terminal) : begun_(begun), terminal_(terminal) {}

std::string Progress::line(const TaskCounts& now, size_t running) const {
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  std::string out = "tasks " + std::to_string(now.done) + "/" + std::to_string(now.all) + ", " +
                    std::to_string(running) + " running, " + std::to_string(now.failed) + " failed";
  const double done = static_cast<double>(now.done - begun_.done), weight = now.weight_done - begun_.weight_done;
  if (done <= 0 || seconds <= 0) return out;
  char rate[64];
  std::snprintf(rate, sizeof rate, ", %.*f/s", done / seconds < 10 ? 2 : 0, done / seconds);
  out += rate;
  const double left = now.weight - now.weight_done;
  if (left > 0 && weight > 0 && now.done + now.failed < now.all)
    out += ", " + short_time(left / weight * seconds) + " left";
  return out.substr(0, 79);
}

void Progress::clear() {
  if (width_ > 0) std::printf("\r%*s\r", static_cast<int>(width_), "");
  width_ = 0;
}

void Progress::update(const TaskCounts& now, size_t running) {
  const auto every = terminal_ ? std::chrono::milliseconds(200) : std::chrono::milliseconds(20000);
  if (Clock::now() - shown_ < every) return;
  if (!terminal_ && shown_ == Clock::time_point{} && Clock::now() - start_ < every) return;
  shown_ = Clock::now();
  const std::string text = line(now, running);
  clear();
  std::printf(terminal_ ? "%s" : "%s\n", text.c_str());
  width_ = terminal_ ? text.size() : 0;
  std::fflush(stdout);
}

void Progress::end(const TaskCounts& now) {
  clear();
  std::printf("%s\n", line(now, 0).c_str());
  std::fflush(stdout);
}

void Progress::say(const std::string& text) {
  clear();
  std::printf("%s\n", printable(text).c_str());
  std::fflush(stdout);
}

}  // namespace levin::core::tasks
