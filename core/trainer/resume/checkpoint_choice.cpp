#include "core/trainer/resume/checkpoint_choice.hpp"

#include <cstdlib>
#include <optional>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/checkpoint/container/atomic_file.hpp"
#include "core/checkpoint/container/checkpoint_folder.hpp"
#include "core/checkpoint/container/safetensors_reader.hpp"

namespace levin::core {
namespace {

// Where to look for a checkpoint: in the folder `own`, or, if it is nullopt, in all run folders under the root.
struct Search {
  const RunSettings& settings;
  std::optional<RunFolder> own;

  RunSearch runs() const {
    return {run_name(settings.plan).folder_in(settings.plan.names.default_root_dir), settings.config.model.component};
  }
  std::optional<std::string> find(const std::string& ckpt_path, const Warn& warn,
                                  VerifiedFile* verified = nullptr) const {
    return find_checkpoint(ckpt_path, own, runs(), warn, verified);
  }
  [[noreturn]] void refuse(const std::string& ckpt_path) const {
    const std::string where =
        own ? own->path().string() : runs().folder.string() + " of a run of model '" + runs().model + "'";
    throw Error(ErrorCode::checkpoint_not_found,
                "--ckpt_path " + ckpt_path + ": there is no such checkpoint under " + where);
  }
};

// Searches in the folder of the run that --config named, if any.
Search search_for(const RunSettings& settings) {
  const auto& run = settings.config.ckpt_run;
  return {settings, run ? std::optional<RunFolder>(RunFolder::open(*run)) : std::nullopt};
}

// Searches in the run's own folder if `own` is true.
Search search_for(const RunSettings& settings, const RunOutput& output, bool own) {
  return own && output.folder ? Search{settings, output.folder} : search_for(settings);
}

Warn warning_to(Console& console) {
  return [&console](const std::string& line) { console.warn(line); };
}

// Prints which file of which run `best` or `last` refers to: the newest run may not be the intended one.
void tell_choice(const std::string& wanted, const std::string& path, const Search& search, Console& console) {
  if (wanted != "best" && wanted != "last") return;
  const nlohmann::json manifest = SafetensorsReader(path).manifest();
  const std::string at = "epoch " + show(manifest.value("epoch", nlohmann::json())) + ", step " +
                         show(manifest.value("global_step", nlohmann::json()));
  console.info("--ckpt_path " + wanted + " is " + path + " (" + at + ")" +
               (search.own ? ""
                           : " of the newest run of model '" + search.runs().model +
                                 "' that has one; --run FOLDER names another run"));
}

// Returns true if the host's launcher has restarted the run. The launcher has reported that already.
bool is_restarted() {
  const char* count = ::getenv("LEVIN_RESTART_COUNT");
  return count && std::atoi(count) > 0;
}

}  // namespace

std::optional<ChosenCheckpoint> choose_checkpoint(const RunSettings& settings, Console& console) {
  const auto& wanted = settings.config.ckpt_path;
  if (!wanted || wanted->empty() || settings.config.resume) return std::nullopt;
  const bool fit = fits(settings.config.command);
  if (fit && *wanted == "last") return std::nullopt;  // the fit starts from the beginning if there is none
  const Search search = search_for(settings);
  std::vector<std::string> remarks;
  ChosenCheckpoint chosen;
  const auto remark = [&remarks](const std::string& line) { remarks.push_back(line); };
  const auto found = search.find(*wanted, remark, &chosen.verified);
  if (!fit || !found)  // a fit repeats them in its later search
    for (const std::string& line : remarks) console.warn(line);
  if (!found) search.refuse(*wanted);
  if (fit) return std::nullopt;
  tell_choice(*wanted, *found, search, console);
  chosen.path = *found;
  return chosen;
}

std::string resumed_checkpoint(const RunSettings& settings, const RunOutput& output, VerifiedFile* verified) {
  const RunConfig& config = settings.config;
  const std::string wanted = config.ckpt_path.value_or(config.resume ? "last" : "");
  if (wanted.empty()) return "";
  const Search search = search_for(settings, output, config.resume.has_value());
  const auto found = search.find(wanted, warning_to(output.console), verified);
  if (found) {
    remove_stale_temporaries(folder_of(*found));
    return *found;
  }
  if (wanted != "last") search.refuse(wanted);
  if (search.own && search.own->had_checkpoints())
    throw Error(ErrorCode::no_intact_checkpoint,
                search.own->path().string() +
                    ": this run had checkpoints, and none is left intact; put one "
                    "back, name one with --ckpt_path FILE, or start a new run with host fit");
  const std::string from_beginning = "there is no checkpoint to resume from: starts from the beginning";
  if (is_restarted())
    output.console.record(LEVIN_LOG_WARNING, from_beginning);
  else
    output.console.warn(from_beginning);
  return "";
}

ChosenCheckpoint evaluated_checkpoint(const RunSettings& settings, const RunOutput& output,
                                      const std::string& ckpt_path) {
  const Search search = search_for(settings, output, /*own=*/true);
  ChosenCheckpoint chosen;
  const auto found = search.find(ckpt_path, warning_to(output.console), &chosen.verified);
  if (!found) search.refuse(ckpt_path);
  chosen.path = *found;
  return chosen;
}

}  // namespace levin::core
