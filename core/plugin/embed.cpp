#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>

#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/plugin/checks/file_checks.hpp"
#include "core/plugin/checks/open_file.hpp"
#include "core/plugin/child.hpp"
#include "core/plugin/describe.hpp"
#include "core/plugin/plugin_dirs.hpp"
#include "core/plugin/probe.hpp"
#include "core/plugin/source_repositories.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

// A file in the plugin's folder, which the destructor removes unless it was renamed.
struct TemporaryFile {
  fs::path path;
  explicit TemporaryFile(fs::path name) : path(std::move(name)) {}
  ~TemporaryFile() { unlink(path.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
};

std::string describe_in_child(const fs::path& path) {
  const Probe probe{host_program(), {}, std::chrono::seconds(120), true};  // long, because build machines are busy
  const Verdict verdict = probe.ask_child(path);
  require_usable(verdict.problem);
  return trim(verdict.description);
}

std::string in_path(const std::string& program) {
  const bool is_path = program.find('/') != std::string::npos;
  const std::string found = is_path ? program : find_program(environment_variables(), program);
  if (!found.empty()) return found;
  throw Error(ErrorCode::program_missing,
              "there is no program '" + program + "'; install binutils, or give --objcopy PROGRAM");
}

void run_objcopy(const std::vector<std::string>& command) {
  const ChildResult result = run_child(command, std::chrono::seconds(120));
  if (result.exit_code == 0) return;
  throw Error(ErrorCode::plugin_not_installed, command.back() + ": the description cannot be embedded: '" +
                                                   join(command, " ") + "' failed: " + trim(result.err));
}

// Returns the arguments of objcopy that give a section this text; the text is written to `file`.
std::vector<std::string> set_section(const std::string& name, const fs::path& file, const std::string& text,
                                     bool is_new) {
  std::ofstream(file) << text;
  return {is_new ? "--add-section" : "--update-section", name + "=" + file.string(), "--set-section-flags",
          name + "=noload,readonly"};
}

std::string recorded_path(const std::string& sources) {
  std::error_code failed;
  const fs::path folder = sources.empty() ? fs::path() : fs::canonical(sources, failed);
  return failed || folder.empty() || repository_of(folder).empty() ? "" : folder.string();
}

}  // namespace

void embed_description(const fs::path& path, const std::string& objcopy, const std::string& sources) {
  const OpenFile file(path, true);
  const std::string text = describe_in_child(file.path());
  const ElfFile elf = read_elf(file.fd(), path.string());
  const std::string unsafe = run_path_problem(elf, file.path().parent_path()), present = elf.description;
  if (!unsafe.empty()) std::fprintf(stderr, "%s: warning: the host will refuse it: %s\n", path.c_str(), unsafe.c_str());
  const std::string folder = recorded_path(sources);
  const bool records = !folder.empty() && folder != elf.sources;
  if (present == text && !records) return;
  const std::string stem = file.path().string() + "." + std::to_string(getpid());
  const TemporaryFile description(stem + ".json"), place(stem + ".sources"), copy(stem + ".new");
  std::vector<std::string> command = {in_path(objcopy)};
  const auto add = [&command](const std::vector<std::string>& more) {
    command.insert(command.end(), more.begin(), more.end());
  };
  add(set_section(".levin.description", description.path, text, present.empty()));
  if (records) add(set_section(".levin.sources", place.path, folder, elf.sources.empty()));
  add({file.path().string(), copy.path.string()});
  run_objcopy(command);
  struct stat st {};
  if (fstat(file.fd(), &st) == 0) chmod(copy.path.c_str(), st.st_mode & 07777);
  if (rename(copy.path.c_str(), file.path().c_str()) != 0)
    throw Error(ErrorCode::plugin_not_installed,
                path.string() + ": cannot be replaced by the file with its description");
}

int run_embed(const fs::path& path, const std::string& objcopy, const std::string& sources) {
  try {
    embed_description(path, objcopy, sources);
    return 0;
  } catch (const Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return e.exit_code();
  }
}

}  // namespace levin::core
