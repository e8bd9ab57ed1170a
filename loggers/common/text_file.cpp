#include "text_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "levin/logger.hpp"
#include "levin/util/uninterrupted.hpp"
#include "write_error.hpp"

namespace fs = std::filesystem;

namespace levin::loggers {
namespace {

void sync_file(const fs::path& path) {
  const int fd = uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
  const int error = fd < 0 ? errno : uninterrupted([&] { return ::fsync(fd); }) == 0 || errno == EINVAL ? 0 : errno;
  if (fd >= 0) ::close(fd);
  if (error != 0) throw Error(LEVIN_E_IO, "cannot sync " + path.string() + " to the disk: " + std::strerror(error));
}

}  // namespace

std::string read_text(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed))
    throw Error(LEVIN_E_IO, "cannot read " + path.string() + ": it is no regular file; move it out of the way");
  std::ifstream in;
  uninterrupted([&] { return in.open(path, std::ios::binary), in ? 0 : -1; });
  std::ostringstream text;
  if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (!in.is_open() || in.bad() || !text)
    throw Error(LEVIN_E_IO, "cannot read " + path.string() + ": make it readable, or move it out of the way");
  return text.str();
}

void write_text(const fs::path& path, const std::string& text, std::ios::openmode mode) {
  std::ofstream out;
  uninterrupted([&] { return out.open(path, std::ios::binary | mode), out ? 0 : -1; });
  if (out) errno = 0;
  out << text;
  out.close();
  if (!out) throw Error(LEVIN_E_IO, write_error(path.string(), errno));
}

void replace_text(const fs::path& path, const std::string& text) {
  const fs::path aside = path.string() + ".new";
  write_text(aside, text, std::ios::trunc);
  sync_file(aside);  // else a power cut could leave an empty file in place of the old rows
  std::error_code failed;
  uninterrupted(failed, [&] { fs::rename(aside, path, failed); });
  if (failed) throw Error(LEVIN_E_IO, "cannot write " + path.string() + ": " + failed.message());
}

void remove_text(const fs::path& path) {
  if (const std::error_code failed = remove_file(path))
    throw Error(LEVIN_E_IO, "cannot remove " + path.string() + ": " + failed.message());
}

}  // namespace levin::loggers
