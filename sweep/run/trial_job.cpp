#include "sweep/run/trial_job.hpp"

#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/paths.hpp"
#include "sweep/run/host_program.hpp"
#include "sweep/run/trial_run.hpp"

namespace levin::core::sweep {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path tasks_folder(const Engine& engine) { return engine.folder / "levin_logs" / "tasks_0"; }

void write_job(const fs::path& file, const RunPlan& plan) {
  const json job = {{"where", fs::current_path().string()}, {"folder", plan.folder.string()},
                    {"output", plan.output.string()},       {"start", words_of_start(plan)},
                    {"resume", words_of_resume(plan)},      {"gpus", plan.engine.gpus}};
  write_file_durable(file, job.dump(2) + "\n");
}

}  // namespace

std::vector<std::string> words_of_job(const RunPlan& plan) {
  const Engine& engine = plan.engine;
  std::vector<std::string> out = {host_program(), "tasks"};
  // The job's settings are in its ledger before its tasks are read; a ledger alone may be empty.
  if (is_present(tasks_folder(engine) / "tasks.bin")) {
    out.insert(out.end(), {"--resume", tasks_folder(engine).string()});
  } else {
    std::error_code failed;
    fs::remove_all(tasks_folder(engine), failed);  // of a process that was killed before it began
    fs::create_directories(engine.folder);
    const fs::path file = engine.folder / "trial.json";
    write_job(file, plan);
    const fs::path library = exe_path().parent_path() / "libsweep_trial.so";
    out.insert(out.end(),
               {"--library", library.string(), "--file", file.string(), "--default_root_dir", engine.folder.string()});
  }
  const std::vector<std::string> server = tasks::words_of(engine.server);
  out.insert(out.end(), server.begin(), server.end());
  return out;
}

std::optional<int> exit_code_of_job(const Engine& engine) {
  const fs::path output = tasks_folder(engine) / "output";
  if (!is_file(output)) return std::nullopt;
  const json result = parse_json(read_file(output), output.string(), ErrorCode::record_damaged);
  const auto code = result.is_object() ? result.find("exit") : result.end();
  if (code == result.end() || !code->is_number_integer())
    throw Error(ErrorCode::record_damaged, output.string() + " is not the result of a trial");
  return code->get<int>();
}

}  // namespace levin::core::sweep
