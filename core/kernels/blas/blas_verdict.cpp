#include "core/kernels/blas/blas_verdict.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/machine.hpp"
#include "core/plugin/plugin_dirs.hpp"

namespace levin::core {
namespace {

using nlohmann::json;

// Returns $XDG_CACHE_HOME/levin/blas.json, else ~/.cache/levin/blas.json; empty without a home folder.
std::filesystem::path verdicts_file() {
  const std::filesystem::path folder = user_folder("XDG_CACHE_HOME", ".cache");
  return folder.empty() ? folder : folder / "levin" / "blas.json";
}

json read_verdicts() {
  std::error_code failed;
  const std::filesystem::path file = verdicts_file();
  if (!std::filesystem::is_regular_file(file, failed)) return json::object();
  try {
    json verdicts = json::parse(read_file(file), nullptr, false);
    if (verdicts.is_object()) return verdicts;
  } catch (const Error&) {
  }
  return json::object();
}

// Returns what identifies the version of a file; "" if it does not exist.
std::string stamp_of(const std::string& file) {
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0) return "";
  return std::to_string(found.st_ino) + " " + std::to_string(found.st_size) + " " +
         std::to_string(found.st_mtim.tv_sec) + "." + std::to_string(found.st_mtim.tv_nsec);
}

std::string processor() {
  std::string all;
  for (const std::string& flag : cpu_flags()) all += flag + " ";
  return all;
}

}  // namespace

std::optional<BlasVerdict> read_blas_verdict(const std::string& program) {
  const json verdicts = read_verdicts();
  const auto found = verdicts.find(program);
  if (found == verdicts.end()) return {};
  try {
    const json& kept = *found;
    const BlasVerdict verdict = {kept.at("library"), kept.at("own_core"),   kept.at("core"),
                                 kept.at("problem"), kept.at("own_gflops"), kept.at("gflops")};
    const std::string stamp = stamp_of(verdict.library);
    if (stamp.empty() || kept.at("stamp") != stamp || kept.at("processor") != processor()) return {};
    return verdict;
  } catch (const json::exception&) {
    return {};
  }
}

bool can_keep_blas_verdicts() {
  const std::filesystem::path file = verdicts_file();
  std::error_code failed;
  if (!file.empty()) std::filesystem::create_directories(file.parent_path(), failed);
  return !file.empty() && ::access(file.parent_path().c_str(), W_OK) == 0;
}

void keep_blas_verdict(const std::string& program, const BlasVerdict& verdict) {
  if (verdicts_file().empty()) return;
  json verdicts = read_verdicts();
  if (verdicts.size() >= 64) verdicts.clear();
  verdicts[program] = {{"library", verdict.library},
                       {"stamp", stamp_of(verdict.library)},
                       {"processor", processor()},
                       {"own_core", verdict.own_core},
                       {"core", verdict.core},
                       {"problem", verdict.problem},
                       {"own_gflops", verdict.own_gflops},
                       {"gflops", verdict.gflops}};
  try {
    write_file_durable(verdicts_file(), verdicts.dump(1, ' ', false, json::error_handler_t::replace));
  } catch (const Error&) {
  }
}

void add_blas_variables(EnvironmentVariables& variables, const BlasVerdict& verdict) {
  if (verdict.core.empty() || variables.count(blas_core_variable) != 0) return;
  variables[blas_core_variable] = verdict.core;
  variables[chosen_core_variable] = verdict.core + " " + verdict.library;
}

void add_blas_variables(EnvironmentVariables& variables, const std::string& program) {
  if (variables.erase(chosen_core_variable) != 0) variables.erase(blas_core_variable);
  if (const auto verdict = read_blas_verdict(program)) add_blas_variables(variables, *verdict);
}

}  // namespace levin::core
