#include "core/plugin/source_repositories.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/plugin/checks/elf_file.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "core/plugin/child.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr size_t most_diff = 1 << 20;

// Variables that would lead git to another repository, or to programs.
constexpr const char* other_repositories[] = {
    "GIT_DIR",        "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_PREFIX",     "GIT_EXTERNAL_DIFF",    "GIT_DIFF_OPTS",
    "GIT_TRACE"};

class Git {
 public:
  Git(fs::path root, Clock::time_point deadline) : root_(std::move(root)), deadline_(deadline) {}

  // Throws Error{run} with the reason.
  std::string ask(const std::vector<std::string>& command, const std::vector<std::string>& folders) const {
    std::vector<std::string> all = prefix();
    all.insert(all.end(), command.begin(), command.end());
    all.push_back("--");
    all.insert(all.end(), folders.begin(), folders.end());
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
    const ChildResult result = left.count() > 0 ? run_child(all, left, ChildEnvironment::same) : timed_out();
    if (result.timed_out) throw Error(ErrorCode::tool_failed, "git did not answer in time");
    if (result.exit_code == 0) return result.out;
    const std::string said = trim(result.err);
    throw Error(ErrorCode::tool_failed, said.empty() ? "git failed" : said.substr(0, said.find('\n')));
  }

 private:
  static ChildResult timed_out() {
    ChildResult result;
    result.timed_out = true;
    return result;
  }

  std::vector<std::string> prefix() const {
    const EnvironmentVariables variables = environment_variables();
    const std::string git = find_program(variables, "git"), env = find_program(variables, "env");
    if (git.empty() || env.empty()) throw Error(ErrorCode::tool_failed, "there is no program git");
    std::vector<std::string> out = {env};
    for (const char* variable : other_repositories) out.insert(out.end(), {"-u", variable});
    out.insert(out.end(), {"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", git,
                           "-C", root_.string(), "--no-pager", "--literal-pathspecs"});
    for (const char* setting : {"core.fsmonitor=false", "core.hooksPath=/dev/null", "protocol.allow=never"})
      out.insert(out.end(), {"-c", setting});
    return out;
  }

  fs::path root_;
  Clock::time_point deadline_;
};

// What follows the n-th space.
std::string after_spaces(const std::string& line, int n) {
  size_t at = 0;
  for (; n > 0 && at != std::string::npos; --n) at = line.find(' ', at == 0 ? 0 : at + 1);
  return at == std::string::npos ? "" : line.substr(at + 1);
}

void read_status(const std::string& text, SourceRepository& to) {
  for (const std::string& line : split(text, '\0')) {
    if (starts_with(line, "# branch.oid ")) to.commit = line.substr(13);
    if (starts_with(line, "# branch.head ")) to.branch = line.substr(14);
    if (starts_with(line, "1 ")) to.changed.push_back(after_spaces(line, 8));
    if (starts_with(line, "u ")) to.changed.push_back(after_spaces(line, 10));
    if (starts_with(line, "? ")) to.untracked.push_back(line.substr(2));
  }
  if (to.commit == "(initial)") to.commit.clear();
  if (to.branch == "(detached)") to.branch.clear();
}

void read_diff(std::string diff, SourceRepository& to) {
  to.diff_cut = diff.size() > most_diff;
  if (to.diff_cut) diff.resize(diff.rfind('\n', most_diff) + 1);
  to.diff = std::move(diff);
}

void read_repository(SourceRepository& to, fs::file_time_type built, Clock::time_point deadline) {
  try {
    const Git git(to.root, deadline);
    read_status(git.ask({"status", "--porcelain=v2", "--branch", "-z", "--untracked-files=normal", "--no-renames",
                         "--ignore-submodules=dirty"},
                        to.folders),
                to);
    std::error_code gone;
    for (const std::vector<std::string>* files : {&to.changed, &to.untracked})
      for (const std::string& file : *files)
        if (fs::is_regular_file(to.root / file, gone) && fs::last_write_time(to.root / file, gone) > built && !gone)
          to.later.push_back(file);
    if (to.commit.empty() || to.changed.empty()) return;
    read_diff(git.ask({"diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--src-prefix=a/",
                       "--dst-prefix=b/", "--ignore-submodules=dirty", "--submodule=short", "HEAD"},
                      to.folders),
              to);
  } catch (const std::exception& e) {
    to.problem = e.what();
  }
}

std::string recorded_sources(const fs::path& plugin) {
  try {
    const OpenFile file(plugin, true);
    return read_elf(file.fd(), plugin.string()).sources;
  } catch (const std::exception&) {
    return {};  // whoever loads the plugin reports it
  }
}

}  // namespace

fs::path repository_of(const fs::path& folder) {
  std::error_code failed;
  fs::path at = fs::canonical(folder, failed);
  if (failed) return {};
  for (;; at = at.parent_path()) {
    if (fs::exists(at / ".git", failed)) return at;
    if (at == at.root_path()) return {};
  }
}

std::vector<SourceRepository> source_repositories(const std::vector<fs::path>& plugins,
                                                  std::chrono::milliseconds limit) {
  const Clock::time_point deadline = Clock::now() + limit;
  std::map<fs::path, SourceRepository> found;
  std::map<fs::path, fs::file_time_type> built;  // the newest plugin of each repository
  for (const fs::path& plugin : std::set<fs::path>(plugins.begin(), plugins.end())) {
    const std::string sources = recorded_sources(plugin);
    const fs::path root = sources.empty() ? fs::path() : repository_of(sources);
    if (root.empty()) continue;
    std::error_code unknown;
    SourceRepository& repository = found[root];
    repository.root = root;
    const std::string folder = fs::canonical(sources, unknown).lexically_relative(root).string();
    if (std::find(repository.folders.begin(), repository.folders.end(), folder) == repository.folders.end())
      repository.folders.push_back(folder);
    repository.plugins.push_back(plugin.filename().string());
    const auto time = fs::last_write_time(plugin, unknown);
    if (!unknown) built[root] = std::max(time, built.emplace(root, time).first->second);
  }
  std::vector<SourceRepository> out;
  for (auto& [root, repository] : found) {
    read_repository(repository, built[root], deadline);
    out.push_back(std::move(repository));
  }
  return out;
}

}  // namespace levin::core
