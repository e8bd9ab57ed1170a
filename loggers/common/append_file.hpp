// A file that a logger writes at its end.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace levin::loggers {

// Failures throw levin::Error that names the file and the reason.
class AppendFile {
 public:
  // flags: O_EXCL for a file that must not be there yet, O_TRUNC or O_APPEND. nullptr: it cannot be opened (errno).
  static std::unique_ptr<AppendFile> open(const std::filesystem::path& path, int flags);
  ~AppendFile();  // writes what waits, if that is possible
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  // Keeps the bytes in memory until there are many of them.
  void write(std::string_view bytes);
  // Hands all bytes to the system. Those that could not be written stay.
  void flush();

 private:
  AppendFile(std::filesystem::path path, int fd) : path_(std::move(path)), fd_(fd) {}
  int write_out();  // 0 or errno
  std::filesystem::path path_;
  int fd_;
  std::string waiting_;
};

}  // namespace levin::loggers
