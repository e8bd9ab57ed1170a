#include "tests/reliability/file_call.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

namespace levin::reliability {
namespace {

namespace fs = std::filesystem;

// The memory, descriptors and folders of a stopped thread.
class Thread {
 public:
  explicit Thread(const seccomp_notif& stopped)
      : args_(stopped.data.args),
        proc_("/proc/" + std::to_string(stopped.pid)),
        memory_(::open((proc_ + "/mem").c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Thread() { ::close(memory_); }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  uint64_t arg(int i) const { return args_[i]; }
  int fd(int i) const { return static_cast<int>(args_[i]); }

  std::string bytes(uint64_t at, uint64_t n) const {
    std::string out(n, '\0');
    const ssize_t got = ::pread(memory_, out.data(), n, static_cast<off_t>(at));
    out.resize(got > 0 ? static_cast<size_t>(got) : 0);
    return out;
  }
  // Returns the path of the descriptor; "" if it is not a file with a name.
  std::string path_of(int fd) const {
    std::error_code failed;
    const std::string path = fs::read_symlink(proc_ + "/fd/" + std::to_string(fd), failed).string();
    const bool gone = path.size() > 10 && path.compare(path.size() - 10, 10, " (deleted)") == 0;
    return failed || gone || path[0] != '/' ? "" : path;
  }
  // Returns the path in argument `text`, relative to the folder of descriptor `folder`.
  std::string path(int text, int folder = AT_FDCWD) const {
    std::string name = bytes(arg(text), 4096 - arg(text) % 4096);  // to the end of the page
    if (name.find('\0') == std::string::npos) name += bytes(arg(text) + name.size(), 4096);
    name = name.c_str();
    std::error_code failed;
    const fs::path from = folder == AT_FDCWD ? fs::read_symlink(proc_ + "/cwd", failed) : fs::path(path_of(folder));
    return (from / name).lexically_normal().string();
  }
  uint64_t position(int fd) const {
    std::ifstream in(proc_ + "/fdinfo/" + std::to_string(fd));
    std::string word;
    uint64_t position = 0, flags = 0;
    in >> word >> position >> word >> std::oct >> flags;
    if ((flags & O_APPEND) == 0) return position;
    std::error_code failed;
    const uint64_t size = fs::file_size(path_of(fd), failed);
    return failed ? 0 : size;
  }

 private:
  const __u64* args_;
  std::string proc_;
  int memory_;
};

using Found = std::optional<FileCall>;

Found of_descriptor(const char* name, const Thread& t, int fd) {
  FileCall call;
  call.name = name;
  call.fd = fd;
  call.path = t.path_of(fd);
  std::error_code failed;
  call.folder = fs::is_directory(call.path, failed);
  return call.path.empty() ? std::nullopt : Found(call);
}

Found writes(const Thread& t, const std::function<std::string()>& data, std::optional<uint64_t> offset) {
  Found call = of_descriptor("write", t, t.fd(0));
  if (!call) return call;
  call->data = data();
  call->offset = offset ? *offset : t.position(t.fd(0));
  return call;
}

std::string vectors(const Thread& t) {
  std::string out;
  for (uint64_t i = 0; i < t.arg(2); ++i) {
    iovec v{};
    const std::string raw = t.bytes(t.arg(1) + i * sizeof v, sizeof v);
    if (raw.size() == sizeof v) std::copy(raw.begin(), raw.end(), reinterpret_cast<char*>(&v));
    out += t.bytes(reinterpret_cast<uint64_t>(v.iov_base), v.iov_len);
  }
  return out;
}

Found opens(const std::string& path, int flags) {
  FileCall call;
  call.name = "open";
  call.path = path;
  std::error_code failed;
  call.makes = (flags & O_CREAT) != 0 && !fs::exists(fs::symlink_status(path, failed));
  call.empties = (flags & O_TRUNC) != 0;
  return call;
}

Found named(const char* name, const std::string& path, const std::string& other = "", uint64_t size = 0) {
  FileCall call;
  call.name = name;
  call.path = path;
  call.other = other;
  call.offset = size;
  return call;
}

Found truncates(const Thread& t) {
  Found call = of_descriptor("truncate", t, t.fd(0));
  if (call) call->offset = t.arg(1);
  return call;
}

const std::map<int, Found (*)(const Thread&)>& readers() {
  using T = const Thread&;
  static const std::map<int, Found (*)(T)> all = {
      {SYS_write,
       [](T t) {
         return writes(
             t, [&] { return t.bytes(t.arg(1), t.arg(2)); }, std::nullopt);
       }},
      {SYS_pwrite64,
       [](T t) {
         return writes(
             t, [&] { return t.bytes(t.arg(1), t.arg(2)); }, t.arg(3));
       }},
      {SYS_writev,
       [](T t) {
         return writes(
             t, [&] { return vectors(t); }, std::nullopt);
       }},
      {SYS_pwritev,
       [](T t) {
         return writes(
             t, [&] { return vectors(t); }, t.arg(3));
       }},
      {SYS_openat, [](T t) { return opens(t.path(1, t.fd(0)), static_cast<int>(t.arg(2))); }},
      {SYS_fsync, [](T t) { return of_descriptor("sync", t, t.fd(0)); }},
      {SYS_fdatasync, [](T t) { return of_descriptor("sync", t, t.fd(0)); }},
      {SYS_ftruncate, [](T t) { return truncates(t); }},
      {SYS_truncate, [](T t) { return named("truncate", t.path(0), "", t.arg(1)); }},
      {SYS_fallocate, [](T t) { return of_descriptor("allocate", t, t.fd(0)); }},
      {SYS_copy_file_range, [](T t) { return of_descriptor("copy", t, t.fd(2)); }},
      {SYS_sendfile, [](T t) { return of_descriptor("copy", t, t.fd(0)); }},
      {SYS_renameat, [](T t) { return named("rename", t.path(1, t.fd(0)), t.path(3, t.fd(2))); }},
      {SYS_renameat2, [](T t) { return named("rename", t.path(1, t.fd(0)), t.path(3, t.fd(2))); }},
      {SYS_linkat, [](T t) { return named("link", t.path(1, t.fd(0)), t.path(3, t.fd(2))); }},
      {SYS_unlinkat, [](T t) { return named("unlink", t.path(1, t.fd(0))); }},
      {SYS_mkdirat, [](T t) { return named("mkdir", t.path(1, t.fd(0))); }},
#ifdef SYS_open  // newer architectures do not have these calls
      {SYS_open, [](T t) { return opens(t.path(0), static_cast<int>(t.arg(1))); }},
      {SYS_creat, [](T t) { return opens(t.path(0), O_CREAT | O_TRUNC); }},
      {SYS_rename, [](T t) { return named("rename", t.path(0), t.path(1)); }},
      {SYS_link, [](T t) { return named("link", t.path(0), t.path(1)); }},
      {SYS_unlink, [](T t) { return named("unlink", t.path(0)); }},
      {SYS_rmdir, [](T t) { return named("unlink", t.path(0)); }},
      {SYS_mkdir, [](T t) { return named("mkdir", t.path(0)); }},
#endif
  };
  return all;
}

}  // namespace

bool FileCall::takes_space() const {
  return name == "write" || name == "allocate" || name == "copy" || name == "mkdir" || name == "link" ||
         (name == "open" && makes);
}

const std::vector<int>& watched_calls() {
  static const std::vector<int> numbers = [] {
    std::vector<int> out;
    for (const auto& [number, read] : readers()) out.push_back(number);
    return out;
  }();
  return numbers;
}

Found file_call(const seccomp_notif& stopped) {
  const auto reader = readers().find(stopped.data.nr);
  return reader == readers().end() ? std::nullopt : reader->second(Thread(stopped));
}

}  // namespace levin::reliability
