// What people see of a run: lines on the terminal, and the same lines in the run folder's log.
#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace spdlog {
class logger;
}

namespace levin::core {

class Console {
 public:
  using Listener = std::function<void(int32_t level, const std::string& line)>;  // LEVIN_LOG_*
  Console();
  // Nothing reaches the terminal: lines go to the listener.
  explicit Console(Listener listener);
  ~Console();
  // From now on everything also goes to this file.
  void log_to(const std::string& path);
  void info(const std::string& line);
  void warn(const std::string& line);
  void log(int32_t level, const std::string& line);  // LEVIN_LOG_*; any thread
  // To the file alone: what the terminal shows in another way.
  void record(int32_t level, const std::string& line);
  // Text for people on standard output, clear of the progress bar's line.
  void print(const std::string& text);

 private:
  void clear_line();
  std::shared_ptr<spdlog::logger> terminal_, file_;
  std::mutex mutex_;
  Listener listener_;
  bool tty_;
};

}  // namespace levin::core
