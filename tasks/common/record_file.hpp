// A file of byte strings, each found by its place. It grows at its end alone.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "launch/common/descriptor.hpp"

namespace levin::core::tasks {

struct Place {
  uint64_t offset = 0, size = 0;
  uint64_t end() const { return offset + size; }
};

class RecordFile {
 public:
  // Opens or makes the file. Bytes after `end` are removed: they were not recorded by the process that wrote them.
  // Throws Error{run}.
  RecordFile(std::filesystem::path path, uint64_t end);
  explicit RecordFile(std::filesystem::path path);  // for reading

  Place append(std::string_view bytes);  // throws Error{run}, for example if the disk is full
  void sync();                           // on the disk when it returns
  std::string read(Place place) const;   // throws Error{data} if the file is too short
  uint64_t size() const { return end_; }

 private:
  std::filesystem::path path_;
  Descriptor fd_;
  uint64_t end_ = 0;
};

// A task as one string of bytes: its weight, its name, its needs and its data.
struct TaskData {
  std::string_view name, data;
  double weight = 1;
  std::string_view needs = {};  // text_of(Needs)
};
std::string packed_task(const TaskData& task);
TaskData unpacked_task(std::string_view bytes);  // borrows the bytes; throws Error{internal}

}  // namespace levin::core::tasks
