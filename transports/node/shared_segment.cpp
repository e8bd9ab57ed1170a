// Rank 0 creates an unnamed file in memory (memfd) and publishes its path, /proc/PID/fd/N. Unlike a file in /dev/shm,
// it does not outlive killed processes, and the size of a container's /dev/shm does not limit it.
#include "transports/node/shared_segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <sstream>

namespace levin::core {
namespace {

constexpr size_t token_page = 4096;
const std::string yes = "ok";

std::string because(const std::string& what, int error) { return what + ": " + std::strerror(error); }

// Returns a number that no other segment has. It detects that /proc/PID/fd/N is another file, where process ids have
// another meaning.
std::string new_token() {
  std::random_device random;
  std::ostringstream text;
  for (int i = 0; i < 4; ++i) text << std::hex << random();
  return text.str();
}

struct Descriptor {
  int value = -1;
  ~Descriptor() {
    if (value >= 0) close(value);
  }
};

// Creates the file with a sealed size, so that access to truncated memory cannot kill a process.
std::string make_file(size_t bytes, int& file) {
  file = memfd_create("levin", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return because("memfd_create", errno);
  if (const int error = posix_fallocate(file, 0, static_cast<off_t>(bytes))) return because("posix_fallocate", error);
  if (fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) return because("F_ADD_SEALS", errno);
  return {};
}

}  // namespace

SharedSegment::SharedSegment(const SegmentExchange& exchange, size_t bytes) : bytes_(token_page + bytes) {
  try {
    exchange.rank == 0 ? offer(exchange) : join(exchange);
  } catch (...) {
    release();
    throw;
  }
  if (!reason_.empty()) release();
}

SharedSegment::~SharedSegment() { release(); }

void SharedSegment::offer(const SegmentExchange& exchange) {
  Descriptor file;
  reason_ = make_file(bytes_, file.value);
  if (reason_.empty()) map(file.value);
  const std::string token = new_token();
  if (reason_.empty()) std::memcpy(memory_, token.c_str(), token.size() + 1);
  const std::string path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file.value);
  exchange.publish("segment", reason_.empty() ? token + " " + path : "- " + reason_);
  if (!reason_.empty()) return;
  for (int rank = 1; rank < exchange.size; ++rank) {
    const std::string answer = exchange.fetch("mapped/" + std::to_string(rank));
    if (answer != yes && reason_.empty()) reason_ = answer + " (local rank " + std::to_string(rank) + ")";
  }
  exchange.publish("all_mapped", reason_.empty() ? yes : reason_);
}

void SharedSegment::join(const SegmentExchange& exchange) {
  std::istringstream offered(exchange.fetch("segment"));
  std::string token, path;
  offered >> token >> std::ws;
  std::getline(offered, path);
  if (token == "-") {
    reason_ = path + " (local rank 0)";
    return;
  }
  Descriptor file;
  file.value = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (file.value < 0) reason_ = because(path, errno);
  if (reason_.empty() && lseek(file.value, 0, SEEK_END) != static_cast<off_t>(bytes_))
    reason_ = path + ": another file, as if seen from another container";
  if (reason_.empty()) map(file.value);
  if (reason_.empty() && std::strncmp(static_cast<const char*>(memory_), token.c_str(), token_page) != 0)
    reason_ = path + ": memory of another run";
  exchange.publish("mapped/" + std::to_string(exchange.rank), reason_.empty() ? yes : reason_);
  const std::string verdict = exchange.fetch("all_mapped");
  if (verdict != yes) reason_ = verdict;
}

// Maps the memory. Child processes, such as shell commands, do not inherit it.
void SharedSegment::map(int file) {
  void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
  if (memory == MAP_FAILED) {
    reason_ = because("mmap", errno);
    return;
  }
  madvise(memory, bytes_, MADV_DONTFORK);
  memory_ = memory;
  data_ = static_cast<char*>(memory) + token_page;
}

void SharedSegment::release() {
  if (memory_) munmap(memory_, bytes_);
  memory_ = data_ = nullptr;
}

}  // namespace levin::core
