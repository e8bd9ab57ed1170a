#include "core/trainer/checkpoint_choice.hpp"

#include "core/base/error.hpp"
#include "core/checkpoint/container/atomic_file.hpp"
#include "core/checkpoint/container/checkpoint_folder.hpp"

namespace levin::core {
namespace {

// own: in the run's folder alone, else in those of all runs beside it.
struct Search {
  const Assembly& a;
  bool own;

  std::filesystem::path runs() const { return run_name(a.config.trainer).folder_in(a.plan.default_root_dir); }
  std::optional<std::string> find(const std::string& ckpt_path) const {
    return find_checkpoint(ckpt_path, own ? a.folder : std::nullopt, runs(),
                           [this](const std::string& line) { a.console.warn(line); });
  }
  [[noreturn]] void refuse(const std::string& ckpt_path) const {
    throw Error(ErrorKind::checkpoint, "--ckpt_path " + ckpt_path + ": there is no such checkpoint under " +
                                           (own && a.folder ? a.folder->path() : runs()).string());
  }
};

}  // namespace

void check_checkpoint_choice(const Assembly& a) {
  const auto& wanted = a.config.ckpt_path;
  if (!wanted || a.config.resume) return;
  const std::string& command = a.config.command;
  const bool fits = command == "run" || command == "fit" || command == "tune";
  if (fits && *wanted == "last") return;  // it may start anew
  const Search search{a, /*own=*/false};
  const auto to_be_said_later = [](const std::string&) {};
  if (!find_checkpoint(*wanted, std::nullopt, search.runs(), to_be_said_later)) search.refuse(*wanted);
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
  a.console.warn("there is no checkpoint to go on from: starts anew");
  return "";
}

std::string evaluated_checkpoint(const Assembly& a, const std::string& ckpt_path) {
  const Search search{a, /*own=*/a.config.command == "run"};
  if (const auto found = search.find(ckpt_path)) return *found;
  search.refuse(ckpt_path);
}

}  // namespace levin::core
