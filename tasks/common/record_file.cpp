#include "tasks/common/record_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/file.hpp"

namespace levin::core::tasks {
namespace {

[[noreturn]] void fail_at(const std::filesystem::path& path, const char* what) {
  const int error = errno;
  const bool full = error == ENOSPC || error == EDQUOT;
  throw Error(code_of_write(error), path.string() + " cannot be " + what + ": " + std::strerror(error) +
                                        (full ? "; make room there, and go on with host tasks --resume" : ""));
}

}  // namespace

RecordFile::RecordFile(std::filesystem::path path, uint64_t end) : path_(std::move(path)), end_(end) {
  fd_ = Descriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!fd_.open()) fail_at(path_, "opened");
  const off_t size = ::lseek(fd_.get(), 0, SEEK_END);
  if (size < 0 || static_cast<uint64_t>(size) < end)
    throw Error(ErrorCode::record_damaged,
                path_.string() + " is shorter than the ledger says: it was changed or damaged");
  if (::ftruncate(fd_.get(), static_cast<off_t>(end)) != 0) fail_at(path_, "shortened");
}

RecordFile::RecordFile(std::filesystem::path path) : path_(std::move(path)) {
  fd_ = Descriptor(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd_.open()) fail_at(path_, "opened");
  const off_t size = ::lseek(fd_.get(), 0, SEEK_END);
  if (size < 0) fail_at(path_, "read");
  end_ = static_cast<uint64_t>(size);
}

Place RecordFile::append(std::string_view bytes) {
  const Place place{end_, bytes.size()};
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(fd_.get(), bytes.data(), bytes.size(), static_cast<off_t>(end_));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail_at(path_, "written");
    bytes.remove_prefix(static_cast<size_t>(n));
    end_ += static_cast<uint64_t>(n);
  }
  return place;
}

void RecordFile::sync() {
  if (::fdatasync(fd_.get()) != 0) fail_at(path_, "written");
}

std::string RecordFile::read(Place place) const {
  std::string out(static_cast<size_t>(place.size), '\0');
  size_t done = 0;
  while (done < out.size()) {
    const ssize_t n = ::pread(fd_.get(), out.data() + done, out.size() - done, static_cast<off_t>(place.offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail_at(path_, "read");
    if (n == 0) throw Error(ErrorCode::record_damaged, path_.string() + " is too short: it was changed or damaged");
    done += static_cast<size_t>(n);
  }
  return out;
}

namespace {

// Jobs from before tasks had needs have a length of 64 bits for the name, so that theirs is 0.
struct TaskHead {
  double weight = 1;
  uint32_t name = 0, needs = 0;  // lengths
};

}  // namespace

std::string packed_task(const TaskData& task) {
  const TaskHead head{task.weight, static_cast<uint32_t>(task.name.size()), static_cast<uint32_t>(task.needs.size())};
  std::string out(reinterpret_cast<const char*>(&head), sizeof head);
  out += task.name;
  out += task.needs;
  out += task.data;
  return out;
}

TaskData unpacked_task(std::string_view bytes) {
  TaskHead head;
  if (bytes.size() < sizeof head) throw Error(ErrorCode::internal_error, "a task is damaged");
  std::memcpy(&head, bytes.data(), sizeof head);
  bytes.remove_prefix(sizeof head);
  if (bytes.size() < uint64_t{head.name} + head.needs) throw Error(ErrorCode::internal_error, "a task is damaged");
  TaskData out;
  out.weight = head.weight;
  out.name = bytes.substr(0, head.name);
  out.needs = bytes.substr(head.name, head.needs);
  out.data = bytes.substr(head.name + head.needs);
  return out;
}

}  // namespace levin::core::tasks
