#include "core/run_folder/run_folder.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/file.hpp"
#include "core/base/json.hpp"
#include "core/base/text.hpp"
#include "core/checkpoint/container/atomic_file.hpp"
#include "core/checkpoint/container/checkpoint_folder.hpp"
#include "sdk/include/levin/util/uninterrupted.hpp"

namespace levin::core {
namespace {

namespace fs = std::filesystem;

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

fs::path folder_of_version(const fs::path& runs, const std::string& version) {
  return runs / (is_number(version) ? version_name(version) : version);
}

std::vector<std::string> newest_first(std::vector<RunCheckpoint> oldest_first) {
  std::vector<std::string> paths;
  for (auto c = oldest_first.rbegin(); c != oldest_first.rend(); ++c) paths.push_back(std::move(c->path));
  return paths;
}

[[noreturn]] void cannot_make(const std::string& problem) {
  throw Error(ErrorCode::file_not_written, problem + "; give another folder with --trainer.default_root_dir");
}

// Makes each folder's entry in its parent durable before anything relies on it.
void make_durable(const fs::path& folder) try { make_folders(folder.string()); } catch (const Error& e) {
  cannot_make(e.what());
}

}  // namespace

fs::path RunName::folder_in(const fs::path& root) const { return folder.empty() ? root : root / folder; }

RunName run_name(const RunPlan& plan) { return {plan.names.log_name, plan.names.log_version}; }

RunFolder RunFolder::make(const fs::path& root, const RunName& name) {
  const fs::path folder = name.folder_in(root);
  std::error_code problem;
  make_durable(folder);
  const int64_t order = next_run_order(folder);
  if (name.version) {
    const fs::path path = folder_of_version(folder, *name.version);
    const bool is_new = !fs::exists(fs::symlink_status(path));
    make_durable(path / "checkpoints");
    return {path, order, is_new};
  }
  for (int64_t n = highest_version(folder) + 1;; ++n) {
    const fs::path path = folder / version_name(std::to_string(n));
    bool made = false;
    uninterrupted(problem, [&] { made = fs::create_directory(path, problem); });
    if (made) {
      make_durable(path / "checkpoints");
      sync_file(path);
      return {path, order, true};
    }
    if (problem) cannot_make(path.string() + ": " + problem.message());
  }
}

bool RunFolder::taken(const fs::path& root, const RunName& name) {
  if (!name.version) return false;
  std::error_code ignored;
  return fs::exists(folder_of_version(name.folder_in(root), *name.version) / "config.json", ignored);
}

RunFolder RunFolder::open(const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw Error(ErrorCode::not_a_run_folder, folder.string() + " is not the folder of a run");
  return {folder, std::nullopt, false};
}

RunFolder RunFolder::of_first_process(const fs::path& folder) {
  RunFolder out(folder, std::nullopt, false);
  out.writes_ = false;
  return out;
}

void RunFolder::save_config(nlohmann::json config) {
  if (!writes_) return;
  if (held_) return hold_config(std::move(config));
  if (!order_) order_ = saved_order();
  if (order_) config[run_order_key] = *order_;
  write_file_durable(path_ / "config.json", config.dump(2) + "\n");
}

std::optional<int64_t> RunFolder::saved_order() const try {
  const nlohmann::json saved = config();
  if (!saved.contains(run_order_key)) return std::nullopt;
  return saved.at(run_order_key).get<int64_t>();
} catch (const std::exception&) {
  return std::nullopt;
}

void RunFolder::keep_config() {
  if (!held_) return;
  nlohmann::json config = std::move(*held_);
  held_.reset();
  save_config(std::move(config));
}

void RunFolder::remove_leftovers() const {
  if (!writes_) return;
  const fs::path durably_written[] = {path_ / "config.json", path_ / "profile.txt", path_ / "trace.json", index_file()};
  for (const fs::path& file : durably_written) remove_unfinished(file);
  remove_stale_temporaries(checkpoints().string());
}

nlohmann::json RunFolder::config() const {
  if (held_) return *held_;
  const std::string file = (path_ / "config.json").string();
  return parse_json(read_file(file), file);
}

bool RunFolder::of_model(const std::string& component) const try {
  return config().at("model").at("component") == component;
} catch (const std::exception&) {
  return true;
}

std::optional<fs::path> find_run(const RunSearch& runs, const std::function<bool(const nlohmann::json&)>& accepts) {
  for (const fs::path& path : runs_newest_first(runs.folder)) try {
      const RunFolder run = RunFolder::open(path);
      if (run.of_model(runs.model) && accepts(run.config())) return path;
    } catch (const std::exception&) {
    }
  return std::nullopt;
}

std::optional<std::string> find_checkpoint(const std::string& ckpt_path, const std::optional<RunFolder>& folder,
                                           const RunSearch& runs, const Warn& warn, VerifiedFile* verified) {
  if (ckpt_path != "best" && ckpt_path != "last") return ckpt_path;
  std::vector<fs::path> paths;
  if (folder)
    paths.push_back(folder->path());
  else
    paths = runs_newest_first(runs.folder);
  for (const fs::path& path : paths) {
    RunFolder run = RunFolder::open(path);
    run.on_warning(warn);
    if (!folder && !runs.model.empty() && !run.of_model(runs.model)) continue;
    if (ckpt_path == "best") {
      if (const std::string problem = run.index_problem(); !problem.empty()) warn(problem);
      if (auto found = run.announced("best")) return found;
      continue;
    }
    std::vector<DamagedCheckpoint> damaged;
    auto found = first_valid(newest_first(run.list()), &damaged, verified);
    for (const DamagedCheckpoint& d : damaged) warn("skipped a damaged checkpoint: " + d.reason);
    if (found) return found;
  }
  return std::nullopt;
}

}  // namespace levin::core
