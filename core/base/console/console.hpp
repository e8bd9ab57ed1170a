// The output of a run: lines on the terminal, which the run folder's log also contains. Any thread may write.
#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "core/base/error.hpp"
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
  // Sets the lowest level (LEVIN_LOG_*) that the terminal shows; default LEVIN_LOG_INFO. Printed text counts as
  // LEVIN_LOG_INFO. Call it before log_to: the file has all lines from LEVIN_LOG_INFO on, and lower ones only if the
  // terminal shows them.
  void show_from(int32_t level) { least_ = level; }
  // For one of several processes: shows only warnings and errors on the terminal, each with this name.
  void be_one_of_several(const std::string& name);
  // Calls `note` for each warning from now on, after showing it. hold = true: warnings are shown only by show_held().
  void note_warnings(bool hold, Warn note);
  void show_held(const std::string& line);
  void warn_at_once(const std::string& line);  // shows the warning immediately, without calling `note`
  // Also writes all lines to this file from now on. Throws Error{run} if it cannot be created.
  void log_to(const std::string& path);
  void info(const std::string& line);
  void warn(const std::string& line);
  void notice(const std::string& line);  // an info line that quiet runs show too
  void log(int32_t level, const std::string& line);
  // Writes only to the file, for information that the terminal shows in another form.
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
  Warn note_;
  bool holds_ = false;
  int32_t least_ = LEVIN_LOG_INFO;
  bool redraws_;  // true if stdout is a terminal whose lines can be erased
};

}  // namespace levin::core
