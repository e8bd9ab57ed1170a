#include "runs/followed_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

namespace levin::core {
namespace {

constexpr size_t bytes_at_once = 1 << 18, most_at_once = 1 << 28, remembered = 64;

class RegularFile {
 public:
  explicit RegularFile(const std::filesystem::path& path)
      : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    known_ = fd_ >= 0 && ::fstat(fd_, &facts_) == 0 && S_ISREG(facts_.st_mode);
  }
  ~RegularFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  explicit operator bool() const { return known_; }
  uint64_t inode() const { return facts_.st_ino; }
  uint64_t size() const { return static_cast<uint64_t>(facts_.st_size); }

  std::string bytes(uint64_t offset, size_t most) const {
    std::string out(offset < size() ? std::min<uint64_t>(most, size() - offset) : 0, '\0');
    const ssize_t n = ::pread(fd_, out.data(), out.size(), static_cast<off_t>(offset));
    out.resize(n > 0 ? static_cast<size_t>(n) : 0);
    return out;
  }

 private:
  int fd_;
  struct stat facts_ {};
  bool known_ = false;
};

}  // namespace

bool FollowedFile::is_another() const {
  if (inode_ == 0) return false;  // nothing was read
  const RegularFile file(path_);
  return !file || file.inode() != inode_ || file.size() < offset_ ||
         file.bytes(offset_ - last_.size(), last_.size()) != last_;
}

bool FollowedFile::read_on(const std::function<size_t(const std::string&, uint64_t)>& use, size_t& budget) {
  const RegularFile file(path_);
  if (!file || file.size() == given_up_) return true;
  for (size_t most = bytes_at_once; offset_ < file.size();) {
    if (budget == 0) return false;
    const std::string bytes = file.bytes(offset_, most);
    const size_t used = use(bytes, offset_);
    budget -= std::min(budget, bytes.size());
    inode_ = file.inode();
    if (used == 0) {  // one line or record may be longer than this
      if (bytes.size() < most) return true;
      if ((most *= 4) <= most_at_once) continue;
      given_up_ = file.size();
      return true;
    }
    const size_t n = std::min(used, remembered);
    last_ = bytes.substr(used - n, n);
    offset_ += used;
    most = bytes_at_once;
  }
  return true;
}

std::string bytes_of_file(const std::filesystem::path& path, uint64_t offset, size_t most) {
  const RegularFile file(path);
  return file ? file.bytes(offset, most) : "";
}

}  // namespace levin::core
