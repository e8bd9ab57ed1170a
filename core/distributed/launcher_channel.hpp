// Line-based messages between this process and the launcher that started it, over an inherited socket. Without such a
// launcher, nothing is sent or received.
#pragma once
#include <chrono>
#include <mutex>
#include <optional>
#include <string>

namespace levin::core {

class LauncherChannel {
 public:
  explicit LauncherChannel(int descriptor = -1) : descriptor_(descriptor) {}
  // Returns the channel of LEVIN_LAUNCHER_FD and removes that variable from the environment. Call it once, before other
  // threads exist.
  static LauncherChannel inherited();
  LauncherChannel(LauncherChannel&& other) noexcept : descriptor_(other.descriptor_), read_(std::move(other.read_)) {
    other.descriptor_ = -1;
  }
  ~LauncherChannel();

  bool open() const { return descriptor_ >= 0; }
  // Sends the line "word rest"; control characters become spaces. Any thread may call it.
  void say(const std::string& word, const std::string& rest);
  // Waits for a line that begins with the word, and returns the rest of it. Other lines are dropped. Returns nullopt if
  // the launcher is gone or the timeout has passed.
  std::optional<std::string> hear(const std::string& word, std::chrono::milliseconds timeout);

 private:
  int descriptor_;
  std::mutex mutex_;
  std::string read_;  // the beginning of an incomplete line
};

}  // namespace levin::core
