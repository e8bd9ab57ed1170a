// What people see of a run: lines on the terminal and the same lines in the run folder's log. Any thread may write.
#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "sdk/include/levin/abi.h"

namespace spdlog {
class logger;
}

namespace levin::core {

class Console {
 public:
  using Listener = std::function<void(int32_t level, const std::string& line)>;  // level: LEVIN_LOG_*
  Console();
  // Sends all lines to the listener instead of the terminal.
  explicit Console(Listener listener);
  ~Console();
  // The terminal shows lines of this level (LEVIN_LOG_*) and above; at first from LEVIN_LOG_INFO on, as what is
  // printed. Call it before log_to: below LEVIN_LOG_INFO it holds for the file, too, which has all other lines in any
  // case.
  void show_from(int32_t level) { least_ = level; }
  // Names this process in every line on the terminal, where it shows warnings and errors alone.
  void be_one_of_several(const std::string& name);
  // From now on each warning is noted, after it was shown; with `hold` it is not shown before show_held().
  void note_warnings(bool hold, std::function<void(const std::string& line)> note);
  void show_held(const std::string& line);
  void warn_at_once(const std::string& line);  // shown, and not noted
  // Also writes everything to this file from now on.
  void log_to(const std::string& path);
  void info(const std::string& line);
  void warn(const std::string& line);
  void notice(const std::string& line);  // no warning, but shown in a quiet run, too
  void log(int32_t level, const std::string& line);
  // Writes to the file only, for what the terminal shows in another way.
  void record(int32_t level, const std::string& line);
  // Prints to standard output, after erasing the progress bar's line.
  void print(const std::string& text);

 private:
  void clear_line();
  void show(int32_t level, const std::string& line, bool always = false);
  void write(int32_t level, const std::string& line, bool shown);
  std::shared_ptr<spdlog::logger> terminal_, file_;
  std::mutex mutex_;
  Listener listener_;
  std::function<void(const std::string&)> note_;
  bool holds_ = false;
  int32_t least_ = LEVIN_LOG_INFO;
  bool redraws_;  // the lines of the standard output
};

}  // namespace levin::core
