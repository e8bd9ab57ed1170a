// A file that holds the number of a logger's last delivered call, so that a resumed run repeats none of them.
#pragma once
#include <cstdint>
#include <filesystem>

namespace levin::core {

class DeliveredMark {
 public:
  // Without a run folder ("") nothing is written: such a run cannot be resumed.
  DeliveredMark(const std::filesystem::path& run_dir, const std::string& logger);
  ~DeliveredMark();
  DeliveredMark(const DeliveredMark&) = delete;
  DeliveredMark& operator=(const DeliveredMark&) = delete;

  uint64_t read() const;  // 0 = no call was delivered
  // The write survives the process, even if it is killed. A failure is ignored: a resumed run then repeats calls.
  void write(uint64_t number) const;

 private:
  int file_ = -1;
};

}  // namespace levin::core
