// What a sweep was asked to do, and sweep.json, which keeps it in the sweep's folder and may be written by hand.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/error_codes.hpp"
#include "sweep/schedule/schedule.hpp"
#include "tasks/server/server_options.hpp"

namespace levin::core::sweep {

// The server is that of workers which run the trials.
struct SweepSettings : tasks::ServerOptions {
  std::vector<Parameter> parameters;  // sorted by name
  std::string metric = "val_loss";
  std::string mode;  // "min" or "max"
  SamplerKind sampler = SamplerKind::tpe;
  ScheduleOptions schedule;
  int64_t workers = 1;
  std::vector<std::string> command;         // the arguments of `host fit`, without secrets
  std::vector<std::string> secret_options;  // options of the command whose values are not kept: "--model.token"
  std::string where;                        // the folder in which the trials run
  int64_t gpus = 0;                         // that a trial needs on a worker

  // Not in the file:
  std::vector<std::string> secrets;  // "--model.token=V"
  std::string root, log_name;        // trainer.default_root_dir and trainer.log_name of the command

  bool maximizes() const { return mode == "max"; }
};

nlohmann::json to_json(const SweepSettings& settings);
// Throws Error{usage} if a member is unknown or has a wrong type.
SweepSettings settings_in(const nlohmann::json& file, const std::string& name);

// Throws Error{usage} if a number is impossible, or if something is missing.
void check_settings(const SweepSettings& settings);
void check_epochs(const ScheduleOptions& schedule);  // once max_epochs is known

void add_parameter(SweepSettings& settings, const std::string& option, const std::string& text,
                   const std::string& where);  // throws Error{usage}

[[noreturn]] void refuse_sweep(ErrorCode code, const std::string& what);  // throws Error{usage}

// The files of a sweep.
struct SweepFolder {
  std::filesystem::path path;
  std::filesystem::path settings() const { return path / "sweep.json"; }
  std::filesystem::path journal() const { return path / "study.journal"; }
  std::filesystem::path lock() const { return path / ".sweep.lock"; }
  // Of a trial that trains up to a number of epochs, or to its end (0), on a worker.
  std::filesystem::path job(const std::string& name, int64_t epochs) const {
    return path / "jobs" / (epochs > 0 ? name + "_" + std::to_string(epochs) : name);
  }
  std::filesystem::path run(const std::string& name) const { return path / name; }
  std::filesystem::path output(const std::string& name) const { return path / "output" / (name + ".txt"); }
  std::filesystem::path first_weights(const std::string& name) const { return path / "weights" / (name + ".ckpt"); }
};
// Throws Error{usage} if the folder is no sweep.
SweepFolder sweep_folder(const std::string& written);
SweepSettings load_settings(const SweepFolder& folder);

}  // namespace levin::core::sweep
