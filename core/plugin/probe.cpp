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

// A file that is not a cache of this format counts as an empty cache.
json read_cache(const fs::path& file) {
  std::error_code failed;
  if (fs::is_regular_file(file, failed)) {
    try {
      json cache = json::parse(read_file(file), nullptr, false);
      if (cache.is_object() && cache.value("format", json()) == 1 && cache["plugins"].is_array()) return cache;
    } catch (const Error&) {
    }
  }
  return {{"format", 1}, {"plugins", json::array()}};
}

bool has_key(const json& entry, const std::string& key) {
  return entry.is_object() && entry.value("key", json()) == key;
}

std::string text_of(const json& entry, const char* name) {
  const json text = entry.value(name, json());
  return text.is_string() ? text.get<std::string>() : "";
}

std::optional<Verdict> cached_verdict(const fs::path& file, const std::string& key) {
  const json cache = read_cache(file);
  for (const json& entry : cache["plugins"]) {
    if (!has_key(entry, key)) continue;
    Verdict verdict{text_of(entry, "description"), text_of(entry, "problem")};
    return verdict.description.empty() == verdict.problem.empty() ? std::nullopt : std::optional(std::move(verdict));
  }
  return {};
}

// A cache that cannot be written is not an error: the next run probes again.
void cache_verdict(const fs::path& file, const std::string& key, const Verdict& verdict) {
  if (file.empty()) return;
  json cache = read_cache(file);
  json& entries = cache["plugins"];
  entries.erase(std::remove_if(entries.begin(), entries.end(), [&](const json& e) { return has_key(e, key); }),
                entries.end());
  if (entries.size() >= most_verdicts) entries.erase(entries.begin());  // the oldest
  entries.push_back({{"key", key}, {"description", verdict.description}, {"problem", verdict.problem}});
  try {
    write_file_durable(file, cache.dump(1, ' ', false, json::error_handler_t::replace));
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
  Verdict verdict = ask_child(file.path());
  if (!ends_with(verdict.problem, "(P9)")) cache_verdict(cache, key_of(file, elf, host), verdict);
  return verdict;
}

fs::path verdict_cache_file() {
  const fs::path folder = user_folder("XDG_CACHE_HOME", ".cache");
  return folder.empty() ? folder : folder / "levin" / "plugins.json";
}

}  // namespace levin::core
