// The file in which everything that is logged waits for the server, one JSON object a line. One thread writes it,
// another one reads it. It keeps what was sent, so that another server can get all of it.
#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "../common/append_file.hpp"

namespace levin::mlflow {

class Spool {
 public:
  // Opens spool.jsonl in the folder. A part of a line at its end is dropped: a kill may have left it.
  explicit Spool(const std::filesystem::path& folder);
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  const std::filesystem::path& path() const { return path_; }

  // For the thread that writes.
  void add(const std::string& line);  // without a line break
  void flush();
  uint64_t size() const { return size_; }  // including buffered lines
  void cut(uint64_t bytes);                // before anything is added

  // For the thread that reads: returns at most `bytes` flushed bytes from this offset on, which end with a line break
  // unless there is none among them. "" = cannot be read.
  std::string read(uint64_t from, size_t bytes) const;
  uint64_t flushed() const { return flushed_; }

  // The offset up to which everything was sent, in the file `sent` beside the spool, which survives a kill.
  uint64_t sent() const { return sent_; }
  void set_sent(uint64_t offset);

 private:
  std::filesystem::path path_;
  std::unique_ptr<loggers::AppendFile> file_;
  int in_ = -1, mark_ = -1;
  uint64_t size_ = 0;
  std::atomic<uint64_t> flushed_{0}, sent_{0};
};

}  // namespace levin::mlflow
