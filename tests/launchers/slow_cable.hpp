// A cable between two network namespaces that delays and loses packets.
#pragma once
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

class SlowCable {
 public:
  // Its ends are the devices v1 and v2 in the namespaces. One of `lost_of` packets is lost.
  SlowCable(const std::string& first, const std::string& second, std::chrono::milliseconds delay, int lost_of);
  ~SlowCable();
  SlowCable(const SlowCable&) = delete;
  SlowCable& operator=(const SlowCable&) = delete;

  bool is_there() const { return ends_[0] >= 0 && ends_[1] >= 0; }

 private:
  void carry(int from, int to) const;

  const std::chrono::milliseconds delay_;
  const int lost_of_;
  int ends_[2] = {-1, -1};
  std::atomic<bool> done_{false};
  std::thread ways_[2];
};
