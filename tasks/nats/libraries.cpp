#include "tasks/nats/libraries.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"

namespace levin::core::tasks {
namespace {

namespace fs = std::filesystem;

bool is_sum(const std::string& text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::string plain_name(const std::string& name) { return plain_file_name(name, "library.so"); }

}  // namespace

std::string plain_file_name(const std::string& name, const char* other) {
  const std::string file = fs::path(name).filename().string();
  return file.empty() || file[0] == '.' || file.size() > 200 ? other : file;
}

Libraries::Libraries(const std::vector<std::string>& allowed, fs::path cache, std::optional<gid_t> readers)
    : cache_(std::move(cache)), readers_(readers) {
  for (const std::string& one : allowed) {
    const fs::path path = absolute_path(one).lexically_normal();
    if (one == "any")
      any_ = true;
    else if (is_sum(one))
      sums_.push_back(one);
    else if (is_file(path) || is_folder(path))
      places_.push_back(path);
    else
      throw Error(ErrorKind::usage, "--allow '" + one + "' is no SHA-256 sum, file or folder of libraries, or 'any'");
  }
}

std::string Libraries::find_allowed(const std::string& sha256) const {
  std::vector<fs::path> files;
  for (const fs::path& place : places_) {
    if (is_file(place)) files.push_back(place);
    std::error_code failed;
    for (fs::directory_iterator i(place, failed), end; !failed && i != end; i.increment(failed))
      if (i->path().extension() == ".so" && is_file(i->path())) files.push_back(i->path());
  }
  for (const fs::path& file : files)
    if (sha256_file(file.string()) == sha256) return file.string();
  return "";
}

void Libraries::require_allowed(const std::string& sha256, const std::string& name) const {
  if (any_ || std::find(sums_.begin(), sums_.end(), sha256) != sums_.end() || !find_allowed(sha256).empty()) return;
  throw Error(ErrorKind::plugin, plain_name(name) + " with the SHA-256 sum " + sha256 +
                                     " is not allowed here: start the program with --allow");
}

std::optional<std::string> Libraries::find(const std::string& sha256, const std::string& name,
                                           const std::function<std::optional<std::string>()>& fetch) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!is_sum(sha256)) throw Error(ErrorKind::plugin, "the job names no SHA-256 sum of its library");
  const std::string here = find_allowed(sha256);
  if (!here.empty()) return here;
  require_allowed(sha256, name);
  const fs::path folder = cache_ / sha256, file = folder / plain_name(name);
  if (is_file(file) && sha256_file(file.string()) == sha256) return file.string();
  const std::optional<std::string> bytes = fetch();
  if (!bytes) return std::nullopt;
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::owner_all);
  write_file_durable(file, *bytes);
  if (readers_) {
    for (const fs::path& path : {folder, file})
      if (::chown(path.c_str(), static_cast<uid_t>(-1), *readers_) != 0)
        throw Error(ErrorKind::run, path.string() + " cannot be given to another group: " + std::strerror(errno));
    fs::permissions(folder, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec);
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  }
  if (sha256_file(file.string()) == sha256) return file.string();
  fs::remove(file);
  throw Error(ErrorKind::plugin, plain_name(name) + " from the NATS server has not the SHA-256 sum of its job");
}

}  // namespace levin::core::tasks
