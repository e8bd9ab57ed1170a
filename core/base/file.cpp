#include "core/base/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "sdk/include/levin/util/uninterrupted.hpp"

namespace levin::core {
namespace fs = std::filesystem;
namespace {

bool is_full_disk(int error) { return error == ENOSPC || error == EDQUOT; }

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  bool ok() const { return fd_ >= 0; }
  bool close() {
    const int fd = fd_;
    fd_ = -1;
    return ::close(fd) == 0 || errno == EINTR;  // EINTR: the file is closed too
  }

 private:
  int fd_;
};

[[noreturn]] void fail(const char* what, const fs::path& path, ErrorCode code) {
  const std::string advice = std::strcmp(what, "write") == 0 ? advice_on_write(errno) : "";
  throw Error(code_of_write(errno, code),
              std::string("cannot ") + what + " '" + path.string() + "': " + std::strerror(errno) + advice);
}

int open_file(const fs::path& path, int flags) {
  return uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, 0666); });
}

bool sync(int fd) {
  return uninterrupted([&] { return ::fsync(fd); }) == 0;
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = uninterrupted([&] { return ::write(fd, bytes.data(), bytes.size()); });
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return true;
}

bool sync_folder(const fs::path& folder) {
  const Descriptor fd(open_file(folder, O_RDONLY | O_DIRECTORY));
  return fd.ok() && sync(fd.get());
}

size_t size_of_regular_file(const Descriptor& fd, const fs::path& path, ErrorCode code) {
  struct stat st {};
  if (::fstat(fd.get(), &st) != 0) fail("read", path, code);
  if (!S_ISREG(st.st_mode)) throw Error(code, "cannot read '" + path.string() + "': not a regular file");
  return static_cast<size_t>(st.st_size);
}

}  // namespace

std::string read_file(const fs::path& path, ErrorCode code) {
  const Descriptor fd(open_file(path, O_RDONLY | O_NONBLOCK));
  if (!fd.ok()) fail("read", path, code);
  std::string bytes(size_of_regular_file(fd, path, code), '\0');
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = uninterrupted([&] { return ::read(fd.get(), bytes.data() + done, bytes.size() - done); });
    if (n < 0) fail("read", path, code);
    if (n == 0) break;
    done += static_cast<size_t>(n);
  }
  bytes.resize(done);
  return bytes;
}

std::string read_file_or_pipe(const fs::path& path, size_t most) {
  const std::string name = path.string();
  const bool is_pipe = name.rfind("/dev/fd/", 0) == 0 || name == "/dev/stdin";
  const Descriptor fd(open_file(path, is_pipe ? O_RDONLY : O_RDONLY | O_NONBLOCK));
  if (!fd.ok()) fail("read", path, ErrorCode::file_not_read);
  if (!is_pipe) size_of_regular_file(fd, path, ErrorCode::file_not_read);
  std::string bytes;
  char buffer[4096];
  while (bytes.size() < most) {
    const size_t wanted = std::min(sizeof buffer, most - bytes.size());
    const ssize_t n = uninterrupted([&] { return ::read(fd.get(), buffer, wanted); });
    if (n < 0) fail("read", path, ErrorCode::file_not_read);
    if (n == 0) break;
    bytes.append(buffer, static_cast<size_t>(n));
  }
  return bytes;
}

ErrorCode code_of_write(int error, ErrorCode otherwise) {
  return is_full_disk(error) ? ErrorCode::disk_full : otherwise;
}

std::string advice_on_write(int error) {
  if (is_full_disk(error)) return "; make room there, or write elsewhere (--trainer.default_root_dir)";
  if (error == EMFILE || error == ENFILE) return "; raise the limit on open files (ulimit -n)";
  const bool forbidden = error == EACCES || error == EPERM || error == EROFS;
  return forbidden ? "; you need write permission for its folder" : "";
}

void write_file_durable(const fs::path& path, std::string_view bytes, ErrorCode code) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  std::error_code failed;
  uninterrupted(failed, [&] { fs::create_directories(folder, failed); });
  if (failed)
    throw Error(code_of_write(failed.value(), code), "cannot create the folder '" + folder.string() +
                                                         "': " + failed.message() + advice_on_write(failed.value()));
  const fs::path aside = path.string() + ".tmp." + std::to_string(::getpid());
  remove_file(aside);  // left by a killed process with the same id, or another user's link
  Descriptor fd(open_file(aside, O_WRONLY | O_CREAT | O_EXCL));
  if (!fd.ok()) fail("write", path, code);
  const auto take_name = [&] { return uninterrupted([&] { return ::rename(aside.c_str(), path.c_str()); }) == 0; };
  const bool written = write_all(fd.get(), bytes) && sync(fd.get()) && fd.close() && take_name();
  if (!written) {
    const int error = errno;
    remove_file(aside);
    errno = error;
    fail("write", path, code);
  }
  if (!sync_folder(folder)) fail("write", folder, code);
}

fs::path output_file(const std::string& path, bool force, const std::string& what) {
  fs::path file = absolute_path(path);
  std::error_code unknown;
  constexpr int most_links = 40;  // as Linux
  for (int links = 0; links < most_links && fs::is_symlink(fs::symlink_status(file, unknown)); ++links)
    file = (file.parent_path() / fs::read_symlink(file, unknown)).lexically_normal();
  const fs::file_status status = fs::symlink_status(file, unknown);
  if (!fs::exists(status)) return file;
  const std::string begin = what + ": '" + file.string() + "' ";
  if (fs::is_directory(status)) throw Error(ErrorCode::option_value_invalid, begin + "is a folder; name a file");
  if (!fs::is_regular_file(status))
    throw Error(ErrorCode::option_value_invalid, begin + "is a device, a pipe or a loop of links; name a file");
  if (!force) throw Error(ErrorCode::output_exists, begin + "already exists; --force replaces it, or name another");
  return file;
}

void remove_unfinished(const fs::path& path) {
  const std::string begins = path.filename().string() + ".tmp.";
  std::error_code failed;
  for (const fs::directory_entry& entry : entries_of(path.parent_path(), failed)) {
    const std::string name = entry.path().filename().string();
    if (name.size() <= begins.size() || name.compare(0, begins.size(), begins) != 0) continue;
    if (name.find_first_not_of("0123456789", begins.size()) == std::string::npos) remove_file(entry.path());
  }
}

bool sync_file(const fs::path& path) {
  const Descriptor fd(open_file(path, O_RDONLY | O_NONBLOCK));
  return fd.ok() && sync(fd.get()) && sync_folder(path.has_parent_path() ? path.parent_path() : fs::path("."));
}

fs::path libexec_dir(const fs::path& own) {
  const fs::path folder = own.parent_path(), name = fs::path("libexec") / "levin";
  const bool is_in_it = folder.parent_path().filename() / folder.filename() == name;
  return is_in_it ? folder : folder.parent_path() / name;
}

fs::path engine_library(const std::string& name) {
  const std::string file = "liblevin_" + name + ".so";
  std::error_code unknown;
  const fs::path installed = libexec_dir() / file;
  return fs::exists(installed, unknown) ? installed : exe_path().parent_path() / file;
}

fs::path exe_path() {
  std::error_code failed;
  const auto path = fs::read_symlink("/proc/self/exe", failed);
  if (failed)
    throw Error(ErrorCode::system_call_failed, "cannot find the running program: /proc/self/exe: " + failed.message());
  return path;
}

fs::path absolute_path(const std::string& path) {
  const char* home = std::getenv("HOME");
  if (home != nullptr && (path == "~" || path.rfind("~/", 0) == 0)) return fs::path(home + path.substr(1));
  std::error_code failed;
  const auto absolute = fs::absolute(path, failed);
  if (failed) return path;
  const auto normal = absolute.lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();  // drops a trailing slash
}

}  // namespace levin::core
