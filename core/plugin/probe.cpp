#include "core/plugin/probe.hpp"

#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "core/base/text.hpp"
#include "core/plugin/child.hpp"

namespace levin::core {
namespace {

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

std::string key_of(const OpenFile& file, const ElfFile& elf, const std::filesystem::path& host) {
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

Verdict Probe::ask_child(const std::filesystem::path& file) const {
  std::vector<std::string> command = {host.string(), "describe", file.string()};
  if (trust) command.emplace_back("--trust");
  const ChildResult child = run_child(command, timeout, trust ? ChildEnvironment::own : ChildEnvironment::bare);
  const auto answer = nlohmann::json::parse(child.out, nullptr, false);
  if (!answer.is_object()) return {"", file.string() + ": " + describe_end(child, timeout) + " (P8)"};
  const auto problem = answer.find("problem");
  if (problem != answer.end() && problem->is_string()) return {"", problem->get<std::string>()};
  return {child.out, ""};
}

std::optional<Verdict> Probe::known(const OpenFile& file, const ElfFile& elf) const {
  return VerdictCache(cache).get(key_of(file, elf, host));
}

Verdict Probe::ask(const OpenFile& file, const ElfFile& elf, bool again) const {
  const VerdictCache kept(cache);
  const std::string key = key_of(file, elf, host);
  const auto known = kept.get(key);
  if (known && !(again && !known->problem.empty())) return *known;
  Verdict verdict = ask_child(file.path());
  if (!ends_with(verdict.problem, "(P9)")) kept.put(key, verdict);
  return verdict;
}

}  // namespace levin::core
