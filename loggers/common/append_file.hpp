// A file to which a logger appends.
#pragma once
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace levin::loggers {

// Throws levin::Error with the file and the reason on failure.
class AppendFile {
 public:
  // flags: O_EXCL (the file must not exist), O_TRUNC or O_APPEND. Returns nullptr, with errno set, if the file cannot
  // be opened.
  static std::unique_ptr<AppendFile> open(const std::filesystem::path& path, int flags);
  ~AppendFile();  // writes buffered bytes, if possible
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  // Buffers the bytes in memory until there are many.
  void write(std::string_view bytes);
  // Writes all buffered bytes. Bytes that could not be written stay in the buffer.
  void flush();

 private:
  AppendFile(std::filesystem::path path, int fd) : path_(std::move(path)), fd_(fd) {}
  int write_out();  // returns 0 or an errno value
  std::filesystem::path path_;
  int fd_;
  std::string waiting_;
};

}  // namespace levin::loggers
