#include "core/logging/delivered_mark.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace levin::core {

DeliveredMark::DeliveredMark(const std::filesystem::path& run_dir, const std::string& logger) {
  if (!run_dir.empty())
    file_ = open((run_dir / (".delivered." + logger)).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
}

DeliveredMark::~DeliveredMark() {
  if (file_ >= 0) close(file_);
}

uint64_t DeliveredMark::read() const {
  char text[32] = "";
  if (file_ < 0 || pread(file_, text, sizeof text - 1, 0) <= 0) return 0;
  return std::strtoull(text, nullptr, 10);
}

void DeliveredMark::write(uint64_t number) const {
  if (file_ < 0) return;
  char text[32];
  const int n = std::snprintf(text, sizeof text, "%020llu\n", static_cast<unsigned long long>(number));
  if (pwrite(file_, text, static_cast<size_t>(n), 0) < 0) return;
}

}  // namespace levin::core
