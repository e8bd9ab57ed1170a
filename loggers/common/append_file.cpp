#include "append_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "levin/error.hpp"
#include "levin/util/uninterrupted.hpp"
#include "write_error.hpp"

namespace levin::loggers {
namespace {

constexpr size_t many = 1 << 16;

}  // namespace

std::unique_ptr<AppendFile> AppendFile::open(const std::filesystem::path& path, int flags) {
  const int fd = uninterrupted([&] { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666); });
  return fd < 0 ? nullptr : std::unique_ptr<AppendFile>(new AppendFile(path, fd));
}

AppendFile::~AppendFile() {
  write_out();
  ::close(fd_);
}

void AppendFile::write(std::string_view bytes) {
  waiting_ += bytes;
  if (waiting_.size() >= many) flush();
}

void AppendFile::flush() {
  if (const int error = write_out(); error != 0) throw Error(LEVIN_E_IO, write_error(path_.string(), error));
}

int AppendFile::write_out() {
  size_t done = 0;
  int error = 0;
  while (done < waiting_.size() && error == 0) {
    const ssize_t n = uninterrupted([&] { return ::write(fd_, waiting_.data() + done, waiting_.size() - done); });
    if (n >= 0)
      done += static_cast<size_t>(n);
    else
      error = errno;
  }
  waiting_.erase(0, done);
  return error;
}

}  // namespace levin::loggers
