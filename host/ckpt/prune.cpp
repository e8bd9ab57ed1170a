#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdio>

#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "host/ckpt/ckpt_file.hpp"
#include "host/ckpt/verbs.hpp"
#include "runs/run_files.hpp"

namespace levin::core::ckpt {
namespace {

namespace fs = std::filesystem;

// The lock that a run holds while it uses its folder.
class Lock {
 public:
  explicit Lock(const fs::path& run) : fd_(::open((run / ".lock").c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW)) {
    if (fd_ < 0 || ::flock(fd_, LOCK_EX | LOCK_NB) == 0) return;
    ::close(fd_);
    throw Error(ErrorCode::run_folder_in_use,
                run.string() + ": a run is using this folder; wait for its end or stop it");
  }
  ~Lock() {
    if (fd_ >= 0) ::close(fd_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int fd_;
};

int64_t count_of(const std::string& text) {
  if (text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos)
    return text.empty() ? 0 : std::stoll(text);
  throw Error(ErrorCode::option_value_invalid, "host ckpt prune: --keep takes a count, not '" + text + "'");
}

// Returns for each file the reason to keep it, or "".
std::vector<std::string> reasons_to_keep(const std::vector<RunFile>& files, const std::string& newest, int64_t keep) {
  std::vector<std::string> out;
  int64_t place = 0;
  for (const RunFile& file : files) {
    std::vector<std::string> why;
    if (file.best) why.emplace_back("best");
    if (file.last) why.emplace_back("last");
    if (file.path == newest) why.emplace_back("newest");
    if (place++ < keep && why.empty()) why.emplace_back("among the newest " + std::to_string(keep));
    out.push_back(join(why, ", "));
  }
  // A link is kept together with its target.
  for (size_t i = 0; i < files.size(); ++i)
    for (size_t k = 0; k < files.size(); ++k) {
      std::error_code gone;
      if (out[i].empty() && !out[k].empty() && fs::equivalent(files[i].path, files[k].path, gone)) out[i] = out[k];
    }
  return out;
}

}  // namespace

int prune(const Arguments& arguments) {
  const fs::path run = arguments.names[0];
  const bool dry_run = arguments.has("dry_run") || arguments.has("dry-run");
  const int64_t keep = count_of(arguments.value("keep"));
  const std::vector<RunFile> files = run_files(run);
  const Lock lock(run);
  const std::string newest = newest_whole(run);
  const std::vector<std::string> kept = reasons_to_keep(files, newest, keep);
  nlohmann::json answers = nlohmann::json::array();
  const bool as_json = arguments.has("json");
  uint64_t bytes = 0;
  size_t removed = 0;
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string name = files[i].path.string();
    answers.push_back({{"file", name},
                       {"bytes", files[i].bytes},
                       {"kept", kept[i].empty() ? nlohmann::json() : nlohmann::json(kept[i])}});
    if (!kept[i].empty()) {
      if (!as_json) std::printf("keeps %s (%s)\n", printable(name).c_str(), kept[i].c_str());
      continue;
    }
    std::error_code failed;
    if (!dry_run && !fs::remove(files[i].path, failed))
      throw Error(ErrorCode::file_not_written, name + " cannot be removed: " + failed.message());
    if (!as_json)
      std::printf("%s %s (%s)\n", dry_run ? "would remove" : "removed", printable(name).c_str(),
                  bytes_text(files[i].bytes).c_str());
    bytes += files[i].bytes;
    ++removed;
  }
  if (as_json) {
    const nlohmann::json out{{"files", answers}, {"removed", dry_run ? 0 : removed}, {"dry_run", dry_run}};
    std::printf("%s\n", out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
    return 0;
  }
  std::printf("%zu files, %s%s\n", removed, bytes_text(bytes).c_str(), dry_run ? " (nothing was removed)" : "");
  return 0;
}

}  // namespace levin::core::ckpt
