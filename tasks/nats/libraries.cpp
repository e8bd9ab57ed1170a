#include "tasks/nats/libraries.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "core/plugin/checks/file_checks.hpp"
#include "tasks/common/random_hex.hpp"
#include "tasks/signing/signature.hpp"

namespace levin::core::tasks {
namespace {

namespace fs = std::filesystem;

bool is_sum(const std::string& text) { return is_hex(text, 64); }

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
    else if (starts_with(one, "key:"))
      keys_.push_back(read_public_key("--allow", absolute_path(one.substr(4)).string()));
    else if (is_file(path) || is_folder(path))
      places_.push_back(path);
    else
      throw Error(ErrorCode::option_value_invalid,
                  "--allow '" + one + "' is no SHA-256 sum, file or folder of libraries, key:FILE, or 'any'");
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

// Returns "" if the library has the signature of an allowed key.
std::string Libraries::why_not_signed(const Wanted& library) const {
  if (library.signature.empty()) return "it has no signature";
  try {
    const Signature found = read_signature(library.signature);
    const std::string here = machine_name(HostFacts::here().machine);
    if (found.sha256 != library.sha256) return "its signature is that of another file";
    if (found.platform != here) return "its signature is for " + found.platform + ", and this machine is " + here;
    for (const Key& key : keys_)
      if (verifies(key, found.statement(), found.bytes)) return "";
    return "its signature is of no key that --allow names";
  } catch (const Error& e) {
    return e.what();
  }
}

void Libraries::require_allowed(const Wanted& library) const {
  const std::string& sum = library.sha256;
  if (any_ || std::find(sums_.begin(), sums_.end(), sum) != sums_.end() || !find_allowed(sum).empty()) return;
  const std::string why = keys_.empty() ? "start the program with --allow" : why_not_signed(library);
  if (why.empty()) return;
  throw Error(ErrorCode::library_not_allowed,
              plain_name(library.name) + " with the SHA-256 sum " + sum + " is not allowed here: " + why);
}

std::optional<std::string> Libraries::find(const Wanted& library,
                                           const std::function<std::optional<std::string>()>& fetch) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto& [sha256, name, signature] = library;
  if (!is_sum(sha256)) throw Error(ErrorCode::library_not_allowed, "the job names no SHA-256 sum of its library");
  const std::string here = find_allowed(sha256);
  if (!here.empty()) return here;
  require_allowed(library);
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
        throw Error(ErrorCode::file_not_written,
                    path.string() + " cannot be given to another group: " + std::strerror(errno));
    fs::permissions(folder, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec);
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  }
  if (sha256_file(file.string()) == sha256) return file.string();
  fs::remove(file);
  throw Error(ErrorCode::library_not_allowed,
              plain_name(name) + " from the NATS server has not the SHA-256 sum of its job");
}

}  // namespace levin::core::tasks
