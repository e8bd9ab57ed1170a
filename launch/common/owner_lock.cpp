#include "launch/common/owner_lock.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstring>

#include "core/base/error.hpp"

namespace levin::core {
namespace {

struct flock whole_file() {
  struct flock out {};
  out.l_type = F_WRLCK;
  out.l_whence = SEEK_SET;
  return out;
}

}  // namespace

std::optional<Descriptor> take_owner_lock(const std::filesystem::path& file) {
  Descriptor fd(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!fd.open())
    throw Error(ErrorCode::file_not_written,
                file.parent_path().string() + " cannot be written: " + std::strerror(errno));
  struct flock lock = whole_file();
  if (::fcntl(fd.get(), F_OFD_SETLK, &lock) != 0) return std::nullopt;
  return fd;
}

bool holds_owner_lock(const std::filesystem::path& file) {
  const Descriptor fd(::open(file.c_str(), O_RDWR | O_CLOEXEC));
  struct flock lock = whole_file();
  return fd.open() && ::fcntl(fd.get(), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

}  // namespace levin::core
