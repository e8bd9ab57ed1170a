#include "core/trainer/checkpoint_choice.hpp"

#include <vector>

#include "core/base/error.hpp"
#include "core/checkpoint/container/atomic_file.hpp"
#include "core/checkpoint/container/checkpoint_folder.hpp"

namespace levin::core {
namespace {

// own: in the run's folder alone, else in those of all runs beside it.
struct Search {
  const Assembly& a;
  bool own;

  RunSearch runs() const { return {run_name(a.plan).folder_in(a.plan.default_root_dir), a.config.model.component}; }
  std::optional<std::string> find(const std::string& ckpt_path) const {
    return find_checkpoint(ckpt_path, own ? a.folder : std::nullopt, runs(),
                           [this](const std::string& line) { a.console.warn(line); });
  }
  [[noreturn]] void refuse(const std::string& ckpt_path) const {
    const std::string where = own && a.folder ? a.folder->path().string()
                                              : runs().folder.string() + " of a run of model '" + runs().model + "'";
    throw Error(ErrorKind::checkpoint, "--ckpt_path " + ckpt_path + ": there is no such checkpoint under " + where);
  }
};

}  // namespace

void check_checkpoint_choice(const Assembly& a) {
  const auto& wanted = a.config.ckpt_path;
  if (!wanted || a.config.resume) return;
  if (fits(a.config.command) && *wanted == "last") return;  // it may start anew
  const Search search{a, /*own=*/false};
  std::vector<std::string> remarks;  // said again once one is used
  if (find_checkpoint(*wanted, std::nullopt, search.runs(), [&](const std::string& line) { remarks.push_back(line); }))
    return;
  for (const std::string& line : remarks) a.console.warn(line);
  search.refuse(*wanted);
}

std::string resumed_checkpoint(const Assembly& a) {
  const std::string wanted = a.config.ckpt_path.value_or(a.config.resume ? "last" : "");
  if (wanted.empty()) return "";
  const Search search{a, a.config.resume.has_value()};
  const auto found = search.find(wanted);
  if (found) {
    remove_stale_temporaries(folder_of(*found));
    return *found;
  }
  if (wanted != "last") search.refuse(wanted);
  if (search.own && a.folder && a.folder->had_checkpoints())
    throw Error(ErrorKind::checkpoint, a.folder->path().string() +
                                           ": this run had checkpoints, and none of them is there and whole; put one "
                                           "back, name one with --ckpt_path FILE, or start a new run with host fit");
  a.console.warn("there is no checkpoint to go on from: starts anew");
  return "";
}

std::string evaluated_checkpoint(const Assembly& a, const std::string& ckpt_path) {
  const Search search{a, /*own=*/a.config.command == Command::run};
  if (const auto found = search.find(ckpt_path)) return *found;
  search.refuse(ckpt_path);
}

}  // namespace levin::core
