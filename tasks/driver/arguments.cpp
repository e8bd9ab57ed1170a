#include "tasks/driver/arguments.hpp"

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/paths.hpp"
#include "core/base/text.hpp"
#include "core/config/option.hpp"
#include "core/plugin/plugin_index.hpp"
#include "report/write_document.hpp"
#include "sdk/include/levin/tasks.h"
#include "tasks/common/resources.hpp"
#include "tasks/common/words.hpp"
#include "tasks/driver/driver.hpp"
#include "tasks/nats/cluster.hpp"
#include "tasks/signing/commands.hpp"
#include "tasks/slurm/slurm_workers.hpp"

namespace levin::core::tasks {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(ErrorCode code, const std::string& what) { throw Error(code, "host tasks: " + what); }

// The options with a number, which may also be given when a job goes on.
struct NumberOption {
  OptionSchema schema;
  void (*set)(JobSettings&, const nlohmann::json&);
};
const std::vector<NumberOption>& number_options() {
  static const std::vector<NumberOption> table = {
      {int_option("workers", 0, 0, ""), [](JobSettings& s, const nlohmann::json& v) { s.workers = v; }},
      {int_option("attempts", 3, 1, ""), [](JobSettings& s, const nlohmann::json& v) { s.attempts = v; }},
      {float_option("time_limit", 0, 0, ""), [](JobSettings& s, const nlohmann::json& v) { s.time_limit = v; }},
      {int_option("max_size", 64, 1, ""), [](JobSettings& s, const nlohmann::json& v) { s.max_size = v; }},
      {int_option("memory", 0, 0, ""), [](JobSettings& s, const nlohmann::json& v) { s.memory = v; }},
      {int_option("priority", 0, -1000, ""), [](JobSettings& s, const nlohmann::json& v) { s.priority = v; }},
      {int_option("cpus", 1, 1, ""), [](JobSettings& s, const nlohmann::json& v) { s.cpus = v; }},
      {int_option("gpus", 0, 0, ""), [](JobSettings& s, const nlohmann::json& v) { s.gpus = v; }},
      {int_option("memory_total", 0, 0, ""), [](JobSettings& s, const nlohmann::json& v) { s.memory_total = v; }},
  };
  return table;
}

}  // namespace

std::vector<WordOption> job_options() {
  std::vector<WordOption> out = {{"library"},
                                 {"component"},
                                 {"file"},
                                 {"resume"},
                                 {"default_root_dir"},
                                 {"engine"},
                                 {"labels"},
                                 {"speculative", WordOption::flag},
                                 {"listen"},
                                 {"ledger"},
                                 {"sbatch", WordOption::list},
                                 {"plugins", WordOption::list},
                                 {"trust", WordOption::flag},
                                 {"json", WordOption::flag}};
  add_server_options(out);
  for (const NumberOption& option : number_options()) out.push_back({option.schema.name});
  return out;
}

namespace {

void set_slurm(const Words& words, JobSettings& settings) {
  if (!words.list("sbatch").empty()) settings.sbatch = words.list("sbatch");
  require_slurm(settings.sbatch);
  if (settings.workers == 0)
    refuse(ErrorCode::options_conflict,
           "--engine " + settings.engine + ": --workers N says how many workers to ask SLURM for");
  if (const auto listen = words.get("listen")) settings.listen = *listen;
  if (settings.engine == "slurm_files" && settings.speculative)
    refuse(ErrorCode::options_conflict, "--speculative is not possible with --engine slurm_files");
  if (settings.engine == "slurm_files" && words.has("listen"))
    refuse(ErrorCode::options_conflict, "--listen belongs to --engine slurm; --engine slurm_files opens no port");
  if (settings.engine == "slurm" && settings.listen.empty())
    refuse(ErrorCode::options_conflict,
           "--engine slurm: --listen HOST:PORT names an address of this machine that the nodes reach (port 0 = any "
           "free one); --engine slurm_files needs none");
}

void set_engine(const Words& words, JobSettings& settings) {
  set_server_options(words, settings);
  if (words.has("server")) settings.engine = "nats";
  if (const auto engine = words.get("engine")) settings.engine = *engine;
  const bool by_slurm = is_slurm(settings.engine);
  if (settings.engine != "local" && settings.engine != "nats" && !by_slurm)
    refuse(ErrorCode::option_value_invalid,
           "--engine '" + settings.engine + "': one of local, nats, slurm, slurm_files");
  if (by_slurm && words.has("server"))
    refuse(ErrorCode::options_conflict,
           "--server and --engine " + settings.engine + " exclude each other: these workers take tasks of one job");
  if (settings.engine != "nats") settings.server.clear();
  if (by_slurm) set_slurm(words, settings);
  if (!by_slurm && (words.has("listen") || !words.list("sbatch").empty()))
    refuse(ErrorCode::options_conflict, "--sbatch and --listen belong to --engine slurm and slurm_files");
  if (settings.engine == "nats" || settings.engine == "slurm") require_nats();
}

// The settings that may change when a job goes on.
void set_numbers(const Words& words, JobSettings& settings) {
  for (const NumberOption& option : number_options())
    if (const auto text = words.get(option.schema.name))
      option.set(settings, check_option(option.schema, *text, "--" + option.schema.name));
  if (const auto labels = words.get("labels")) settings.labels = join(read_labels(*labels), ",");
  if (words.has("speculative")) settings.speculative = true;
  set_engine(words, settings);
}

JobFiles run_folder(const std::string& written) {
  fs::path folder = absolute_path(written).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  if (!is_folder(folder)) refuse(ErrorCode::folder_not_found, "there is no folder '" + written + "'");
  return {folder};
}

JobFiles free_folder(const fs::path& root) {
  for (int i = 0;; ++i) {
    const fs::path folder = root / "levin_logs" / ("tasks_" + std::to_string(i));
    std::error_code failed;
    fs::create_directories(folder.parent_path(), failed);
    if (fs::create_directory(folder, failed)) return {folder};
    if (failed) throw Error(ErrorCode::file_not_written, folder.string() + " cannot be made: " + failed.message());
  }
}

}  // namespace

JobSettings read_new_job(const Words& words) {
  JobSettings out;
  const auto library = words.get("library"), file = words.get("file");
  if (!library)
    refuse(ErrorCode::argument_missing, "no library is named: host tasks --library libmytasks.so --file tasks.txt");
  if (!file)
    refuse(ErrorCode::argument_missing,
           "no file of tasks is named: host tasks --library " + *library + " --file tasks.txt");
  out.file = absolute_path(*file).string();
  if (!is_file(out.file)) refuse(ErrorCode::file_not_read, "--file: there is no file '" + *file + "'");
  out.trust = words.get("trust").has_value();
  PluginIndex index(plugin_dirs(words.list("plugins")), out.trust);
  const auto component = words.get("component");
  const PluginIndex::Found found = index.find(*library + (component ? ":" + *component : ""), LEVIN_KIND_TASKS);
  out.library = found.file->path.string();
  out.sha256 = sha256_file(out.library);
  out.signature = signature_beside(out.library, out.sha256);
  out.component = found.component->id;
  out.options = resolve_options(found.component->options, words.own, "tasks '" + out.component + "'");
  set_numbers(words, out);
  return out;
}

namespace {

JobSettings same_job(const Words& words, const JobFiles& files) {
  JobSettings out = Driver::settings_of(files);
  for (const char* fixed : {"library", "component", "file", "ledger", "default_root_dir"})
    if (words.get(fixed))
      refuse(ErrorCode::options_conflict,
             std::string("--") + fixed + " cannot be changed with --resume; start a new job");
  if (!words.own.empty())
    refuse(ErrorCode::options_conflict, "options of the component cannot be changed with --resume; start a new job");
  if (!is_file(out.library) || sha256_file(out.library) != out.sha256)
    throw Error(ErrorCode::plugin_changed, out.library +
                                               " has changed since the job was started, and results of two libraries "
                                               "must not be mixed: put it back, or start a new job");
  out.signature = signature_beside(out.library, out.sha256);
  set_numbers(words, out);
  return out;
}

}  // namespace

TasksArguments read_tasks_arguments(const std::vector<std::string>& all) {
  std::vector<WordOption> known = job_options();
  known.insert(known.end(), {{"output"}, {"force", WordOption::flag}});
  const Words words = read_words(all, known);
  TasksArguments out;
  out.json = words.get("json").has_value();
  out.report = !words.names.empty() && words.names[0] == "report";
  const size_t most_names = out.report ? 2 : 0;
  if (words.names.size() > most_names)
    refuse(ErrorCode::argument_unexpected, "unexpected argument '" + words.names[most_names] + "'");
  if (out.report) {
    if (words.names.size() < 2)
      refuse(ErrorCode::argument_missing, "no run folder is named: host tasks report levin_logs/tasks_0");
    out.files = run_folder(words.names[1]);
    out.page = words.get("output").value_or("");
    out.force = words.has("force");
    if (words.has("output") && out.json)
      refuse(ErrorCode::options_conflict, "report: --json and --output exclude each other");
    if (words.has("output")) report::check_document_name(out.page, "host tasks report");
  } else if (words.has("output") || words.has("force")) {
    refuse(ErrorCode::options_conflict,
           "--output and --force belong to host tasks report; a job writes its output into its run folder");
  } else if (const auto folder = words.get("resume")) {
    out.files = run_folder(*folder);
    out.settings = same_job(words, out.files);
  } else {
    out.settings = read_new_job(words);
    const auto ledger = words.get("ledger");
    if (ledger) check_ledger_url(*ledger);
    out.files = free_folder(absolute_path(words.get("default_root_dir").value_or(".")).lexically_normal());
    if (ledger) write_ledger_place(out.files.ledger_url(), *ledger);
  }
  return out;
}

}  // namespace levin::core::tasks
