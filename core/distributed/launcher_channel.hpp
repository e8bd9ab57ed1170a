// What this process and the launcher that started it tell each other, line by line, over a socket that the process has
// inherited. Without such a launcher nothing is said and nothing comes.
#pragma once
#include <chrono>
#include <mutex>
#include <optional>
#include <string>

namespace levin::core {

class LauncherChannel {
 public:
  explicit LauncherChannel(int descriptor = -1) : descriptor_(descriptor) {}
  // From LEVIN_LAUNCHER_FD, which is taken out of the environment: call it once, before there are other threads.
  static LauncherChannel inherited();
  LauncherChannel(LauncherChannel&& other) noexcept : descriptor_(other.descriptor_), read_(std::move(other.read_)) {
    other.descriptor_ = -1;
  }
  ~LauncherChannel();

  bool open() const { return descriptor_ >= 0; }
  // "word rest"; control characters become spaces. Any thread may call it.
  void say(const std::string& word, const std::string& rest);
  // Waits for a line that begins with the word, and returns the rest of it. Other lines are dropped. nullopt: the
  // launcher is gone or the time is over.
  std::optional<std::string> hear(const std::string& word, std::chrono::milliseconds timeout);

 private:
  int descriptor_;
  std::mutex mutex_;
  std::string read_;  // the beginning of a line that is not whole yet
};

}  // namespace levin::core
