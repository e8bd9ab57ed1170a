#include "download.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>

#include "checksum.hpp"
#include "levin/error.hpp"

namespace common {
namespace {

namespace fs = std::filesystem;

constexpr int tries = 6;
constexpr auto first_pause = std::chrono::milliseconds(250);  // each one is twice as long as the one before

[[noreturn]] void refuse_url(const std::string& url, const std::string& what) {
  throw levin::Error(LEVIN_E_IO, url + " cannot be downloaded: " + what);
}

bool is_offline() {
  const char* value = std::getenv("LEVIN_OFFLINE");
  return value && *value && std::string(value) != "0";
}

// Returns a file name that no other address has.
std::string name_of(const std::string& url) {
  std::string name;
  for (const char c : url.substr(url.find("://") + 3)) {
    const bool plain =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || std::strchr("._-", c) != nullptr;
    char escaped[4];
    std::snprintf(escaped, sizeof escaped, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
    name += plain ? std::string(1, c) : escaped;
  }
  if (name.empty() || name[0] == '.' || name.size() > 200) refuse_url(url, "the address is empty or too long");
  return name;
}

// The lock of a file, held by one process at a time. Who holds it removes its file in the end.
class Lock {
 public:
  explicit Lock(const std::string& path) : path_(path) {
    do {
      if (fd_ >= 0) close(fd_);
      fd_ = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
      if (fd_ < 0) throw levin::Error(LEVIN_E_IO, "cannot write " + path + ": " + std::strerror(errno));
      while (flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
      }
    } while (!is_current());
  }
  ~Lock() {
    unlink(path_.c_str());
    close(fd_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  // Returns false if the process that held the lock before has removed the file.
  bool is_current() const {
    struct stat opened {
    }, named{};
    return fstat(fd_, &opened) == 0 && stat(path_.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
  }

  const std::string path_;
  int fd_ = -1;
};

// Removes the part of a file that was to be downloaded unless another run can go on with it.
void remove_useless(const std::string& part, const std::string& tag, bool wrong) {
  std::error_code error;
  if (!wrong && fs::file_size(part, error) > 0 && !error) return;
  fs::remove(part, error);
  fs::remove(tag, error);
}

void fetch_with_tries(const std::string& url, const std::string& part, const std::string& tag,
                      const std::function<void(const std::string&)>& tell) {
  auto pause = first_pause;
  for (int i = 1;; ++i, pause *= 2) {
    bool final = false;
    const std::string problem = fetch(url, part, tag, final);
    if (problem.empty()) return;
    if (final || i == tries) refuse_url(url, problem);
    tell(url + ": " + problem + "; trying again");
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace

bool is_url(const std::string& name) { return name.rfind("http://", 0) == 0 || name.rfind("https://", 0) == 0; }

std::string download_folder() {
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (cache && *cache == '/') return std::string(cache) + "/levin";
  if (home && *home == '/') return std::string(home) + "/.cache/levin";
  throw levin::Error(LEVIN_E_INVALID, "there is no HOME for downloads: set XDG_CACHE_HOME");
}

std::string downloaded(const std::string& text, const std::string& folder,
                       const std::function<void(const std::string&)>& tell,
                       const std::function<std::string(const std::string&)>& problem) {
  const auto [url, sha256] = CheckedUrl(text);
  // A file with a checksum has a name of its own, so that one that was never compared is not taken for it.
  const std::string path = folder + "/" + name_of(url) + (sha256.empty() ? "" : "." + sha256.substr(0, 16));
  std::error_code error;
  if (fs::exists(path, error)) return path;
  if (is_offline()) refuse_url(url, "LEVIN_OFFLINE is set, and " + path + " does not exist");
  fs::create_directories(folder, error);
  if (error) throw levin::Error(LEVIN_E_IO, "cannot create the folder " + folder + ": " + error.message());
  const std::string part = path + ".part", tag = path + ".tag";
  const Lock lock(path + ".lock");
  if (fs::exists(path, error)) return path;  // by another process
  tell("downloading " + url);
  try {
    fetch_with_tries(url, part, tag, tell);
  } catch (const levin::Error&) {
    remove_useless(part, tag, false);
    throw;
  }
  std::string wrong;
  if (!sha256.empty())
    if (const std::string found = sha256_of(part); found != sha256)
      wrong = "has the SHA-256 " + found + ", and " + sha256 + " is given";
  if (wrong.empty()) wrong = problem(part);
  if (!wrong.empty()) {
    remove_useless(part, tag, true);
    throw levin::Error(LEVIN_E_IO, url + " " + wrong + "; the file was not kept");
  }
  fs::rename(part, path, error);
  if (error) refuse_url(url, error.message());
  fs::remove(tag, error);
  tell("downloaded " + url + " to " + path);
  return path;
}

}  // namespace common
