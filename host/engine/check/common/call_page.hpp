// The running plugin call, in memory shared by two processes, so that it can be read after a process hangs or is
// killed.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/abi/breadcrumb.hpp"

namespace levin::core {

struct CallPage {
  std::atomic<uint64_t> changes{0};  // number of call begins and ends
  char text[512] = "";               // "PLUGIN: INSTANCE.CALL" of the newest running call; "" = none
};

// Writes the page and counts calls by name. Thread-safe.
class CallRecorder : public CallListener {
 public:
  explicit CallRecorder(CallPage& page);
  ~CallRecorder() override;
  CallRecorder(const CallRecorder&) = delete;
  CallRecorder& operator=(const CallRecorder&) = delete;

  void enter(const Breadcrumb& call) override;
  void leave(const Breadcrumb& call) override;
  bool called(const std::string& plugin, const std::string& call) const;

 private:
  void show();
  CallPage& page_;
  mutable std::mutex mutex_;
  std::vector<std::pair<std::thread::id, std::string>> running_;
  std::map<std::pair<std::string, std::string>, int64_t> counts_;  // by plugin and call
};

}  // namespace levin::core
