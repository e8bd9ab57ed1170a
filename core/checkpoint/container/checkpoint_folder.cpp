#include "core/checkpoint/container/checkpoint_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/container/atomic_file.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "sdk/include/levin/util/uninterrupted.hpp"

namespace levin::core {
namespace {

std::vector<std::string> names_in(const std::string& folder) {
  std::error_code failed;
  std::vector<std::string> names;
  for (const auto& entry : entries_of(folder, failed)) names.push_back(entry.path().filename().string());
  if (failed && failed != std::errc::no_such_file_or_directory)
    throw Error(ErrorCode::checkpoint_not_found, folder + ": cannot list this folder: " + failed.message());
  return names;
}

// A writer holds the lock until it ends, so a free lock means that the writer has ended. The file is removed while this
// process holds the lock. A writer that has opened its file but not yet locked it then finds the file removed and makes
// another.
bool remove_if_dead(const std::string& path) {
  const int fd = uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK); });
  if (fd < 0) return false;
  struct stat info {};
  const bool dead = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
                    uninterrupted([&] { return ::flock(fd, LOCK_EX | LOCK_NB); }) == 0;
  const bool removed = dead && !remove_file(path);
  ::close(fd);
  return removed;
}

}  // namespace

std::vector<std::string> remove_stale_temporaries(const std::string& folder) {
  std::vector<std::string> removed;
  for (const std::string& name : names_in(folder))
    if (starts_with(name, AtomicFile::temp_prefix) && remove_if_dead(folder + "/" + name)) removed.push_back(name);
  return removed;
}

std::optional<std::string> first_valid(const std::vector<std::string>& paths, std::vector<DamagedCheckpoint>* damaged,
                                       VerifiedFile* verified) {
  for (const std::string& path : paths) try {
      const auto file = std::make_shared<const SafetensorsReader>(path);
      file->verify();
      if (verified) *verified = file;
      return path;
    } catch (const Error& e) {
      damaged->push_back({path, e.what()});
    }
  return std::nullopt;
}

}  // namespace levin::core
