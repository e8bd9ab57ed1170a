#include "core/trainer/checkpoint_choice.hpp"

#include <functional>
#include <optional>
#include <vector>

#include "core/base/error.hpp"
#include "core/checkpoint/container/atomic_file.hpp"
#include "core/checkpoint/container/checkpoint_folder.hpp"

namespace levin::core {
namespace {

// Where to look for a checkpoint: in the folder `own`, or, if it is nullopt, in all run folders under the root.
struct Search {
  const RunSettings& settings;
  std::optional<RunFolder> own;

  RunSearch runs() const {
    return {run_name(settings.plan).folder_in(settings.plan.default_root_dir), settings.config.model.component};
  }
  std::optional<std::string> find(const std::string& ckpt_path,
                                  const std::function<void(const std::string&)>& warn) const {
    return find_checkpoint(ckpt_path, own, runs(), warn);
  }
  [[noreturn]] void refuse(const std::string& ckpt_path) const {
    const std::string where =
        own ? own->path().string() : runs().folder.string() + " of a run of model '" + runs().model + "'";
    throw Error(ErrorKind::checkpoint, "--ckpt_path " + ckpt_path + ": there is no such checkpoint under " + where);
  }
};

// A search in the folder that --config named with its run, if it did.
Search search_for(const RunSettings& settings) {
  const auto& run = settings.config.ckpt_run;
  return {settings, run ? std::optional<RunFolder>(RunFolder::open(*run)) : std::nullopt};
}

// A search in the run's own folder if `own` is true.
Search search_for(const RunSettings& settings, const RunOutput& output, bool own) {
  return own && output.folder ? Search{settings, output.folder} : search_for(settings);
}

std::function<void(const std::string&)> warning_to(Console& console) {
  return [&console](const std::string& line) { console.warn(line); };
}

}  // namespace

void check_checkpoint_choice(const RunSettings& settings, Console& console) {
  const auto& wanted = settings.config.ckpt_path;
  if (!wanted || settings.config.resume) return;
  if (fits(settings.config.command) && *wanted == "last") return;  // the fit starts anew if there is none
  const Search search = search_for(settings);
  std::vector<std::string> remarks;  // dropped if one is found: the later search repeats them
  if (search.find(*wanted, [&](const std::string& line) { remarks.push_back(line); })) return;
  for (const std::string& line : remarks) console.warn(line);
  search.refuse(*wanted);
}

std::string resumed_checkpoint(const RunSettings& settings, const RunOutput& output) {
  const RunConfig& config = settings.config;
  const std::string wanted = config.ckpt_path.value_or(config.resume ? "last" : "");
  if (wanted.empty()) return "";
  const Search search = search_for(settings, output, config.resume.has_value());
  const auto found = search.find(wanted, warning_to(output.console));
  if (found) {
    remove_stale_temporaries(folder_of(*found));
    return *found;
  }
  if (wanted != "last") search.refuse(wanted);
  if (search.own && search.own->had_checkpoints())
    throw Error(ErrorKind::checkpoint, search.own->path().string() +
                                           ": this run had checkpoints, and none of them is there and whole; put one "
                                           "back, name one with --ckpt_path FILE, or start a new run with host fit");
  output.console.warn("there is no checkpoint to go on from: starts anew");
  return "";
}

std::string evaluated_checkpoint(const RunSettings& settings, const RunOutput& output, const std::string& ckpt_path) {
  const Search search = search_for(settings, output, /*own=*/settings.config.command == Command::run);
  if (const auto found = search.find(ckpt_path, warning_to(output.console))) return *found;
  search.refuse(ckpt_path);
}

}  // namespace levin::core
