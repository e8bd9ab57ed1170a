// Helpers of the fuzz targets. LEVIN_FUZZ_TARGET(name) { ... } defines a function of the bytes `data` and their number
// `size`, which must return for every input. With the preset `fuzz`, clang's libFuzzer calls it in its own program;
// otherwise test_fuzz_corpora calls all targets with the files of tests/fuzz/corpus.
#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace levin::fuzz {

using Target = void (*)(const uint8_t* data, size_t size);

struct NamedTarget {
  const char* name;
  Target call;
};
inline std::vector<NamedTarget>& targets() {
  static std::vector<NamedTarget> all;
  return all;
}
struct Registered {
  Registered(const char* name, Target call) { targets().push_back({name, call}); }
};

inline std::string text_of(const uint8_t* data, size_t size) { return {reinterpret_cast<const char*>(data), size}; }

// The bytes as a file that is removed with this object.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : fd_(memfd_create("fuzz", MFD_CLOEXEC)) {
    if (fd_ < 0 || write(fd_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

// A folder, in memory if available, for targets that need more than one file. It is removed when the program ends.
class ScratchFolder {
 public:
  ScratchFolder() {
    const char* memory = access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp";
    std::string name = std::string(memory) + "/levin_fuzz_XXXXXX";
    const char* made = mkdtemp(name.data());
    if (made == nullptr) std::abort();
    path_ = made;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  void put(const std::string& name, std::string_view bytes) const {
    const int fd = open((path_ / name).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
    close(fd);
  }

 private:
  std::filesystem::path path_;
};

}  // namespace levin::fuzz

#ifdef LEVIN_FUZZER
#define LEVIN_FUZZ_ENTRY(name)                                              \
  extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) { \
    name(data, size);                                                       \
    return 0;                                                               \
  }
#else
#define LEVIN_FUZZ_ENTRY(name) static const levin::fuzz::Registered registered_##name(#name, &name);
#endif
#define LEVIN_FUZZ_TARGET(name)                       \
  static void name(const uint8_t* data, size_t size); \
  LEVIN_FUZZ_ENTRY(name)                              \
  static void name(const uint8_t* data, size_t size)
