#include "core/trainer/assembly/run_output.hpp"

#include <cstdlib>
#include <utility>

#include "core/base/emergency_output.hpp"
#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/text.hpp"
#include "core/config/program_file.hpp"
#include "core/progress/stop_request.hpp"
#include "core/run_folder/code_snapshot.hpp"
#include "core/run_folder/started_folder.hpp"
#include "levin/util/set_aside.hpp"

namespace levin::core {
namespace {

std::string set_aside_earlier(const std::filesystem::path& file) {
  try {
    return set_aside(file);
  } catch (const std::runtime_error& e) {
    throw Error(ErrorCode::file_not_written, e.what());
  }
}

// Only a fit takes the folder of an earlier run. A command that evaluates or searches would replace the configuration
// that the earlier run resumes with.
RunName name_of_run(const RunSettings& settings, Console& console) {
  RunName name = run_name(settings.plan);
  const Command command = settings.config.command;
  if (command == Command::run || command == Command::fit ||
      !RunFolder::taken(settings.plan.names.default_root_dir, name))
    return name;
  console.warn("log_version " + *name.version + " exists: this run takes the next free number");
  name.version.reset();
  return name;
}

const std::string still_waits = "waits", was_stopped = "stopped ";

// Returns the path of the run's folder from rank 0, or still_waits while rank 0 waits for the folder. In that time,
// throws Interrupt in all processes if one of them was asked to stop. Collective.
std::string tell_folder(Processes& processes, const std::string& mine) {
  const int signal = interruption;
  const bool has_folder = !mine.empty() && mine != still_waits;
  const auto said =
      processes.group().all_gather_bytes(signal && !has_folder ? was_stopped + std::to_string(signal) : mine);
  if (said.front() != still_waits && !starts_with(said.front(), was_stopped)) return said.front();
  for (const std::string& text : said)
    if (starts_with(text, was_stopped)) throw Interrupt{std::atoi(text.c_str() + was_stopped.size())};
  return still_waits;
}

std::string folder_of_first(Processes& processes) {
  for (;;)
    if (std::string folder = tell_folder(processes, ""); folder != still_waits) return folder;
}

// After the host's launcher has lost a machine, processes of the previous attempt may still save in the folder. They
// end when they have not heard from the launcher for 30 s, and have two more minutes for that.
LockPatience lock_patience(const std::filesystem::path& folder, Processes& processes, Console& console) {
  const EnvironmentVariables variables = environment_variables();
  const auto restarts = variables.find("LEVIN_RESTART_COUNT");
  if (restarts == variables.end() || restarts->second == "0") return {};
  LockPatience patience;
  patience.time = std::chrono::seconds(150);
  patience.waits = [&processes, &console, text = folder.string(), told = false](const std::string& holder) mutable {
    if (!std::exchange(told, true))
      console.warn(text + ": the lost run still holds this folder" + holder + "; waits up to 150 s for its end");
    tell_folder(processes, still_waits);
  };
  return patience;
}

std::vector<std::filesystem::path> plugins_of(const RunConfig& config) {
  std::vector<std::filesystem::path> out;
  const auto add = [&out](const ComponentConfig& one) {
    if (!is_of_program(one.file)) out.push_back(one.file);
  };
  add(config.model);
  if (config.data) add(*config.data);
  for (const auto* several : {&config.callbacks, &config.loggers, &config.optimizers})
    for (const ComponentConfig& one : *several) add(one);
  return out;
}

}  // namespace

RunOutput::RunOutput(const RunSettings& settings, Processes& processes, Console& console_) : console(console_) {
  if (settings.plan.duration.fast_dev_run > 0) return;
  if (!processes.world().is_first()) {
    follow(processes, folder_of_first(processes));
    return;
  }
  open_folder(settings, processes);
  const std::string path = std::filesystem::absolute(folder->path()).string();
  tell_folder(processes, path);
  processes.launcher().say("run_folder", path);
}

// On another machine the folder may not exist.
void RunOutput::follow(Processes& processes, const std::string& path) {
  folder = RunFolder::of_first_process(path);
  std::error_code ignored;
  std::filesystem::create_directories(path, ignored);
  console.log_to((folder->path() / ("log.rank-" + std::to_string(processes.world().rank) + ".txt")).string());
}

void RunOutput::open_folder(const RunSettings& settings, Processes& processes) {
  const RunConfig& config = settings.config;
  folder = config.resume ? RunFolder::open(*config.resume)
                         : RunFolder::make(settings.plan.names.default_root_dir, name_of_run(settings, console));
  folder->on_warning([&out = console](const std::string& line) { out.warn(line); });
  refuse_leftover_files(folder->path());
  lock.emplace(folder->path(), lock_patience(folder->path(), processes, console));
  if (folder->is_new()) started.emplace(folder->path(), [&processes] { processes.launcher().say("run_folder", ""); });
  files.emplace(folder->path());
  console.log_to((folder->path() / "log.txt").string());
  console.record(LEVIN_LOG_INFO, config.resume ? "a resume begins" : "a new run begins");
  name_run_folder(folder->path().string());
  if (config.resume)
    go_on(settings);
  else
    begin_new_run(settings);
  unrecorded_ = plugins_of(config);
}

void RunOutput::record_code() {
  save_code_snapshot(folder->path(), std::exchange(unrecorded_, {}),
                     [this](const std::string& line) { console.record(LEVIN_LOG_INFO, line); });
}

// Does not save the new configuration yet, because its options may not fit the run. It is saved after the first batch.
void RunOutput::go_on(const RunSettings& settings) {
  folder->remove_leftovers();
  folder->hold_config(settings.saved_config());
  if (const std::string problem = folder->index_problem(); !problem.empty())
    console.warn(problem + "; the next checkpoint writes a new one");
}

// The folder may contain an earlier run if trainer.log_version names it. That run's config.json is renamed.
void RunOutput::begin_new_run(const RunSettings& settings) {
  const std::string earlier = set_aside_earlier(folder->path() / "config.json");
  set_aside_earlier(folder->checkpoints() / "index.json");  // its best and last are not this run's
  folder->save_config(settings.saved_config());
  if (!earlier.empty())
    console.warn(folder->path().string() + " holds an earlier run: its config.json is now " + earlier +
                 ", its checkpoints stay; of other files the new run's replace those "
                 "of the same name");
}

}  // namespace levin::core
