#include "text_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "levin/logger.hpp"

namespace fs = std::filesystem;

namespace levin::loggers {
namespace {

void sync_file(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const int error = fd < 0 ? errno : ::fsync(fd) == 0 || errno == EINVAL ? 0 : errno;
  if (fd >= 0) ::close(fd);
  if (error != 0) throw Error(LEVIN_E_IO, "cannot sync " + path.string() + " to the disk: " + std::strerror(error));
}

}  // namespace

std::string read_text(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed))
    throw Error(LEVIN_E_IO, "cannot read " + path.string() + ": it is no regular file; move it out of the way");
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  if (in.peek() != std::ifstream::traits_type::eof()) text << in.rdbuf();
  if (!in.is_open() || in.bad() || !text)
    throw Error(LEVIN_E_IO, "cannot read " + path.string() + ": make it readable, or move it out of the way");
  return text.str();
}

void write_text(const fs::path& path, const std::string& text, std::ios::openmode mode) {
  std::ofstream out(path, std::ios::binary | mode);
  out << text;
  out.close();
  if (!out) throw Error(LEVIN_E_IO, "cannot write " + path.string() + ": is the disk full or the folder read-only?");
}

void replace_text(const fs::path& path, const std::string& text) {
  const fs::path aside = path.string() + ".new";
  write_text(aside, text, std::ios::trunc);
  sync_file(aside);  // or a power cut could leave an empty file where rows were on the disk already
  fs::rename(aside, path);
}

}  // namespace levin::loggers
