#include "core/plugin/probe.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/text.hpp"
#include "core/plugin/child.hpp"
#include "core/plugin/plugin_dirs.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
constexpr size_t most_verdicts = 256;

// The cache has a line for each verdict, ["KEY","DESCRIPTION","PROBLEM"], so that one is found without parsing all.
std::string start_of_line(const std::string& key) {
  return "[" + json(key).dump(-1, ' ', false, json::error_handler_t::replace) + ",";
}

// A file that cannot be read counts as an empty cache.
std::string read_cache(const fs::path& file) try {
  std::error_code failed;
  return fs::is_regular_file(file, failed) ? read_file(file) : std::string();
} catch (const Error&) {
  return {};
}

std::optional<Verdict> cached_verdict(const fs::path& file, const std::string& key) {
  const std::string cache = "\n" + read_cache(file);
  const size_t found = cache.find("\n" + start_of_line(key));
  if (found == std::string::npos) return {};
  const json entry = json::parse(cache.substr(found + 1, cache.find('\n', found + 1) - found - 1), nullptr, false);
  if (!entry.is_array() || entry.size() != 3 || !entry[1].is_string() || !entry[2].is_string()) return {};
  Verdict verdict{entry[1], entry[2]};
  return verdict.description.empty() == verdict.problem.empty() ? std::nullopt : std::optional(std::move(verdict));
}

// A cache that cannot be written is not an error: the next run probes again.
void cache_verdict(const fs::path& file, const std::string& key, const Verdict& verdict) {
  if (file.empty()) return;
  std::vector<std::string> lines = split(read_cache(file), '\n');
  const std::string start = start_of_line(key);
  lines.erase(std::remove_if(lines.begin(), lines.end(),
                             [&](const std::string& line) { return line.empty() || starts_with(line, start); }),
              lines.end());
  if (lines.size() >= most_verdicts) lines.erase(lines.begin());  // the oldest
  const json entry = {key, verdict.description, verdict.problem};
  lines.push_back(entry.dump(-1, ' ', false, json::error_handler_t::replace));
  try {
    write_file_durable(file, join(lines, "\n") + "\n");
  } catch (const Error&) {
  }
}

// Returns the last two lines that the child wrote, which name a thrown exception or the library's own error.
std::string last_lines(const std::string& err) {
  std::vector<std::string> lines;
  for (const auto& line : split(err, '\n'))
    if (!trim(line).empty()) lines.push_back(trim(line));
  if (lines.size() > 2) lines.erase(lines.begin(), lines.end() - 2);
  std::string text = join(lines, "; ");
  if (text.size() > 300) text = text.substr(0, 300) + "...";
  return text.empty() ? text : ": " + text;
}

// Describes how a child without an answer ended.
std::string describe_end(const ChildResult& child, std::chrono::milliseconds timeout) {
  if (child.timed_out) return "did not finish loading in " + std::to_string(timeout.count() / 1000) + " s";
  if (child.signal) return "crashed while it was loaded, by " + signal_name(child.signal) + last_lines(child.err);
  return "ended the process while it was loaded, with exit code " + std::to_string(child.exit_code) +
         last_lines(child.err);
}

std::string key_of(const OpenFile& file, const ElfFile& elf, const fs::path& host) {
  const FileIdentity& id = file.identity();
  std::string key = std::to_string(id.device) + ":" + std::to_string(id.inode) + ":" + std::to_string(id.size) + ":" +
                    std::to_string(id.modified_ns) + ":" + elf.build_id;
  struct stat st {};
  if (stat(host.c_str(), &st) == 0)
    key += " " + std::to_string(st.st_dev) + ":" + std::to_string(st.st_ino) + ":" + std::to_string(st.st_mtim.tv_sec) +
           "." + std::to_string(st.st_mtim.tv_nsec);
  return key;
}

}  // namespace

Verdict Probe::ask_child(const fs::path& file) const {
  std::vector<std::string> command = {host.string(), "describe", file.string()};
  if (trust) command.emplace_back("--trust");
  const ChildResult child = run_child(command, timeout, trust ? ChildEnvironment::own : ChildEnvironment::bare);
  const auto answer = json::parse(child.out, nullptr, false);
  if (!answer.is_object()) return {"", file.string() + ": " + describe_end(child, timeout) + " (P8)"};
  const auto problem = answer.find("problem");
  if (problem != answer.end() && problem->is_string()) return {"", problem->get<std::string>()};
  return {child.out, ""};
}

std::optional<Verdict> Probe::known(const OpenFile& file, const ElfFile& elf) const {
  return cached_verdict(cache, key_of(file, elf, host));
}

Verdict Probe::ask(const OpenFile& file, const ElfFile& elf) const {
  const auto cached = known(file, elf);
  if (cached && cached->problem.empty()) return *cached;
  if (!runs_code) return {"", file.path().string() + ": has no description, and its code is not run here (P8)"};
  Verdict verdict = ask_child(file.path());
  if (!ends_with(verdict.problem, "(P9)")) cache_verdict(cache, key_of(file, elf, host), verdict);
  return verdict;
}

fs::path verdict_cache_file() {
  const fs::path folder = user_folder("XDG_CACHE_HOME", ".cache");
  return folder.empty() ? folder : folder / "levin" / "plugins.jsonl";
}

}  // namespace levin::core
