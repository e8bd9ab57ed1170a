#include "spool.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "levin/error.hpp"
#include "levin/util/uninterrupted.hpp"

namespace fs = std::filesystem;

namespace levin::mlflow {
namespace {

Error open_error(const fs::path& path) {
  return Error(LEVIN_E_IO, "cannot open " + path.string() + ": " + std::strerror(errno));
}

int open_file(const fs::path& path, int flags) {
  const int fd = uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, 0666); });
  if (fd < 0) throw open_error(path);
  return fd;
}

constexpr uint64_t longest_line = 1 << 20;

}  // namespace

Spool::Spool(const fs::path& folder) : path_(folder / "spool.jsonl") {
  fs::create_directories(folder);
  file_ = loggers::AppendFile::open(path_, O_APPEND);
  if (!file_) throw open_error(path_);
  in_ = open_file(path_, O_RDONLY);
  mark_ = open_file(folder / "sent", O_RDWR | O_CREAT);
  size_ = flushed_ = fs::file_size(path_);
  const uint64_t from = size_ - std::min(size_, longest_line);
  const std::string end = read(from, longest_line);
  cut(!end.empty() && end.back() == '\n' ? from + end.size() : from);
  char text[32] = "";
  if (pread(mark_, text, sizeof text - 1, 0) > 0) sent_ = std::min<uint64_t>(std::strtoull(text, nullptr, 10), size_);
}

Spool::~Spool() {
  if (in_ >= 0) ::close(in_);
  if (mark_ >= 0) ::close(mark_);
}

void Spool::add(const std::string& line) {
  file_->write(line + "\n");
  size_ += line.size() + 1;
}

void Spool::flush() {
  file_->flush();
  flushed_ = size_;
}

void Spool::cut(uint64_t bytes) {
  if (bytes < size_) fs::resize_file(path_, bytes);
  size_ = std::min(size_, bytes);
  flushed_ = size_;
  if (sent_ > size_) set_sent(size_);
}

std::string Spool::read(uint64_t from, size_t bytes) const {
  const uint64_t end = flushed_;
  std::string out(static_cast<size_t>(std::min<uint64_t>(bytes, end - std::min(from, end))), '\0');
  const ssize_t n = uninterrupted([&] { return pread(in_, &out[0], out.size(), static_cast<off_t>(from)); });
  out.resize(n > 0 ? static_cast<size_t>(n) : 0);
  const size_t last = out.rfind('\n');
  if (last != std::string::npos) out.resize(last + 1);
  return out;
}

void Spool::set_sent(uint64_t offset) {
  sent_ = offset;
  char text[32];
  const int n = std::snprintf(text, sizeof text, "%020llu\n", static_cast<unsigned long long>(offset));
  if (pwrite(mark_, text, static_cast<size_t>(n), 0) < 0) return;  // a resumed run then sends lines again
}

}  // namespace levin::mlflow
