// A file that says which of a logger's calls was delivered last, so that a run that goes on repeats none of them.
#pragma once
#include <cstdint>
#include <filesystem>

namespace levin::core {

class DeliveredMark {
 public:
  // Without a run folder ("") there is nothing to go on from, so nothing is written.
  DeliveredMark(const std::filesystem::path& run_dir, const std::string& logger);
  ~DeliveredMark();
  DeliveredMark(const DeliveredMark&) = delete;
  DeliveredMark& operator=(const DeliveredMark&) = delete;

  uint64_t read() const;  // 0: no call was delivered
  // It outlives the process, even one that is killed. A failure is ignored: calls are then repeated by a resume.
  void write(uint64_t number) const;

 private:
  int file_ = -1;
};

}  // namespace levin::core
