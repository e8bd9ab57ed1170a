#include "core/trainer/cluster/cluster_job.hpp"

#include <functional>
#include <utility>
#include <vector>

#include "core/base/json.hpp"
#include "core/checkpoint/container/checkpoint_folder.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"
#include "core/config/run_config.hpp"
#include "core/run_folder/run_folder.hpp"
#include "core/trainer/cluster/slurm_job.hpp"
#include "core/trainer/cluster/torchrun_job.hpp"

namespace levin::core {
namespace {

using Accepts = std::function<bool(const nlohmann::json& saved)>;

// The data about the resumed run that all processes need. An empty folder means that there is none.
struct EarlierRun {
  std::string folder;
  nlohmann::json seed;
  bool had_checkpoints = false;

  nlohmann::json json() const { return {{"folder", folder}, {"seed", seed}, {"had_checkpoints", had_checkpoints}}; }
};

EarlierRun earlier_run(const RunSettings& settings, const Accepts& accepts) {
  const RunPlan& plan = settings.plan;
  const auto found =
      find_run({run_name(plan).folder_in(plan.names.default_root_dir), settings.config.model.component}, accepts);
  if (!found) return {};
  const RunFolder folder = RunFolder::open(*found);
  return {found->string(), folder.config().at("trainer").at("seed_everything"), folder.had_checkpoints()};
}

EarlierRun told(const std::string& job, const EarlierRun& run, Console& console) {
  if (run.folder.empty())
    console.warn(job + " was started again, and no run of it is there: starts from the beginning");
  else
    console.info(job + " was started again: resumes " + run.folder);
  return run;
}

EarlierRun earlier_run_of_slurm(const RunSettings& settings, Console& console) {
  const auto job = slurm_job(environment_variables());
  if (!settings.plan.supervision.requeue || !job || job->restarts == 0) return {};
  const auto same = [&job](const nlohmann::json& saved) { return saved.value("slurm_job", "") == job->id; };
  return told("SLURM job " + job->id, earlier_run(settings, same), console);
}

// torchrun does not count a restart caused by membership changes; the agent stays the same. After the loss of the first
// machine only the id identifies the job.
EarlierRun earlier_run_of_torchrun(const RunSettings& settings, const TorchrunJob& job, Console& console) {
  if (job.id.empty()) return {};
  const auto text = [](const nlohmann::json& saved) { return saved.value("torchrun_job", ""); };
  EarlierRun run = earlier_run(settings, [&](const nlohmann::json& saved) { return text(saved) == job.text(); });
  if (run.folder.empty() && !job.restarted) return {};
  if (run.folder.empty()) run = earlier_run(settings, [&](const auto& saved) { return job.has_id_of(text(saved)); });
  return told("torchrun's job " + job.id, run, console);
}

void go_on(RunSettings& settings, const nlohmann::json& run) {
  RunConfig config = std::move(settings.config);
  config.resume = run.at("folder").get<std::string>();
  // Keeps the randomly drawn seed of the run.
  config.trainer["seed_everything"] = run.at("seed");
  // ckpt_path was only the starting point of the run.
  if (run.at("had_checkpoints").get<bool>()) config.ckpt_path.reset(), config.ckpt_run.reset();
  settings = RunSettings(std::move(config));
}

// Returns a predicate for the configurations of earlier starts of this job; nullptr = the job was not restarted.
Accepts of_this_job(const RunSettings& settings, const TorchrunJob& torchrun) {
  const auto job = slurm_job(environment_variables());
  const std::string id = settings.plan.supervision.requeue && job && job->restarts > 0 ? job->id : "";
  if (id.empty() && torchrun.id.empty()) return nullptr;
  return [id, torchrun](const nlohmann::json& saved) {
    if (!id.empty() && saved.value("slurm_job", "") == id) return true;
    const std::string text = saved.value("torchrun_job", "");
    return !torchrun.id.empty() && (text == torchrun.text() || (torchrun.restarted && torchrun.has_id_of(text)));
  };
}

// Returns true if the checkpoint was saved by a `host resume --ckpt_path` of the job. Every checkpoint contains its
// run's configuration.
bool is_saved_by_resume(const RunCheckpoint& checkpoint, const Accepts& of_job) try {
  const nlohmann::json config = SafetensorsReader(checkpoint.path).manifest().at("config");
  return !checkpoint.weights_only && !config.at("resume").is_null() && !config.at("ckpt_path").is_null() &&
         of_job(config);
} catch (const std::exception&) {
  return false;  // damaged, or from a program that saves no such configuration
}

// Returns the newest intact checkpoint of this kind, or "" if there is none. It need not be the last one in the run's
// folder, which may contain newer ones from before.
std::string saved_by_resume(const std::string& run, const Accepts& of_job) {
  if (!of_job) return "";
  std::vector<std::string> newest_first;
  for (const RunCheckpoint& checkpoint : RunFolder::open(run).list())
    if (is_saved_by_resume(checkpoint, of_job)) newest_first.insert(newest_first.begin(), checkpoint.path);
  std::vector<DamagedCheckpoint> damaged;
  return first_valid(newest_first, &damaged).value_or("");
}

// If a resumed run began with --ckpt_path, resumes from its newest own checkpoint instead. Otherwise the restarted job
// would lose what it has trained since.
void leave_first_checkpoint(RunSettings& settings, const TorchrunJob& torchrun, Processes& processes,
                            Console& console) {
  RunConfig& config = settings.config;
  if (!config.ckpt_path || *config.ckpt_path == "last") return;
  const bool first = processes.world().is_first();
  const std::string own =
      processes.of_first(first ? saved_by_resume(*config.resume, of_this_job(settings, torchrun)) : "");
  if (own.empty()) return;
  if (first) console.info("this job was started again: resumes from what it has saved, not from " + *config.ckpt_path);
  config.ckpt_path = own;
  config.ckpt_run.reset();
}

// The folder may exist on the first machine only.
void take_options_of_folder(RunSettings& settings, Processes& processes) {
  RunConfig config = std::move(settings.config);
  const std::string folder = *config.resume;
  const std::string saved =
      processes.of_first(processes.world().is_first() ? RunFolder::open(folder).config().dump() : "");
  const std::string where = folder + "/config.json";
  take_saved_options(config, run_config_from_json(parse_json(saved, where), where));
  config.takes_saved_options = false;
  settings = RunSettings(std::move(config));
}

}  // namespace

void go_on_after_restart(RunSettings& settings, Processes& processes, Console& console) {
  if (settings.config.takes_saved_options) take_options_of_folder(settings, processes);
  RunConfig& config = settings.config;
  const auto slurm = slurm_job(environment_variables());
  if (settings.plan.supervision.requeue && slurm) config.slurm_job = slurm->id;
  const TorchrunJob torchrun = torchrun_job(environment_variables(), processes);
  config.torchrun_job = torchrun.text();
  const bool trains = config.command == Command::run || config.command == Command::fit;
  if (!trains) return;
  if (config.resume) return leave_first_checkpoint(settings, torchrun, processes, console);
  EarlierRun run;
  if (processes.world().is_first()) {
    run = earlier_run_of_torchrun(settings, torchrun, console);
    if (run.folder.empty()) run = earlier_run_of_slurm(settings, console);
  }
  const nlohmann::json decided = parse_json(processes.of_first(run.json().dump()), "what rank 0 says");
  if (decided.at("folder") != "") go_on(settings, decided);
}

}  // namespace levin::core
