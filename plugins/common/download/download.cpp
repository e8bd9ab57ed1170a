#include "download.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "checksum.hpp"
#include "levin/error.hpp"
#include "lock.hpp"

namespace download {
namespace {

namespace fs = std::filesystem;

constexpr int tries = 6;
constexpr std::chrono::milliseconds first_pause(250);  // each one is twice as long as the one before

[[noreturn]] void refuse_url(const Address& address, const std::string& what) {
  throw levin::Error(LEVIN_E_IO, address.shown() + " cannot be downloaded: " + what);
}

bool is_offline() {
  const char* value = std::getenv("LEVIN_OFFLINE");
  return value && *value && std::string(value) != "0";
}

// A file that is not yet whole.
struct Part {
  std::string path, tag;  // tag: fetch()
  void remove() const {
    std::error_code ignored;
    fs::remove(path, ignored);
    fs::remove(tag, ignored);
  }
  // Removes what no other run can go on with: nothing, or bytes of an unknown version.
  void remove_if_useless() const {
    for (const std::string& file : {path, tag}) {
      std::error_code error;
      if (fs::file_size(file, error) == 0 || error) return remove();
    }
  }
};

void fetch_with_tries(const Address& address, const Part& part, const Progress& progress) {
  auto pause = first_pause;
  for (int i = 1;; ++i, pause *= 2) {
    const Fetched fetched = fetch(address, part.path, part.tag, progress);
    if (fetched.problem.empty()) return;
    if (fetched.is_final || i == tries) refuse_url(address, fetched.problem);
    progress.tell(address.shown() + ": " + fetched.problem + "; trying again");
    wait_for(pause, progress);
  }
}

// Returns what is wrong with a file; "" = nothing, or no checksum is given.
std::string wrong_checksum(const Address& address, const std::string& path) {
  if (address.sha256.empty()) return "";
  const std::string found = sha256_of(path);
  return found == address.sha256 ? "" : "has the SHA-256 " + found + ", and " + address.sha256 + " is given";
}

}  // namespace

std::string download_folder() {
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (cache && *cache == '/') return std::string(cache) + "/levin";
  if (home && *home == '/') return std::string(home) + "/.cache/levin";
  throw levin::Error(LEVIN_E_INVALID, "there is no HOME for downloads: set XDG_CACHE_HOME");
}

void download(const Address& address, const std::string& path, const Progress& progress,
              const std::function<std::string(const std::string&)>& problem) {
  std::error_code error;
  if (fs::exists(path, error)) return;
  if (is_offline()) refuse_url(address, "LEVIN_OFFLINE is set, and " + path + " does not exist");
  const Part part{path + ".part", path + ".tag"};
  const Lock lock(path, address.shown(), progress);
  if (fs::exists(path, error)) return;  // by another process
  progress.tell("downloading " + address.shown());
  try {
    fetch_with_tries(address, part, progress);
  } catch (...) {
    part.remove_if_useless();
    throw;
  }
  std::string wrong = wrong_checksum(address, part.path);
  if (wrong.empty()) wrong = problem(part.path);
  if (!wrong.empty()) {
    part.remove();
    throw levin::Error(LEVIN_E_IO, address.shown() + " " + wrong + "; the file was not kept");
  }
  fs::rename(part.path, path, error);
  if (error) refuse_url(address, error.message());
  fs::remove(part.tag, error);
  progress.tell("downloaded " + address.shown() + " to " + path);
}

}  // namespace download
